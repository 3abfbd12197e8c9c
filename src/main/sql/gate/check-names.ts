import { alternatives } from '../../../plan/alternatives.ts'
import type { ServiceError } from '../../../plan/errors.ts'
import type { Formats } from '../../../plan/format/create-formats.ts'
import { foldSqlName } from '../../../plan/statement/statement.ts'
import type { WrittenName } from '../grammar/node.ts'
import { printIdentifier } from '../text/keywords.ts'
import { invalidSql, isSign, type Token, wordOf } from '../text/tokens.ts'
import { attachedNameOf, readAttachedName } from './attached-name.ts'
import type { AttachedPath } from './attached-paths.ts'
import {
  isInternalFunction,
  isSystemQualifier,
  isSystemRelation,
  isSystemSchema,
  isTableFunction,
} from './forbidden.ts'
import { isServiceTable, readTableName, serviceTables } from './table-name.ts'

/** The tokens in one pair of brackets, or those in none. */
interface Group {
  /** Whether FROM begins a clause here. Otherwise it is part of a call, as in `extract(year FROM time)`. */
  isQuery: boolean
  /** Whether the current token is in a FROM clause, where a table follows a comma. */
  isFromOpen: boolean
  /** The common tables that its WITH has defined so far. Null: there is none. */
  common: CommonTables | null
}

/** The tables that a WITH defines. They are seen behind their own definitions, in all brackets there. */
interface CommonTables {
  /** In lower case. */
  readonly names: string[]
  /** What comes next: the name of a table or its definition. Null: all are defined. */
  expects: 'name' | 'definition' | null
  /** The name that is being defined. */
  name: string
}

/** A name that stands where a table may stand. */
export interface TableName extends WrittenName {
  /** It is that of a common table there. Absent: only DuckDB knows. */
  readonly isCommon?: true
}

/** Is told of names in a query as they are read. */
export interface NamesObserver {
  /** A table of an attached catalog. */
  onAttached?(path: AttachedPath): void
  /** A name that stands where a table may stand, with the indexes of its first and its last token. */
  onTable?(table: TableName, first: number, last: number): void
  /** The name of a common table that has been defined, in lower case. */
  onCommon?(name: string): void
}

/** One name, or several that are joined by dots. */
interface Path {
  readonly parts: Token[]
  /** Whether the first of them stands behind a dot, as in `f(x).y`. */
  readonly isMember: boolean
  /** Whether it stands where a table is expected. */
  readonly isTable: boolean
}

/** What names are checked by. */
export interface KnownNames {
  readonly formats: Formats
  /** The name of the catalog, in lower case. */
  readonly catalog: string
  /** Whether a catalog of this name, in lower case, is attached. Absent: none is. */
  readonly isAttached?: (name: string) => boolean
}

/** Any catalog may be attached: for queries of views, which have been checked when they were made. */
export const ANY_ATTACHED = (): boolean => true

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
 *
 * Returns the names of tables, each once, as they are written. A name may be that of a common table: only DuckDB knows. For one in an attached
 * catalog stands one name, and the observer gets its place.
 */
