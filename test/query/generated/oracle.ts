import { isExactNumber, parseJson } from '../../../src/main/json/json.ts'
import type { DataType } from '../../../src/plan/types/schema.ts'
import type { Cell, TestTable } from '../table.ts'

/**
 * A second implementation of the JSON language (docs/reference/json-language.md), as simple as possible: the rows of a request
 * over a table in memory. It evaluates the request's JSON cell by cell, and shares no code with the product except the parser of
 * JSON. The request must be valid, and its literals must fit their columns.
 */
export function answer(json: string, table: TestTable): Cell[][] {
  const { rows, columns } = evaluate(json, table)
  return rows.map((row) => columns.map(({ cell }) => cell(row)))
}

/** The answer: rows of the table, and the columns that are computed from them. */
export function evaluate(
  json: string,
  table: TestTable,
): { readonly rows: readonly number[]; readonly columns: readonly Column[] } {
  const query = parseJson(json) as Query
  const source = (name: string): Column => {
    const column = table.columns.find((each) => each.name === name)
    return { name, type: column?.type ?? { kind: 'null' }, cell: (row) => column?.cells[row] ?? null }
  }
  const outputs = (query.select ?? query.distinct?.select ?? []).map((entry) => columnOfEntry(entry, source))
  const lookup: Lookup = (name) => outputs.find((output) => output.name === name) ?? source(name)
  const filter = { and: [...(query.filter ? [query.filter] : []), ...(query.filters ?? [])] }
  const filtered = [...Array(table.rows).keys()].filter((row) => test(filter, lookup, row) === true)
  const keys = (query.sort_by ?? []).map(({ Asc, Desc }) => ({
    ...lookup(Asc ?? Desc ?? ''),
    isDescending: Desc !== undefined,
  }))
  const sorted = filtered.toSorted((a, b) =>
    keys.reduce((sofar, { cell, isDescending }) => sofar || nullsLast(cell(a), cell(b), isDescending), 0),
  )
  const on = (query.distinct?.on ?? []).map((entry) =>
    columnOfEntry(entry, query.select === undefined ? source : lookup),
  )
  const isSame = (a: number, b: number): boolean =>
    on.every(({ cell }) => nullsLast(cell(a), cell(b), false) === 0)
  const rows =
    query.distinct === undefined
      ? sorted
      : sorted.filter((row, index) => sorted.findIndex((each) => isSame(each, row)) === index)
  const finals =
    query.select === undefined || query.distinct === undefined
      ? outputs
      : query.distinct.select.map((entry) => columnOfEntry(entry, lookup))
  const offset = query.offset ?? 0
  return { rows: rows.slice(offset, offset + (query.limit ?? rows.length)), columns: finals }
}

/** Every function is assumed to return its first argument. */
function columnOfEntry(entry: string | Entry, lookup: Lookup): Column {
  if (typeof entry === 'string') return lookup(entry)
  const { alias: name = '', args: [first] = [], value = null } = entry
  if (first !== undefined) return { ...columnOfEntry(first, lookup), name }
  if (entry.column !== undefined) return { ...lookup(entry.column), name: entry.alias ?? entry.column }
  return { name, type: typeOf(value), cell: () => value }
}

/** Negative if `a` comes before `b`, zero if they are equal, positive if it comes after. */
function nullsLast(a: Cell, b: Cell, isDescending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  const sign = isDescending ? -1 : 1
  if (typeof a === 'number') return sign * floatOrder(a, Number(b))
  if (typeof a === 'string') return sign * Buffer.compare(Buffer.from(a), Buffer.from(String(b)))
  return sign * (Number(a > b) - Number(a < b))
}

interface Query {
  readonly select?: readonly (string | Entry)[]
  readonly sort_by?: readonly { readonly Asc?: string; readonly Desc?: string }[]
  readonly distinct?: {
    readonly on: readonly (string | Entry)[]
    readonly select: readonly (string | Entry)[]
  }
  readonly filter?: Json | null
  readonly filters?: readonly Json[] | null
  readonly offset?: number | null
  readonly limit?: number | null
}

