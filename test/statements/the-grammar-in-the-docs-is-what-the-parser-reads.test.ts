import t from 'tap'
import type { StatementNode } from '../../src/main/sql/grammar/node.ts'
import { parseStatement } from '../../src/main/sql/grammar/parse-statement.ts'
import { printStatement } from '../../src/main/sql/grammar/print-statement.ts'
import { isName } from '../../src/main/sql/text/keywords.ts'
import { isServiceError } from '../../src/plan/errors.ts'
import { fc } from '../support/generate.ts'
import { anyQuery } from './any-query.ts'
import { derived, ends, readGrammar } from './grammar.ts'

const grammar = readGrammar()

/** Tokens that stand for what no rule defines: some that are easily mistaken for something else. */
const NAMES = ['obs', 'Obs', 'if', 'exists', 'values', 'größe', '"a b"', '"say ""x"""', '"select"', '"--"']
const BARE = ['parquet', 'csv', 'bigint', 'timestamp', 'double', 'precision', 'zone']
const TEXTS = ["'obs/*.parquet'", "''", "'it''s'", "'--'", "'/*'", "';'"]
const NUMBERS = ['0', '2', '10']
const QUERIES = [
  'SELECT 1',
  'FROM t',
  'VALUES ( 1 )',
  '( SELECT 1 )',
  "WITH a AS ( FROM t ) FROM a WHERE b = ';'",
]
const CALLS = ["read_csv ( 'a.csv' )", '"range" ( 3 ) AS t', "repeat ( ';' , 2 )"]

const one = (...texts: readonly string[]): fc.Arbitrary<readonly string[]> =>
  fc.constantFrom(...texts).map((text) => [text])

const WORDS = {
  name: one(...NAMES, ...BARE),
  word: one(...BARE),
  any_word: one(...BARE, 'true', 'null', 'select'),
  text: one(...TEXTS),
  quoted: one('"a b"', '"select"'),
  number: one(...NUMBERS),
  any_number: one(...NUMBERS, '1.5', '1e3', '1_000'),
  query: fc.constantFrom(...QUERIES).map((query) => query.split(' ')),
  call: fc.constantFrom(...CALLS).map((call) => call.split(' ')),
}

const isBare = (token: string | undefined): token is string => /^[\p{L}_]/u.test(token ?? '')
const oneIf = (matches: (token: string) => boolean) => (tokens: readonly string[], at: number) =>
  tokens[at] !== undefined && matches(tokens[at]) ? [at + 1] : []

/** Where what no rule defines ends. */
const ENDS = {
  name: oneIf((token) => token.startsWith('"') || (isBare(token) && isName(token))),
  word: oneIf((token) => isBare(token) && isName(token)),
  any_word: oneIf(isBare),
  text: oneIf((token) => token.startsWith("'")),
  quoted: oneIf((token) => token.startsWith('"')),
  number: oneIf((token) => /^\d+$/.test(token)),
  any_number: oneIf((token) => /^\d/.test(token)),
  query(tokens: readonly string[], at: number) {
    const semicolon = tokens.indexOf(';', at)
    const end = semicolon === -1 ? tokens.length : semicolon
    const isQuery = /^(\(|SELECT|WITH|FROM|VALUES \()( |$)/i.test(tokens.slice(at, end).join(' '))
    return isQuery ? [end] : []
  },
  call(tokens: readonly string[], at: number) {
    const semicolon = tokens.indexOf(';', at)
    const isCall = ENDS.name(tokens, at).length > 0 && tokens[at + 1] === '('
    return isCall ? [semicolon === -1 ? tokens.length : semicolon] : []
  },
}

const statement = derived(grammar, 'statement', WORDS)
const blank = fc.constantFrom(' ', '\n', '\t', ' /* a */ ', ' -- b\n')

/** The tokens as one text, with these blanks between them. */
function written(tokens: readonly string[], blanks: readonly string[]): string {
  return tokens.map((token, index) => `${token}${blanks[index % blanks.length] ?? ' '}`).join('')
}

/** A change that mostly makes something of a statement that is none. */
const edit = fc.tuple(
  fc.nat(),
  fc.constantFrom('remove', 'repeat', 'exchange', 'replace', 'insert'),
  fc.oneof(
    statement.map((tokens) => tokens.at(-1) ?? ''),
    fc.constantFrom(...'( ) , ; . [ ] AS OR NOT TABLE VIEW WITH FROM LIKE = 1 1.5 obs'.split(' '), ...TEXTS),
  ),
)

function edited(tokens: readonly string[], [where, how, token]: [number, string, string]): readonly string[] {
  const at = where % (tokens.length + 1)
  switch (how) {
    case 'remove':
      return tokens.toSpliced(at, 1)
    case 'repeat':
      return tokens.toSpliced(at, 0, ...tokens.slice(at, at + 1))
    case 'exchange':
      return tokens.toSpliced(at, 2, ...tokens.slice(at, at + 2).toReversed())
    case 'replace':
      return tokens.toSpliced(at, 1, token)
    default:
      return tokens.toSpliced(at, 0, token)
  }
}

/** The node of a statement. Null: it is no statement. Undefined: the grammar does not tell, because something is given twice. */
function parsed(sql: string): StatementNode | null | undefined {
  try {
    return parseStatement(sql, anyQuery)
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'invalid_sql') throw error
    return error.message.includes('is given twice') ? undefined : null
  }
}

t.test('what the grammar derives is parsed, and printed as what is parsed to the same node', async () => {
  fc.assert(
    fc.property(statement, fc.array(blank, { minLength: 1, maxLength: 5 }), (tokens, blanks) => {
      const node = parsed(written(tokens, blanks))
      if (node === undefined) return
      if (node === null) throw new Error('not parsed')
      const printed = printStatement(node)
      const again = parseStatement(printed, anyQuery)
      if (JSON.stringify(again) !== JSON.stringify(node)) throw new Error(`printed as ${printed}`)
      if (printStatement(again) !== printed) throw new Error(`not printed the same: ${printed}`)
    }),
    { numRuns: 3000 },
  )
})

t.test('what the grammar does not derive is refused', async (t) => {
  let refused = 0
  fc.assert(
    fc.property(statement, fc.array(edit, { minLength: 1, maxLength: 2 }), (tokens, edits) => {
      const changed = edits.reduce(edited, tokens)
      const node = parsed(changed.join(' '))
      if (node === undefined) return
      const isDerived = ends(grammar, 'statement', changed, 0, ENDS).has(changed.length)
      const isParsed = node !== null && node.kind !== 'later'
      if (isDerived !== isParsed) throw new Error(isDerived ? 'derived, not parsed' : 'parsed, not derived')
      if (!isParsed) refused++
    }),
    { numRuns: 5000 },
  )
  t.ok(refused > 1000, `${refused} of 5000 were refused`)
})

t.test('each rule of the grammar is reached from its first', async (t) => {
  const text = JSON.stringify([...grammar])
  for (const name of [...grammar.keys()].slice(1)) t.ok(text.includes(`"text":"${name}"`), name)
  const known = new Set([...grammar.keys(), ...Object.keys(WORDS)])
  for (const [, name = ''] of text.matchAll(/"kind":"reference","text":"(\w+)"/g)) t.ok(known.has(name), name)
})
