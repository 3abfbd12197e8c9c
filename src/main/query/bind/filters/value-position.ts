/// <reference lib="es2025.float16" />
import { ServiceError } from '../../../../plan/errors.ts'
import { parseInstant, parseTimeOfDay } from '../../../../plan/types/instant.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import { type DataType, type TimeUnit, typeName } from '../../../../plan/types/schema.ts'
import { parseUuid } from '../../../../plan/types/uuid.ts'
import { parseDecimal, rescale } from '../../../json/decimal.ts'
import { describe, reject } from '../../../json/shape.ts'
import type { FilterValue } from '../../request/filters/filter-value.ts'

/**
 * Where a value of the request lies among the values that a column's type can hold: equal to one of them, or between two
 * neighbours. `below` is null if the value is less than all of them, `above` if it is greater than all.
 */
export type ValuePosition =
  | { readonly exact: Scalar }
  | { readonly below: Scalar | null; readonly above: Scalar | null }

/**
 * Finds the position of a request's value among the values of a column's type (docs/reference/json-language.md). For a float
 * column a number is rounded to the nearest float. Integers, decimals and times are compared exactly: a value may lie between two
 * values of the column. Text is read as a value of the column's type. Throws `type_mismatch`, which names column, type and value.
 */
export function positionOf(value: FilterValue, column: string, type: DataType): ValuePosition {
  const position = positionIn(type, value)
  if (position !== null) return position
  const shown = describe('text' in value ? value.text : value.value)
  throw new ServiceError(
    'type_mismatch',
    `${value.path}: column "${column}" is ${typeName(type)}, which does not compare with the ${value.kind} ${shown}${formOf(type, value)}`,
  )
}

function positionIn(type: DataType, value: FilterValue): ValuePosition | null {
  switch (value.kind) {
    case 'number':
      return positionOfNumber(value.source, type)
    case 'boolean':
      return type.kind === 'bool' ? { exact: { kind: 'bool', value: value.value } } : null
    default:
      return positionOfText(value, type)
  }
}

/** How a value of a type is written that has a form of its own. Empty: as any number or string. */
function formOf({ kind }: DataType, value: FilterValue): string {
  switch (kind) {
    case 'int':
    case 'float':
    case 'decimal':
      return '; a number is written as 5 or 1.5'
    case 'utf8':
      return 'value' in value ? `; a text is in quotes: "${value.value}"` : ''
    case 'list':
    case 'large_list':
    case 'fixed_list':
    case 'struct':
    case 'map':
      return '; what is inside of it is compared in SQL'
    case 'date':
      return '; a date is written as "2024-02-29"'
    case 'timestamp':
      return '; a time is written as "2024-02-29" or "2024-02-29T12:00:00Z"'
    case 'time':
      return '; a time of day is written as "12:30:00"'
    case 'bool':
      return '; a boolean is written as true or false'
    case 'uuid':
      return '; a UUID is written as "f59283a4-1f2b-4c3d-8e9f-0123456789ab"'
    default:
      return ''
  }
}

function positionOfNumber(source: string, type: DataType): ValuePosition | null {
  if (type.kind === 'float') return positionOfFloat(Number(source), type.bits)
  if (type.kind !== 'int' && type.kind !== 'decimal') return null
  const decimal = parseDecimal(source)
  if (decimal === null) return null
  const { floor, exact } = rescale(decimal, type.kind === 'decimal' ? type.scale : 0)
  const range = type.kind === 'int' && !type.signed ? unsignedRange(type.bits) : signedRange(type.bits)
  return positionOfInteger(floor, exact, range)
}

type TextValue = Extract<FilterValue, { text: string }>