interface Entry {
  readonly column?: string
  readonly alias?: string
  readonly args?: readonly (string | Entry)[]
  readonly value?: string | number | boolean | null
}

type Json = Readonly<Record<string, unknown>>

export interface Column {
  readonly name: string
  readonly type: DataType
  cell(row: number): Cell
}

type Lookup = (name: string) => Column

/** The three truth values of SQL. Null: unknown. */
type Truth = boolean | null

function test(filter: Json, lookup: Lookup, row: number): Truth {
  const [[key, value] = ['', null]] = Object.entries(filter)
  const some = (...keys: string[]) =>
    keys.map((name) => filter[name]).find((found) => (found ?? null) !== null)
  switch (key) {
    case 'and':
      return (value as Json[]).map((each) => test(each, lookup, row)).reduce(and, true)
    case 'or':
      return not((value as Json[]).map((each) => not(test(each, lookup, row))).reduce(and, true))
    case 'not':
      return not(test(value as Json, lookup, row))
    case 'is_null':
      return lookup(columnOf(value as Json)).cell(row) === null
    case 'is_not_null':
    case 'skip_fill_values':
    case 'skip_missing':
      return lookup(columnOf(value as Json)).cell(row) !== null
  }
  const [low, high] = [some('gt_eq', 'min', 'low'), some('lt_eq', 'max', 'high')]
  const [eq, neq, gt, lt] = [some('eq'), some('neq', 'not_eq', 'not_equal'), some('gt'), some('lt')]
  const compared = (literal: unknown, accept: (order: number) => boolean): Truth => {
    const { type, cell } = lookup(columnOf(filter))
    const found = cell(row)
    return found === null ? null : accept(order(found, literal, type))
  }
  const conditions: Truth[] = []
  const found = (): Cell => lookup(columnOf(filter)).cell(row)
  const isOneOf = (values: readonly unknown[]): Truth =>
    not(values.map((each) => not(compared(each, (o) => o === 0))).reduce(and, true))
  const match = (pattern: RegExp): Truth => {
    const text = found()
    return text === null ? null : pattern.test(String(text))
  }
  const compare = (literal: unknown, accept: (order: number) => boolean): void => {
    if (literal !== undefined) conditions.push(compared(literal, accept))
  }
  compare(eq, (o) => o === 0)
  compare(neq, (o) => o !== 0)
  compare(gt, (o) => o > 0)
  compare(low, (o) => o >= 0)
  compare(lt, (o) => o < 0)
  compare(high, (o) => o <= 0)
  if (Array.isArray(filter['in'])) conditions.push(isOneOf(filter['in']))
  if (Array.isArray(filter['not_in'])) conditions.push(not(isOneOf(filter['not_in'])))
  if (filter['like'] !== undefined) conditions.push(match(likePattern(filter['like'], 'su')))
  if (filter['ilike'] !== undefined) conditions.push(match(likePattern(filter['ilike'], 'sui')))
  if (filter['regex'] !== undefined) conditions.push(match(new RegExp(String(filter['regex']), 'u')))
  if (filter['geometry'] !== undefined) conditions.push(isInside(filter, lookup, row))
  if (conditions.length === 0) return (found() === null) === (filter['eq'] === null)
  return conditions.reduce(and)
}

function likePattern(pattern: unknown, flags: string): RegExp {
  const text = String(pattern).replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')
  return new RegExp(`^${text.replaceAll('%', '.*').replaceAll('_', '.')}$`, flags)
}

function isInside(filter: Json, lookup: Lookup, row: number): boolean {
  const [x = Number.NaN, y = Number.NaN] = ['longitude', 'latitude'].map((axis) => {
    const cell = lookup(String(filter[`${axis}_column`] ?? filter[`${axis}_query_parameter`])).cell(row)
    return cell === null ? Number.NaN : Number(cell)
  })
  return inside(x, y, (filter['geometry'] as { coordinates: Position[][] }).coordinates)
}

function columnOf(filter: Json): string {
  return String(filter['column'] ?? filter['for_query_parameter'])
}

