import { all } from '../../../plan/condition/combine.ts'
import type { Comparison } from '../../../plan/condition/compare.ts'
import { type Condition, compare, TRUE, whereNotNull } from '../../../plan/condition/condition.ts'
import { testOf } from '../../../plan/condition/test.ts'
import { isServiceError } from '../../../plan/errors.ts'
import { columnExpression, type TypedExpression } from '../../../plan/expression.ts'
import type { DataType, Field } from '../../../plan/types/schema.ts'
import { parseDecimal, rescale } from '../../json/decimal.ts'
import { MOST_DIGITS } from '../bind/column-type.ts'
import { bindComparison } from '../bind/filters/coerce.ts'
import type { FilterValue } from '../request/filters/filter-value.ts'
import type { FilterExpression, Literal } from './filter-expression.ts'
import { FINE_TIME } from './filter-tokens.ts'
import { TIMESTAMP_TYPES, timestampType, ZONED_TIMESTAMP } from './timestamp-type.ts'

/** An operand of a comparison, which DuckDB may cast before it compares it. */
export interface CastOperand {
  readonly operand: TypedExpression
  /** The type that it is cast to, as DuckDB prints it. Null: it is not cast. */
  readonly cast: string | null
}

/** The operand of an expression that is a column of the scan, or a cast of one. Null: the expression is neither. */
export function columnOperand(expression: FilterExpression, fields: readonly Field[]): CastOperand | null {
  const { arg, cast } =
    expression.kind === 'cast'
      ? { arg: expression.arg, cast: expression.type }
      : { arg: expression, cast: null }
  const field = arg.kind === 'column' ? fields[arg.index] : undefined
  return field === undefined ? null : { operand: columnExpression(field.name, field.type), cast }
}

/** Where a literal lies among the values that a column can hold. */
interface Located {
  /** The literal, or a value of the column next to it. */
  readonly value: FilterValue
  /** The sign of the difference between the literal and `value`. The column can hold no value between them. */
  readonly side: number
  /** How many of the column's values after `value` are equal to it for DuckDB, which compares in a coarser type. */
  readonly more: bigint
}

/**
 * A condition that holds for every value for which DuckDB finds the comparison true. It compares in the operand's own type,
 * though DuckDB may compare in another one. `TRUE`: nothing is known of these values.
 */
export function compareOperand(
  { operand, cast }: CastOperand,
  comparison: Comparison,
  literal: Literal,
): Condition {
  const located = locate(literal, operand.type, cast)
  if (located === null) return TRUE
  const { value, side, more } = located
  const exactly = (comparison: Comparison): Condition => compareExactly(operand, comparison, value)
  switch (comparison) {
    case 'eq':
      if (side !== 0) return whereNotNull(operand, false)
      return more === 0n ? exactly('eq') : all([exactly('gt_eq'), shift(exactly('lt_eq'), more)])
    case 'neq':
      return side === 0 && more === 0n ? exactly('neq') : whereNotNull(operand, true)
    case 'gt':
      return side < 0 ? exactly('gt_eq') : shift(exactly('gt'), more)
    case 'gt_eq':
      return side > 0 ? exactly('gt') : exactly('gt_eq')
    case 'lt':
      return side > 0 ? exactly('lt_eq') : exactly('lt')
    case 'lt_eq':
      return side < 0 ? exactly('lt') : shift(exactly('lt_eq'), more)
  }
}

/** Compares in the operand's type. `TRUE` for dates and times that only DuckDB can write, such as those before the year 0. */
function compareExactly(operand: TypedExpression, comparison: Comparison, value: FilterValue): Condition {
  try {
    // The name of the operand would only appear in an error, which is caught here.
    return bindComparison(operand, comparison, value, '')
  } catch (error) {
    if (isServiceError(error)) return TRUE
    throw error
  }
}

const INT64_MAX = 2n ** 63n - 1n

/** The comparison with a value that is greater by `more`. */
function shift(condition: Condition, more: bigint): Condition {
  if (more === 0n) return condition
  const test = testOf(condition)
  if (test.op !== 'compare' || test.value.kind !== 'int') return TRUE
  const value = test.value.value + more
  return value > INT64_MAX ? TRUE : compare(test.operand, test.comparison, { kind: 'int', value })
}

/** Null: it is not certain which values DuckDB compares, or that it orders them as the column's own type does. */
function locate(literal: Literal, type: DataType, cast: string | null): Located | null {
  switch (type.kind) {
    case 'bool':
      return literal.form === 'word' && literal.type === null && cast === null ? onText(literal.text) : null
    case 'int':
      return locateInteger(literal, type, cast)
    case 'decimal':
      return locateDecimal(literal, type, cast)
    case 'float':
      return locateFloat(literal, type.bits, cast)
    case 'uuid':
      return literal.form === 'string' && literal.type === 'UUID' && cast === null
        ? onText(literal.text)
        : null
    case 'utf8':
      return literal.form === 'string' && literal.type === null && cast === null ? onText(literal.text) : null
    case 'date':
    case 'time':
    case 'timestamp':
      return locateTime(literal, type, cast)
    default:
      return null
  }
}

function onText(text: string, more = 0n): Located {
  return { value: { kind: 'string', text, path: '' }, side: 0, more }
}

function onNumber(source: string, side = 0): Located {
  return { value: { kind: 'number', value: Number(source), source, path: '' }, side, more: 0n }
}

/** The bits of the signed integer types that DuckDB casts narrower integers to. */
const INTEGER_BITS: ReadonlyMap<string, number> = new Map([
  ['SMALLINT', 16],
  ['INTEGER', 32],
  ['BIGINT', 64],
  ['HUGEINT', 128],
])