export function checkNames(
  sql: string,
  tokens: readonly Token[],
  names: KnownNames,
  observer: NamesObserver = {},
): readonly TableName[] {
  const tables = new Map<string, TableName>()
  const groups: Group[] = []
  let group: Group = { isQuery: true, isFromOpen: false, common: null }
  let keyword = null as string | null
  let path = null as Path | null
  let isTableNext = false
  const seen = commonNames()

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
      if (keyword !== 'WITH' && group.common?.expects === 'name') group.common.expects = null
      path = null
    } else if (token.kind === 'word' || token.kind === 'quoted') {
      if (isMember && path !== null) path.parts.push(token)
      else path = { parts: [token], isMember, isTable: isTableNext }
      const table = checkName(sql, token, next, path, names)
      if (table !== null) {
        const parts = path.parts.length
        const [first, last] = [index - 2 * parts + 1, index - 1]
        if (parts > 1 && readAttachedName(table.name) !== null)
          observer.onAttached?.({ first, last, name: table.name })
        const isCommon = table.schema === null && seen.has(foldSqlName(table.name))
        const named = isCommon ? { ...table, isCommon: true as const } : table
        tables.set(JSON.stringify(named), named)
        observer.onTable?.(named, first, last)
      }
      if (group.common !== null) beginDefinition(group.common, token, next)
      isTableNext = false
    } else if (token.kind === 'string') {
      if (isTableNext || isMember) throw bareFile(sql, token, names.formats)
      path = null
    } else {
      switch (token.kind === 'sign' ? token.text : '') {
        case '(':
          if (SHOWS.has(wordOf(next) ?? '')) throw notAvailable(sql, next ?? token)
          if (groups.length === MOST_NESTED) {
            throw invalidSql(sql, token.start, `brackets are nested more than ${MOST_NESTED} deep`)
          }
          groups.push(group)
          group = { isQuery: isTableNext || startsQuery(next), isFromOpen: isTableNext, common: null }
          break
        case '[':
        case '{':
          groups.push(group)
          group = { isQuery: false, isFromOpen: false, common: null }
          isTableNext = false
          break
        case ')':
        case ']':
        case '}':
          for (const name of group.common?.names ?? []) seen.remove(name)
          group = groups.pop() ?? group
          if (group.common !== null && endsDefinition(group.common, next)) {
            seen.add(group.common.name)
            observer.onCommon?.(group.common.name)
          }
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
  return [...tables.values()]
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
      if (isFirst) {
        group.isFromOpen = false
        group.common = { names: [], expects: 'name', name: '' }
      }
      return false
  }
  if (PIVOTS.includes(word)) {
    // Of `(PIVOT t ON a USING sum(b), count(*))`, one table is read, which may be joined. What follows its commas is none.
    if (isFirst) group.isFromOpen = false
    // A table follows in `PIVOT t ON …`, but not in `FROM t PIVOT (…)`.
    return !group.isFromOpen
  }
  if (AFTER_FROM.includes(word)) group.isFromOpen = false
  if (word === 'SELECT') group.isQuery = true
  return false
}

/** Begins the definition of a common table, if this is the name of one. */
function beginDefinition(common: CommonTables, token: Token, next: Token | undefined): void {
  if (common.expects !== 'name') return
  const isName = isSign(next, '(') || wordOf(next) === 'AS' || wordOf(next) === 'USING'
  if (wordOf(token) === 'RECURSIVE' && !isName) return
  common.name = foldSqlName(token.text)
  common.expects = 'definition'
}

/** Ends a definition behind its brackets, unless these have the names of its columns. Returns whether it has ended. */
function endsDefinition(common: CommonTables, next: Token | undefined): boolean {
  const word = wordOf(next)
  if (common.expects !== 'definition' || word === 'AS' || word === 'USING') return false
  common.names.push(common.name)
  common.expects = isSign(next, ',') ? 'name' : null
  return true
}

/** The names of common tables that are seen at the current token, in lower case. Several brackets may define the same one. */
function commonNames() {
  const counts = new Map<string, number>()
  const change = (name: string, by: number): void => {
    const count = (counts.get(name) ?? 0) + by
    if (count > 0) counts.set(name, count)
    else counts.delete(name)
  }
  return {
    has: (name: string): boolean => counts.has(name),
    add: (name: string): void => change(name, 1),
    remove: (name: string): void => change(name, -1),
  }
}

