import { alternatives } from '../../../plan/alternatives.ts'
import type { ServiceError } from '../../../plan/errors.ts'
import type { Formats } from '../../../plan/format/create-formats.ts'
import {
  isInternalFunction,
  isSystemQualifier,
  isSystemRelation,
  isSystemSchema,
  isTableFunction,
} from './forbidden.ts'
import { invalidSql, isSign, type Token, wordOf } from './tokens.ts'

/** The tokens in one pair of brackets, or those in none. */
interface Group {
  /** Whether FROM begins a clause here. Otherwise it is part of a call, as in `extract(year FROM time)`. */
  isQuery: boolean
  /** Whether the current token is in a FROM clause, where a table follows a comma. */
  isFromOpen: boolean
}

/** One name, or several that are joined by dots. */
interface Path {
  /** The first of the names. */
  readonly root: string
  /** Whether it is one name. */
  readonly isAlone: boolean
  /** Whether it stands where a table is expected. */
  readonly isTable: boolean
}

const PIVOTS = ['PIVOT', 'PIVOT_LONGER', 'PIVOT_WIDER', 'UNPIVOT']
/** Words that end a FROM clause. */
const AFTER_FROM = [
  ...['EXCEPT', 'GROUP', 'HAVING', 'INTERSECT', 'LIMIT', 'OFFSET', 'ORDER', 'QUALIFY', 'SELECT', 'UNION'],
  ...['VALUES', 'WHERE', 'WINDOW'],
]
const KEYWORDS = new Set([
  ...AFTER_FROM,
  ...PIVOTS,
  ...['AS', 'DISTINCT', 'FROM', 'JOIN', 'LATERAL', 'ONLY', 'TABLE', 'WITH'],
])
/** Words that begin a query in brackets. */
const QUERY_STARTS = new Set([...PIVOTS, 'FROM', 'SELECT', 'TABLE', 'VALUES', 'WITH'])
/** Reserved words. At the beginning of brackets they make a table of what DuckDB's catalog contains. */
const SHOWS = new Set(['DESC', 'DESCRIBE', 'SHOW', 'SUMMARIZE'])

/** The deepest nesting of brackets. DuckDB's parser gives up at about as many. */
const MOST_NESTED = 1_000

/**
 * Refuses a query that names something which queries may not use: DuckDB's own catalog and settings, a file by its path
 * without a function, and table functions other than those allowed. A name is checked wherever DuckDB may read it as a
 * function, a schema or a table. Columns may have any name. Where the tokens do not tell whether a name is a column or a table,
 * it is checked as a table. Throws `invalid_sql`.
 */
export function checkNames(sql: string, tokens: readonly Token[], formats: Formats): void {
  const groups: Group[] = []
  let group: Group = { isQuery: true, isFromOpen: false }
  let keyword = null as string | null
  let path = null as Path | null
  let isTableNext = false

  let index = 0
  for (const token of tokens) {
    const previous = tokens[index - 1]
    const next = tokens[++index]
    const isMember = isSign(previous, '.')
    const before = keyword
    // A word after a dot or AS is a name, even if it is a keyword elsewhere.
    keyword = isMember || before === 'AS' ? null : keywordOf(token, next)
    if (keyword !== null) {
      isTableNext = afterKeyword(keyword, before, previous, group, isTableNext)
      path = null
    } else if (token.kind === 'word' || token.kind === 'quoted') {
      path =
        isMember && path !== null
          ? { ...path, isAlone: false }
          : { root: token.text, isAlone: !isMember, isTable: isTableNext }
      checkName(sql, token, next, path, formats)
      isTableNext = false
    } else if (token.kind === 'string') {
      if (isTableNext || isMember) throw bareFile(sql, token, formats)
      path = null
    } else {
      switch (token.kind === 'sign' ? token.text : '') {
        case '(':
          if (SHOWS.has(wordOf(next) ?? '')) throw notAvailable(sql, next ?? token)
          if (groups.length === MOST_NESTED) {
            throw invalidSql(sql, token.start, `brackets are nested more than ${MOST_NESTED} deep`)
          }
          groups.push(group)
          group = { isQuery: isTableNext || startsQuery(next), isFromOpen: isTableNext }
          break
        case '[':
        case '{':
          groups.push(group)
          group = { isQuery: false, isFromOpen: false }
          isTableNext = false
          break
        case ')':
        case ']':
        case '}':
          group = groups.pop() ?? group
          isTableNext = false
          break
        case ',':
          isTableNext = group.isFromOpen
          break
        case ':':
          // In `FROM alias: table` a table follows the colon.
          isTableNext = path?.isTable ?? false
          break
        default:
          isTableNext = false
      }
      if (!isSign(token, '.')) path = null
    }
  }
}