/** The most decimal digits of an integer, by its bits. */
const DIGITS = Object.freeze({ 8: 3, 16: 5, 32: 10, 64: 20 })

function locateInteger(
  literal: Literal,
  type: Extract<DataType, { kind: 'int' }>,
  cast: string | null,
): Located | null {
  if (literal.form !== 'number' || literal.type !== null) return null
  const decimal = decimalType(cast)
  if (cast === 'DOUBLE') {
    const value = Number(literal.text)
    // From 2^53 on several integers become the same 64-bit float.
    const isExact = Number.isFinite(value) && (type.bits <= 32 || Math.abs(value) < 2 ** 53)
    return isExact ? floorOf(BigInt(Math.floor(value)), Number.isInteger(value)) : null
  }
  const isExact =
    cast === null ||
    (INTEGER_BITS.get(cast) ?? 0) > type.bits ||
    (decimal !== null &&
      decimal.precision - decimal.scale >= DIGITS[type.bits] - Number(type.signed && type.bits === 64))
  const number = isExact ? parseDecimal(literal.text) : null
  if (number === null) return null
  const { floor, exact } = rescale(number, 0)
  return floorOf(floor, exact)
}

function floorOf(floor: bigint, isExact: boolean): Located {
  return onNumber(String(floor), isExact ? 0 : 1)
}

function locateDecimal(
  literal: Literal,
  { precision, scale }: Extract<DataType, { kind: 'decimal' }>,
  cast: string | null,
): Located | null {
  if (literal.form !== 'number' || literal.type !== null) return null
  if (precision > MOST_DIGITS || scale < 0 || scale > precision) return null
  const to = decimalType(cast)
  const isWider = to !== null && to.scale >= scale && to.precision - to.scale >= precision - scale
  return cast === null || isWider ? onNumber(literal.text) : null
}

function decimalType(name: string | null): { readonly precision: number; readonly scale: number } | null {
  const [, precision, scale] = /^DECIMAL \( (\d+) , (\d+) \)$/.exec(name ?? '') ?? []
  return precision === undefined ? null : { precision: Number(precision), scale: Number(scale) }
}

function locateFloat(literal: Literal, bits: 16 | 32 | 64, cast: string | null): Located | null {
  const comparedAs = cast ?? (bits === 64 ? 'DOUBLE' : 'FLOAT')
  if (bits === 16 || literal.form === 'word' || (literal.type ?? comparedAs) !== comparedAs) return null
  const value = literal.form === 'number' ? Number(literal.text) : SPECIAL_FLOATS.get(literal.text)
  if (value === undefined) return null
  if (bits === 64) return cast === null ? onFloat(value) : null
  const rounded = Math.fround(value)
  if (comparedAs === 'DOUBLE')
    return onFloat(rounded, Object.is(value, rounded) ? 0 : Math.sign(value - rounded))
  // If the other neighbour is equally near, it is not certain which of them DuckDB has rounded the literal to.
  const other = 2 * value - rounded
  return cast !== null || (other !== rounded && Math.fround(other) === other) ? null : onFloat(rounded)
}

const SPECIAL_FLOATS: ReadonlyMap<string, number> = new Map([
  ['nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
])

function onFloat(value: number, side = 0): Located {
  if (Number.isFinite(value)) return onNumber(String(value), side)
  const [text] = [...SPECIAL_FLOATS].find(([, special]) => Object.is(special, value)) ?? ['nan']
  return { ...onText(text), side }
}

export type TimeType = Extract<DataType, { kind: 'date' | 'time' | 'timestamp' }>

function locateTime(literal: Literal, type: TimeType, cast: string | null): Located | null {
  const compared = cast ?? literal.type
  if (literal.form !== 'string' || literal.type !== compared) return null
  const more = finer(type)
  const isCompared =
    cast === null ? compared === duckType(type) : more === 0n && exactCasts(type).includes(cast)
  return isCompared ? onText(inUtc(literal.text, type), more) : null
}

/** DuckDB prints times with a zone in UTC, those in nanoseconds without the offset. */
function inUtc(text: string, type: TimeType): string {
  const isPlain = type.kind === 'timestamp' && type.zone !== null && type.unit === 'nanosecond'
  return isPlain && /:\d\d(\.\d+)?$/.test(text) ? `${text}Z` : text
}

/** DuckDB's name for the type of a column of dates or times. */
export function duckType(type: TimeType): string {
  if (type.kind === 'timestamp') return timestampType(type)
  return type.kind === 'time' && type.unit === 'nanosecond' ? FINE_TIME : type.kind.toUpperCase()
}

/** How many of the column's values fall into one day of DuckDB's type, less one. */
function finer(type: TimeType): bigint {
  return type.kind === 'date' && type.unit === 'millisecond' ? 86_399_999n : 0n
}

/** The types that DuckDB may cast the column to without a change in how its values compare. */
function exactCasts(type: TimeType): readonly string[] {
  if (type.kind === 'date') return ['TIMESTAMP']
  if (type.kind === 'time' || type.zone !== null) return []
  const names = Object.values(TIMESTAMP_TYPES)
  // DuckDB reads a time without a zone as UTC, because sessions here have no time zone.
  const zoned = type.unit === 'nanosecond' ? [] : [ZONED_TIMESTAMP]
  return [...names.slice(names.indexOf(TIMESTAMP_TYPES[type.unit]) + 1), ...zoned]
}
