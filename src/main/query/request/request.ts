import type { Formats } from '../../../plan/format/create-formats.ts'
import { parseDecimal } from '../../json/decimal.ts'
import { numberSource } from '../../json/json.ts'
import {
  at,
  checkMembers,
  describe,
  isObject,
  type Members,
  readArray,
  readMembers,
  readSpelling,
  readText,
  reject,
} from '../../json/shape.ts'
import type { Filter } from './filters/filter.ts'
import { readFilters } from './filters/read-filters.ts'
import { type From, readFrom } from './from.ts'
import { rejectOtherWords } from './other-words.ts'
import { type Output, readOutput } from './output/output.ts'
import { readSelect, type SelectEntry } from './select.ts'

/** A request in either form, checked against the language (docs/reference/json-language.md) but not against any file. */
export type QueryRequest = SqlRequest | JsonRequest

interface SqlRequest {
  readonly kind: 'sql'
  readonly sql: string
  /** Null: the answer is an Arrow IPC stream. */
  readonly output: Output | null
}

/** Its members are evaluated in this order: from, select, filters, sort_by, distinct, offset and limit. */
export interface JsonRequest {
  readonly kind: 'json'
  readonly select: readonly SelectEntry[]
  /** A row must pass all of them. */
  readonly filters: readonly Filter[]
  readonly from: From
  /** The preset of the table whose filters it has besides. Absent: none. */
  readonly preset?: string
  readonly sortBy: readonly SortKey[]
  readonly distinct: Distinct | null
  readonly offset: number
  /** Infinity: there is no limit. */
  readonly limit: number
  readonly output: Output | null
}

/** Keeps one row for each combination of values of `on`, with the columns of `select`. */
interface Distinct {
  readonly on: readonly SelectEntry[]
  readonly select: readonly SelectEntry[]
}

/** The members of each form, in the order in which a normalised request lists them. */
export const SQL_KEYS = ['sql', 'output'] as const
export const JSON_KEYS = [
  'select',
  'filter',
  'filters',
  'from',
  'sort_by',
  'distinct',
  'offset',
  'limit',
  'output',
] as const

/** The member that names a preset. A normalised request has it only if the request has. */
export const PRESET = 'preset'

/** The spellings of `select`. */
export const SELECT = ['select', 'query_parameters']

/** All members of the form in JSON. */
const KNOWN: readonly string[] = [...new Set([...SELECT, ...JSON_KEYS, PRESET])]

/**
 * Reads a request, of the whole language.
 * `value` is what `parseJson` returns. Throws `invalid_query` with the JSON path of the offending member.
 */
export function parseRequest(value: unknown, formats: Formats): QueryRequest {
  const members = readMembers(value, '')
  return members.has('sql') ? parseSql(members) : parseJsonForm(members, formats)
}

function parseSql(members: Members): SqlRequest {
  for (const key of members.keys()) {
    if (key !== 'sql' && key !== 'output')
      reject(key, 'next to "sql" only "output" is allowed; the rest is part of the statement, as LIMIT is')
  }
  const sql = readText(members.get('sql'), 'sql')
  if (sql.trim() === '') reject('sql', 'expected a statement')
  return Object.freeze({ kind: 'sql', sql, output: readOptionalOutput(members) })
}

function parseJsonForm(members: Members, formats: Formats): JsonRequest {
  rejectOtherWords(members)
  checkMembers(members, KNOWN, '')
  const from = readFrom(members.get('from'), 'from', formats)
  const preset = members.has(PRESET) ? readText(members.get(PRESET), PRESET) : null
  if (preset !== null && from.kind === 'files')
    reject(PRESET, 'files have no presets; "from" has to name a table that has them')
  const distinct = members.has('distinct') ? readDistinct(members.get('distinct'), 'distinct') : null
  return Object.freeze({
    kind: 'json',
    select: readSelectOf(members, distinct),
    filters: readFilters(members.get('filter'), members.get('filters')),
    from,
    ...(preset !== null && { preset }),
    sortBy: members.has('sort_by') ? readSortBy(members.get('sort_by'), 'sort_by') : Object.freeze([]),
    distinct,
    offset: members.has('offset') ? readRowCount(members.get('offset'), 'offset') : 0,
    limit: members.has('limit') ? readRowCount(members.get('limit'), 'limit') : Number.POSITIVE_INFINITY,
    output: readOptionalOutput(members),
  })
}

/** The columns of the answer: without `select` they are those of `distinct.select` (docs/reference/json-language.md). */
function readSelectOf(members: Members, distinct: Distinct | null): readonly SelectEntry[] {
  const select = readSpelling(members, SELECT, '')
  if (select !== null) return readSelect(select.value, select.key)
  if (distinct !== null) return distinct.select
  return reject(
    '',
    'expected a query: an object with "select", as in {"select": ["time"], "from": {"parquet": {"paths": ["…"]}}}, or with "sql"',
  )
}

function readDistinct(value: unknown, path: string): Distinct {
  if (!isObject(value)) {
    const describeFound = `found ${describe(value)}`
    reject(
      path,
      `expected an object, as in {"on": ["platform"], "select": ["platform", "time"]}, ${describeFound}`,
    )
  }
  const members = readMembers(value, path)
  checkMembers(members, ['on', 'select'], path)
  return Object.freeze({
    on: readSelect(members.get('on'), at(path, 'on')),
    select: readSelect(members.get('select'), at(path, 'select')),
  })
}

/**
 * Reads a number of rows. A greater one than a 64-bit float counts exactly is accepted and capped: no source has so many.
 */
function readRowCount(value: unknown, path: string): number {
  const source = numberSource(value)
  const decimal = source === null ? null : parseDecimal(source)
  if (decimal === null || decimal.negative || decimal.exponent < 0) {
    reject(
      path,
      `expected an integer of 0 or more${typeof value === 'string' ? ' without quotes' : ''}, found ${describe(value)}`,
    )
  }
  return Math.min(Number(source), Number.MAX_SAFE_INTEGER)
}

function readOptionalOutput(members: Members): Output | null {
  return members.has('output') ? readOutput(members.get('output'), 'output') : null
}

interface SortKey {
  readonly column: string
  readonly direction: 'asc' | 'desc'
}

/** Reads `sort_by` (docs/reference/json-language.md). The most significant key comes first. */
function readSortBy(value: unknown, path: string): readonly SortKey[] {
  if (typeof value === 'string') reject(path, `expected an array; write [${keyOf(value)}]`)
  return readArray(value, path, readSortKey)
}

function readSortKey(value: unknown, path: string): SortKey {
  if (typeof value === 'string') reject(path, `expected an object; write ${keyOf(value)}`)
  const [entry, ...others] = readMembers(value, path)
  if (entry === undefined || others.length > 0 || (entry[0] !== 'Asc' && entry[0] !== 'Desc')) {
    reject(path, 'expected exactly one member, "Asc" or "Desc", with a column name, as in {"Desc": "time"}')
  }
  const [key, column] = entry
  return Object.freeze({
    column: readText(column, at(path, key)),
    direction: key === 'Asc' ? 'asc' : 'desc',
  })
}

/** A key as it has to be written, of one that is written as a text: `temp`, `-temp` or `temp desc`. */
function keyOf(text: string): string {
  const {
    minus,
    column = text,
    order,
  } = /^(?<minus>-?)(?<column>.+?)(?:\s+(?<order>asc|desc))?$/i.exec(text)?.groups ?? {}
  const isDescending = minus === '-' || order?.toLowerCase() === 'desc'
  return `{"${isDescending ? 'Desc' : 'Asc'}": ${JSON.stringify(column)}}`
}