function keywordOf(token: Token, next: Token | undefined): string | null {
  const word = wordOf(token)
  if (word === null || !KEYWORDS.has(word)) return null
  // VALUES is not reserved: without brackets behind it, it is the name of a table.
  return word === 'VALUES' && !isSign(next, '(') ? null : word
}

function startsQuery(token: Token | undefined): boolean {
  return isSign(token, '(') || QUERY_STARTS.has(wordOf(token) ?? '')
}

/** Whether a table may follow the keyword. Updates `group` if the keyword begins or ends its FROM clause. */
function afterKeyword(
  word: string,
  before: string | null,
  previous: Token | undefined,
  group: Group,
  isTableNext: boolean,
): boolean {
  const isFirst = previous === undefined || isSign(previous, '(')
  switch (word) {
    case 'FROM':
      // IS DISTINCT FROM is a comparison.
      if (!group.isQuery || before === 'DISTINCT') return false
      group.isFromOpen = true
      return true
    case 'JOIN':
    case 'TABLE':
      return true
    case 'LATERAL':
    case 'ONLY':
      return isTableNext
    case 'WITH':
      // Elsewhere it is part of WITH ORDINALITY, which follows a table.
      if (isFirst) group.isFromOpen = false
      return false
  }
  // A table follows in `PIVOT t ON …`, but not in `FROM t PIVOT (…)`.
  if (PIVOTS.includes(word)) return isFirst || !group.isFromOpen
  if (AFTER_FROM.includes(word)) group.isFromOpen = false
  if (word === 'SELECT') group.isQuery = true
  return false
}

function checkName(sql: string, token: Token, next: Token | undefined, path: Path, formats: Formats): void {
  const name = token.text
  if (isSign(next, '.')) {
    if (isSystemSchema(name)) throw notAvailable(sql, token)
  } else if (!isSign(next, '(')) {
    if (path.isTable && isSystemRelation(name)) throw notAvailable(sql, token)
    // The worker resolves a table by its last name alone, so that names before it would be ignored.
    if (path.isTable && !path.isAlone) throw notAlone(sql, token, formats)
  } else if (path.isTable) {
    if (!path.isAlone || !isTableFunction(name, formats)) throw notAFunction(sql, token, formats)
  } else if (isInternalFunction(name) && !isTableFunction(name, formats)) {
    throw notAvailable(sql, token)
  } else if (!path.isAlone && isSystemQualifier(path.root)) {
    throw invalidSql(sql, token.start, `a function is called by its name alone, ${name}(…)`)
  }
}

function notAvailable(sql: string, token: Token): ServiceError {
  return invalidSql(
    sql,
    token.start,
    `"${token.text}" is not available to queries; FROM list_datasets() lists the files, FROM read_parquet_schema('…') their columns`,
  )
}

/** A table function that is not there. It says by which functions files are read. */
function notAFunction(sql: string, token: Token, { rows, functions }: Formats): ServiceError {
  const name = token.text.toLowerCase()
  const unread = rows.find((row) => row.functions.includes(name) && !row.isRead)
  const why =
    unread === undefined
      ? 'is not available to queries'
      : `is for ${unread.title}, which this version does not read`
  const known = alternatives([...functions.keys()])
  return invalidSql(sql, token.start, `"${token.text}" ${why}; files are read by ${known}`)
}

/** A table behind a name and a dot. If the last name is an extension, it is the name of a file without quotes. */
function notAlone(sql: string, token: Token, formats: Formats): ServiceError {
  const reader = readerOf(`.${token.text}`, formats)
  const what =
    reader === null
      ? `a table is called by its name alone, ${token.text}`
      : `a file is read by its function, with its path in single quotes: ${reader}('….${token.text}')`
  return invalidSql(sql, token.start, what)
}

function bareFile(sql: string, token: Token, formats: Formats): ServiceError {
  const reader = readerOf(token.text.replace(/'$/, ''), formats)
  const [first = '', ...others] = reader === null ? formats.functions.keys() : [reader]
  const calls = alternatives([`FROM ${first}(${token.text})`, ...others])
  return invalidSql(sql, token.start, `a file is read by its function: ${calls}`)
}

/** The function that reads files of this name, by its extension. Null: the name does not tell. */
function readerOf(path: string, formats: Formats): string | null {
  const row = formats.ofName(path)?.row
  return row?.isRead ? (row.functions[0] ?? null) : null
}
