import { didYouMean } from '../../../plan/nearest-name.ts'
import { isStatement, STATEMENT_WORDS } from '../grammar/parse-statement.ts'
import { invalidSql, isSign, type Token, tokenize, wordOf } from '../text/tokens.ts'
import { type AttachedPath, withAttachedPaths } from './attached-paths.ts'
import { checkNames, type KnownNames, type TableName } from './check-names.ts'
import { withNamedArguments } from './named-arguments.ts'
import { withOwnSchemas } from './own-schemas.ts'
import { withPlainCalls } from './plain-calls.ts'
import { readExplain } from './read-explain.ts'

/**
 * One query, as DuckDB is given it: without comments before and after it, without the semicolon at its end, with `:=` after the
 * names of arguments, with one name for each table of an attached catalog, with the schema of the service's own tables in place of
 * `information_schema`, and with the names of some functions in quotes.
 */
export interface Statement {
  readonly kind: 'query' | 'explain' | 'explain-analyze'
  /** Its text. That of an EXPLAIN is the query that it explains. */
  readonly text: string
  /** Where its text begins in the request, in UTF-16 units. */
  readonly start: number
  /** The tokens of `text`, with their positions in it. */
  readonly tokens: readonly Token[]
  /** The names that stand where a table may stand, each once, as they are written. Some may be those of common tables. */
  readonly tables: readonly TableName[]
}

/**
 * Reads the statement of a request, which must be one query that may run. It is checked by its tokens alone. The worker checks
 * what they do not tell: the kind of statement that DuckDB has prepared, and the operators of its plan. Throws `invalid_sql`
 * with line and column.
 */
export function readStatement(sql: string, names: KnownNames): Statement {
  const tokens = oneStatement(sql, tokenize(sql))
  const explained = readExplain(sql, tokens)
  const query = tokens.slice(explained?.length ?? 0)
  const [first] = query
  const last = query.at(-1)
  if (!first || !last) throw invalidSql(sql, sql.length, 'expected a query')
  requireQuery(sql, first)
  const main = wordOf(first) === 'WITH' ? afterCommonTables(query) : null
  if (main) requireQuery(sql, main)
  const paths: AttachedPath[] = []
  const tables = checkNames(sql, query, names, { onAttached: (path) => paths.push(path) })
  checkBrackets(sql, query)
  const sent = { text: sql.slice(first.start, last.end), tokens: movedBack(query, first.start) }
  const written = withAttachedPaths(sent, paths, names.catalog)
  const { text, tokens: named } = withNamedArguments(withPlainCalls(withOwnSchemas(written)), names.formats)
  return Object.freeze({ kind: explained?.kind ?? 'query', text, start: first.start, tokens: named, tables })
}

/** Where a position in the text of a statement is in the request from which it was read, in UTF-16 units. */
export function positionInRequest(sql: string, { start, tokens }: Statement, at: number): number {
  const index = tokens.findLastIndex((token) => token.start <= at)
  const token = tokens[index]
  // The text may have `:=` where the request has `=`, so the tokens before the position are what both have in common.
  const written = tokenize(sql).filter((each) => each.start >= start)[index]
  return token === undefined || written === undefined ? start + at : written.start + at - token.start
}

/** Tokens with positions that are less by `by`, for a text that begins so many characters later. */
function movedBack(tokens: readonly Token[], by: number): readonly Token[] {
  if (by === 0) return tokens
  return tokens.map((token) => ({ ...token, start: token.start - by, end: token.end - by }))
}

/** The tokens without a semicolon at the end. Throws `invalid_sql` if there are others behind the semicolon. */
function oneStatement(sql: string, tokens: readonly Token[]): readonly Token[] {
  const end = tokens.findIndex((token) => isSign(token, ';'))
  if (end === -1) return tokens
  const after = tokens[end + 1]
  if (after) throw invalidSql(sql, after.start, 'expected one statement, found more after the semicolon')
  return tokens.slice(0, end)
}

const QUERY_WORDS = ['SELECT', 'WITH', 'VALUES', 'FROM']

function requireQuery(sql: string, first: Token): void {
  if (isSign(first, '(') || QUERY_WORDS.includes(wordOf(first) ?? '')) return
  const word = wordOf(first) ?? first.text
  if (word === '/' || word === '#') throw invalidSql(sql, first.start, 'a comment begins with --')
  throw invalidSql(
    sql,
    first.start,
    `only queries are run: SELECT, WITH, VALUES, FROM, EXPLAIN; found ${word}${hintFor(word)}`,
  )
}

/** Statements that are not run, and what to write instead of them. */
const INSTEAD: readonly (readonly [words: readonly string[], instead: string])[] = [
  [['USE'], 'FROM list_datasets() lists the files'],
  [
    ['COPY', 'EXPORT', 'IMPORT', 'MERGE', 'TRUNCATE'],
    'files and tables are only read; rows leave by "output" beside "sql"',
  ],
  [['PIVOT', 'UNPIVOT'], "FROM (PIVOT t ON kind IN ('a', 'b') USING count(*)) is a query"],
  [['ANALYZE'], 'ANALYZE FILES is a statement of its own'],
  [['INSTALL', 'LOAD', 'PRAGMA', 'RESET', 'SET'], 'extensions and settings are those of the service'],
]

/** The end of a message about a word that begins no query: what is meant or what to do, if that is known. */
function hintFor(word: string): string {
  const instead = isStatement(word)
    ? 'it begins a statement of its own, which is no part of another one'
    : INSTEAD.find(([words]) => words.includes(word))?.[1]
  return instead === undefined
    ? didYouMean(word, [...QUERY_WORDS, 'EXPLAIN', ...STATEMENT_WORDS])
    : `; ${instead}`
}

/** The first token after the tables that WITH defines. Null: there is none. */
function afterCommonTables(query: readonly Token[]): Token | null {
  let depth = 0
  for (const [index, token] of query.entries()) {
    if (isSign(token, '(')) depth++
    if (!isSign(token, ')') || --depth !== 0) continue
    const next = query[index + 1]
    // Otherwise these were the names of a table's columns, or the definition of another table follows.
    if (next && !isSign(next, ',') && wordOf(next) !== 'AS' && wordOf(next) !== 'USING') return next
  }
  return null
}

const CLOSING: Readonly<Record<string, string>> = Object.freeze({ '(': ')', '[': ']', '{': '}' })
const CLOSERS = ')]}'

/**
 * Refuses a query in which a bracket is not closed, or closes none. DuckDB's parser would refuse it too, but only where it meets the
 * next word that cannot follow, or with no place at the end. Throws `invalid_sql`.
 */
function checkBrackets(sql: string, tokens: readonly Token[]): void {
  const open: Token[] = []
  for (const token of tokens) {
    if (token.kind !== 'sign') continue
    if (token.text in CLOSING) open.push(token)
    else if (CLOSERS.includes(token.text) && CLOSING[open.pop()?.text ?? ''] !== token.text)
      throw invalidSql(sql, token.start, `"${token.text}" closes no bracket`)
  }
  const last = open.at(-1)
  if (last !== undefined) throw invalidSql(sql, last.start, `"${last.text}" is not closed`)
}