const not = (truth: Truth): Truth => (truth === null ? null : !truth)

const and = (a: Truth, b: Truth): Truth => {
  if (a === false || b === false) return false
  return a === null || b === null ? null : true
}

/** Compares a cell with a literal, which is read in the column's type: negative, zero or positive. */
function order(cell: Exclude<Cell, null>, literal: unknown, type: DataType): number {
  const text = isExactNumber(literal) ? literal.rawJSON : String(literal)
  switch (type.kind) {
    case 'int': {
      const [numerator, denominator] = fraction(text)
      return sign(BigInt(cell) * denominator - numerator)
    }
    case 'decimal': {
      const [numerator, denominator] = fraction(text)
      return sign(BigInt(cell) * denominator - numerator * 10n ** BigInt(type.scale))
    }
    case 'float': {
      const narrow = type.bits === 64 ? Number(text) : Math.fround(Number(text))
      return floatOrder(Number(cell), Number.isFinite(narrow) ? narrow : Number(text))
    }
    case 'date':
      return sign(
        BigInt(cell) * (type.unit === 'day' ? 86_400n * 10n ** 9n : 10n ** 6n) - nanoseconds(text, 'Z'),
      )
    case 'timestamp': {
      const zone = type.zone === null || type.zone === 'UTC' ? 'Z' : type.zone
      return sign(BigInt(cell) * NANOSECONDS[type.unit] - nanoseconds(text, zone))
    }
    case 'time':
      return sign(BigInt(cell) * NANOSECONDS[type.unit] - nanoseconds(`1970-01-01T${text}`, 'Z'))
    case 'bool':
      return Number(cell) - Number(text === 'true')
    default:
      return Buffer.compare(Buffer.from(String(cell)), Buffer.from(text))
  }
}

const NANOSECONDS = { second: 10n ** 9n, millisecond: 10n ** 6n, microsecond: 10n ** 3n, nanosecond: 1n }

/** NaN is the greatest number, and equal to itself. */
function floatOrder(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
  return Number(a > b) - Number(a < b)
}

function sign(value: bigint): number {
  return Number(value > 0n) - Number(value < 0n)
}

/** A decimal number as numerator and denominator. */
function fraction(text: string): [bigint, bigint] {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', decimals = ''] = mantissa.split('.')
  const power = Number(exponent) - decimals.length
  const digits = BigInt(whole + decimals)
  return power >= 0 ? [digits * 10n ** BigInt(power), 1n] : [digits, 10n ** BigInt(-power)]
}

/** Parses `2020-01-01`, also with a time, a fraction of any length and an offset. Without an offset the time is in `zone`. */
function nanoseconds(text: string, zone: string): bigint {
  const [, day, time = '00:00:00', decimals = '', offset = zone] =
    /^(.{10})(?:[T ](.{8})(?:\.(\d+))?(Z|[+-].{5})?)?$/.exec(text) ?? []
  return BigInt(Date.parse(`${day}T${time}${offset}`)) * 1_000_000n + BigInt(decimals.padEnd(9, '0'))
}

function typeOf(value: Cell): DataType {
  if (typeof value === 'number') return { kind: 'float', bits: 64 }
  return { kind: typeof value === 'boolean' ? 'bool' : 'utf8' }
}

export type Position = readonly [x: number, y: number]

/** The even-odd rule over the rings of polygons that do not overlap. NaN, and points on an edge, are outside. */
export function inside(x: number, y: number, rings: readonly (readonly Position[])[]): boolean {
  if (Number.isNaN(x) || Number.isNaN(y)) return false
  let odd = false
  for (const ring of rings) {
    for (const [index, [x1, y1]] of ring.slice(0, -1).entries()) {
      const [x2, y2] = ring[index + 1] ?? [x1, y1]
      const cross = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
      const between = (v: number, a: number, b: number) => v >= Math.min(a, b) && v <= Math.max(a, b)
      if (cross === 0 && between(x, x1, x2) && between(y, y1, y2)) return false
      if (y1 > y !== y2 > y && cross > 0 === y2 > y1) odd = !odd
    }
  }
  return odd
}