function positionOfText(value: TextValue, type: DataType): ValuePosition | null {
  const { text } = value
  switch (type.kind) {
    case 'bool':
      return text === 'true' || text === 'false' ? { exact: { kind: 'bool', value: text === 'true' } } : null
    case 'float':
      return SPECIAL_FLOATS.has(text.toLowerCase())
        ? { exact: { kind: 'float', value: SPECIAL_FLOATS.get(text.toLowerCase()) ?? 0 } }
        : parseDecimal(text) && positionOfNumber(text, type)
    case 'int':
    case 'decimal':
      return positionOfNumber(text, type)
    case 'utf8':
    case 'binary':
      return { exact: { kind: 'bytes', value: new TextEncoder().encode(text) } }
    case 'fixed_binary': {
      const bytes = new TextEncoder().encode(text)
      return bytes.length === type.width ? { exact: { kind: 'bytes', value: bytes } } : null
    }
    case 'uuid': {
      const bytes = parseUuid(text)
      return bytes && { exact: { kind: 'bytes', value: bytes } }
    }
    case 'date':
      return positionOfInstant(value, null, type.unit, type.unit === 'day' ? INT32 : INT64)
    case 'timestamp':
      return positionOfInstant(value, type.zone, type.unit, INT64)
    case 'time': {
      const time = parseTimeOfDay(text)
      return time === null ? null : positionOfTime(time, type.unit, INT64)
    }
    default:
      return null
  }
}

/** Floats that no JSON number can write, by the texts that Arrow reads them from. */
const SPECIAL_FLOATS = new Map([
  ['nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['infinity', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
  ['-infinity', Number.NEGATIVE_INFINITY],
])

/** The greatest finite values of the float types under 64 bits, by their bits. */
const FLOAT_MAX = Object.freeze({ 16: 65_504, 32: 3.4028234663852886e38 })

/** `number` is finite. Where it rounds to an infinity of the type, it lies between the greatest finite value and that. */
function positionOfFloat(number: number, bits: 16 | 32 | 64): ValuePosition {
  const float = (value: number): Scalar => ({ kind: 'float', value })
  if (bits === 64) return { exact: float(number) }
  const rounded = bits === 32 ? Math.fround(number) : Math.f16round(number)
  if (Number.isFinite(rounded)) return { exact: float(rounded) }
  const greatest = FLOAT_MAX[bits]
  return number > 0
    ? { below: float(greatest), above: float(rounded) }
    : { below: float(rounded), above: float(-greatest) }
}

interface Range {
  readonly min: bigint
  readonly max: bigint
}

/** The position among the integers of a range of `floor` if `exact`, else of a number between `floor` and `floor` + 1. */
function positionOfInteger(floor: bigint, exact: boolean, { min, max }: Range): ValuePosition {
  const int = (value: bigint): Scalar => ({ kind: 'int', value })
  if (floor < min) return { below: null, above: int(min) }
  if (floor > max || (floor === max && !exact)) return { below: int(max), above: null }
  return exact ? { exact: int(floor) } : { below: int(floor), above: int(floor + 1n) }
}

function signedRange(bits: number): Range {
  return { min: -(1n << BigInt(bits - 1)), max: (1n << BigInt(bits - 1)) - 1n }
}

function unsignedRange(bits: number): Range {
  return { min: 0n, max: (1n << BigInt(bits)) - 1n }
}

const INT32 = signedRange(32)
const INT64 = signedRange(64)

/** Nanoseconds in each unit. */
const UNIT_NS: Readonly<Record<TimeUnit | 'day', bigint>> = Object.freeze({
  day: 86_400_000_000_000n,
  second: 1_000_000_000n,
  millisecond: 1_000_000n,
  microsecond: 1_000n,
  nanosecond: 1n,
})

/**
 * A date-time of a request is a timestamp in nanoseconds (docs/reference/json-language.md), so one outside the years 1677 to
 * 2262 is an error whatever the column's unit.
 */
function positionOfInstant(
  { kind, text, path }: TextValue,
  zone: string | null,
  unit: TimeUnit | 'day',
  range: Range,
): ValuePosition | null {
  const instant = parseInstant(text, zone)
  if (instant === null) return null
  if ((kind === 'date-time' || unit === 'nanosecond') && (instant < INT64.min || instant > INT64.max)) {
    reject(path, `${describe(text)} is outside the years 1677 to 2262 that nanoseconds reach`)
  }
  return positionOfTime(instant, unit, range)
}

function positionOfTime(ns: bigint, unit: TimeUnit | 'day', range: Range): ValuePosition {
  const perUnit = UNIT_NS[unit]
  const remainder = ((ns % perUnit) + perUnit) % perUnit
  return positionOfInteger((ns - remainder) / perUnit, remainder === 0n, range)
}
