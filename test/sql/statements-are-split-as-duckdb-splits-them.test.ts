import t from 'tap'
import { type Token, tokenize } from '../../src/main/sql/text/tokens.ts'
import { fc } from '../support/generate.ts'
import { openReader } from './duckdb-reader.ts'

const reader = await openReader()

/** Texts that a wrong tokenizer would split otherwise, and texts to put around them. */
const PARTS = [
  ...String.raw`' '' " "" $ $$ $a$ $é$ E' e' x' B' n' U& \' \\ \ -- /* */`.split(' '),
  ...['\n', '\r', ' ', '\t', '\f', '\v', '\u00a0', '\u0085', '\ufeff'],
  ...'e E a b x u n _ é 日 ab$c select from _1 1_ 1_0 0x1F 1 1. . .. .5 1e 1e+ e5'.split(' '),
  ...'( ) [ ] { } , ; : :: := + - * / // ** -> ->> @ # ? $1 & ` ~ ! % = < |'.split(' '),
]

/** Statements without escapes that DuckDB's tokenizer accepts and its parser refuses, such as \\0. */
const text = fc
  .array(fc.constantFrom(...PARTS), { maxLength: 12 })
  .map((parts) => parts.join(''))
  .filter((sql) => !/\\[^\\' a-t]/.test(sql))

/** The kinds and positions of words, numbers and strings. Of neighbouring strings only the first: DuckDB may join them. */
function outline(tokens: readonly { readonly at: number; readonly kind: string }[]): string {
  return tokens
    .filter(({ kind }, index) => kind !== '' && !(kind === 's' && tokens[index - 1]?.kind === 's'))
    .map(({ at, kind }) => `${kind}${at}`)
    .join(' ')
}

function ours(sql: string, tokens: readonly Token[]): string {
  const kinds = { word: 'w', quoted: 'w', string: 's', number: 'n', sign: '' }
  return outline(
    tokens.map(({ kind, start }) => ({ at: Buffer.byteLength(sql.slice(0, start)), kind: kinds[kind] })),
  )
}

/** The same by DuckDB's tokenizer, which takes signs of several characters for keywords. */
function theirs(sql: string): string {
  const bytes = Buffer.from(sql)
  const { offsets, types } = reader.tokenize(sql)
  return outline(
    offsets.map((at, index) => {
      const isWord = /[A-Za-z_"\x80-\xff]/.test(String.fromCharCode(bytes[at] ?? 0))
      return { at, kind: ['w', 'n', 's', '', isWord ? 'w' : ''][types[index] ?? 3] ?? '' }
    }),
  )
}

t.test('words, numbers and strings begin where DuckDB has them begin, or the text is refused', async (t) => {
  let read = 0
  fc.assert(
    fc.property(text, (sql) => {
      let tokens: readonly Token[]
      try {
        tokens = tokenize(sql)
      } catch (error) {
        return (error as { code?: string }).code === 'invalid_sql'
      }
      read++
      return ours(sql, tokens) === theirs(sql)
    }),
    { numRuns: 20_000 },
  )
  t.ok(read > 2_000, `${read} texts were read`)
})

t.test('tokens lie in order and hold all but blanks and comments', async () => {
  fc.assert(
    fc.property(text, (sql) => {
      let tokens: readonly Token[]
      try {
        tokens = tokenize(sql)
      } catch {
        return true
      }
      const ends = [0, ...tokens.map(({ end }) => end)]
      const gaps = [...tokens.map(({ start }) => start), sql.length].map((to, index) =>
        sql.slice(ends[index], to),
      )
      return gaps.every((gap) => /^(\s|--[^\n\r]*|\/\*.*\*\/)*$/s.test(gap))
    }),
  )
})

t.test('a comment holds comments', async (t) => {
  t.same(
    tokenize('SELECT/* a /* b */ "c */1--2').map((token) => token.text),
    ['SELECT', '1'],
  )
})

t.test('what cannot be read is refused with its place', async (t) => {
  const cases = [
    ["SELECT 'a", 'line 1, column 8: a quote is not closed'],
    ['SELECT "a', 'line 1, column 8: a quote is not closed'],
    ["SELECT\n  E'\\'", 'line 2, column 4: a quote is not closed'],
    ['SELECT $b$ $$', 'line 1, column 8: a $b$ quote is not closed'],
    ['SELECT 1 /* /* */', 'line 1, column 10: a comment is not closed'],
    ['SELECT ""', 'line 1, column 8: a name in quotes is empty'],
    ['SELECT $1', 'line 1, column 8: a statement has no parameters; write the values themselves'],
    ['SELECT ?', 'line 1, column 8: a statement has no parameters; write the values themselves'],
    ['SELECT 0x1F', 'line 1, column 9: a number runs into a name; put a space between them'],
    ['SELECT\u00a01', 'line 1, column 7: U+00A0 looks like a space; write a space, or quote the name'],
    ["SELECT E'a'\n'\\'", "line 2, column 1: a string follows an E'…' string; join the two with ||"],
    ['SELECT U&"a"', 'line 1, column 8: U& before a quote is not supported; write the characters themselves'],
    ['SELECT 1 --\0', 'line 1, column 12: a statement cannot hold U+0000'],
  ]
  for (const [sql = '', message] of cases) {
    t.throws(() => tokenize(sql), { code: 'invalid_sql', message: `sql, ${message}` }, JSON.stringify(sql))
  }
})