/** Checks the last name of a path so far. Returns the path if it is a table's. */
function checkName(
  sql: string,
  token: Token,
  next: Token | undefined,
  { parts, isMember, isTable }: Path,
  { formats, catalog, isAttached = NONE_ATTACHED }: KnownNames,
): WrittenName | null {
  const name = token.text
  const isUnqualified = parts.length === 1 && !isMember
  if (isSign(next, '.')) {
    // The parts of a table's name are read at its end.
    if (!isTable && isSystemSchema(name)) throw notAvailable(sql, token)
  } else if (!isSign(next, '(')) {
    if (!isTable) return null
    if (isMember || isSystemRelation(name)) throw notAvailable(sql, token)
    // Rights are checked when it is bound. It is made when an engine starts, and never changes.
    if (isServiceTable(parts, catalog)) return null
    const attached = attachedIn(parts, { formats, catalog, isAttached })
    if (attached !== null) return { catalog: null, schema: null, name: attached }
    return readTableName(parts, catalog, () => notHere(sql, token, parts, { formats, catalog }))
  } else if (isTable) {
    if (!isUnqualified || !isTableFunction(name, formats)) throw notAFunction(sql, token, formats)
  } else if (isInternalFunction(name) && !isTableFunction(name, formats)) {
    throw notAvailable(sql, token)
  } else if (!isUnqualified && isSystemQualifier(parts[0]?.text ?? '')) {
    throw invalidSql(sql, token.start, `a function is called by its name alone, ${name}(…)`)
  }
  return null
}

const NONE_ATTACHED = (): boolean => false

/** The name that stands for a table of an attached catalog. Null: the parts name none. */
function attachedIn(
  parts: readonly Token[],
  { catalog, isAttached = NONE_ATTACHED }: KnownNames,
): string | null {
  const [name, schema = null, database = null, ...others] = parts.map(({ text }) => text).reverse()
  if (name === undefined || others.length > 0) return null
  return attachedNameOf({ catalog: database, schema, name }, catalog, isAttached)
}

function notAvailable(sql: string, token: Token): ServiceError {
  return invalidSql(
    sql,
    token.start,
    `"${token.text}" is not available to queries; FROM list_datasets() lists the files, FROM read_parquet_schema('…') their columns`,
  )
}

/** A table function that is not there. It says by which functions files are read. */
function notAFunction(sql: string, token: Token, { functions }: Formats): ServiceError {
  const functionNames = alternatives([...functions.keys()])
  return invalidSql(
    sql,
    token.start,
    `"${token.text}" is not available to queries; files are read by ${functionNames}`,
  )
}

/** A table of another schema or catalog. If the last name is an extension, it is the name of a file without quotes. */
function notHere(
  sql: string,
  token: Token,
  parts: readonly Token[],
  { formats, catalog }: KnownNames,
): ServiceError {
  const hidden = parts.find(({ text }) => isSystemSchema(text))
  if (hidden !== undefined) return notAvailable(sql, hidden)
  const serviceNames = serviceTables(parts, catalog)
  if (serviceNames.length > 0)
    return invalidSql(sql, token.start, `there is no such table there; write ${alternatives(serviceNames)}`)
  const reader = readerOf(`.${token.text}`, formats)
  if (reader !== null)
    return invalidSql(
      sql,
      token.start,
      `a file is read by its function, with its path in single quotes: ${reader}('….${token.text}')`,
    )
  const [name, ...schemas] = parts.map(({ text }) => printIdentifier(text)).reverse()
  return invalidSql(
    sql,
    token.start,
    `there are no tables in ${schemas.reverse().join('.')}; write ${name}, public.${name} or ${printIdentifier(catalog)}.public.${name}`,
  )
}

function bareFile(sql: string, token: Token, formats: Formats): ServiceError {
  const reader = readerOf(token.text.replace(/'$/, ''), formats)
  const [first = '', ...others] = reader === null ? formats.functions.keys() : [reader]
  const calls = alternatives([`FROM ${first}(${token.text})`, ...others])
  return invalidSql(sql, token.start, `a file is read by its function: ${calls}`)
}

/** The function that reads files of this name, by its extension. Null: the name does not tell. */
function readerOf(path: string, formats: Formats): string | null {
  return formats.ofName(path)?.row.functions[0] ?? null
}
