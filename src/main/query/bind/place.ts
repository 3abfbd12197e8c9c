/// <reference lib="es2025.float16" />
import { ServiceError } from '../../../plan/errors.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import { type DataType, type TimeUnit, typeName } from '../../../plan/types/schema.ts'
import { parseDecimal, scaled } from '../request/decimal.ts'
import type { FilterValue } from '../request/filter-value.ts'
import { describe, reject } from '../request/shape.ts'
import { parseInstant, parseTimeOfDay } from './instant.ts'

/**
 * Where a value of the request lies among the values that a column's type has: on one of them, or between two
 * neighbours, one of which is null where the value is beyond them all.
 */
export type Place =
  | { readonly exact: Scalar }
  | { readonly below: Scalar | null; readonly above: Scalar | null }

/**
 * A value of the request among a column's values (docs/reference/json-language.md): numbers are truncated for an
 * integer column and rounded for a float column, but lie exactly among decimals; times lie exactly among those of
 * any unit; text is read as the column's type. Throws `type_mismatch` that names column, type and value.
 */
export function place(value: FilterValue, column: string, type: DataType): Place {
  const found = value.kind === 'number' ? placeNumber(value.source, type) : placeText(value, type)
  if (found !== null) return found
  const shown = describe(value.kind === 'number' ? value.value : value.text)
  throw new ServiceError(
    'type_mismatch',
    `${value.path}: column "${column}" is ${typeName(type)}, which does not compare with the ${value.kind} ${shown}`,
  )
}

function placeNumber(source: string, type: DataType): Place | null {
  if (type.kind === 'float') return placeFloat(Number(source), type.bits)
  if (type.kind !== 'int' && type.kind !== 'decimal') return null
  const decimal = parseDecimal(source)
  if (decimal === null) return null
  if (type.kind === 'decimal') {
    const { floor, exact } = scaled(decimal, type.scale)
    return placeInteger(floor, exact, signedRange(type.bits))
  }
  const { floor, exact } = scaled(decimal, 0)
  const truncated = exact || !decimal.negative ? floor : floor + 1n
  return placeInteger(truncated, true, type.signed ? signedRange(type.bits) : unsignedRange(type.bits))
}

type TextValue = Exclude<FilterValue, { kind: 'number' }>

function placeText(value: TextValue, type: DataType): Place | null {
  const { text } = value
  switch (type.kind) {
    case 'bool':
      return text === 'true' || text === 'false' ? { exact: { kind: 'bool', value: text === 'true' } } : null
    case 'float':
      return SPECIAL_FLOATS.has(text.toLowerCase())
        ? { exact: { kind: 'float', value: SPECIAL_FLOATS.get(text.toLowerCase()) ?? 0 } }
        : parseDecimal(text) && placeNumber(text, type)
    case 'int':
    case 'decimal':
      return placeNumber(text, type)
    case 'utf8':
    case 'binary':
      return { exact: { kind: 'bytes', value: new TextEncoder().encode(text) } }
    case 'fixed_binary': {
      const bytes = new TextEncoder().encode(text)
      return bytes.length === type.width ? { exact: { kind: 'bytes', value: bytes } } : null
    }
    case 'date':
      return placeInstant(value, null, type.unit, type.unit === 'day' ? INT32 : INT64)
    case 'timestamp':
      return placeInstant(value, type.zone, type.unit, INT64)
    case 'time': {
      const time = parseTimeOfDay(text)
      return time === null ? null : placeTime(time, type.unit, INT64)
    }
    default:
      return null
  }
}

/** The values that no JSON number is, as Arrow reads them from text. */
const SPECIAL_FLOATS = new Map([
  ['nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['infinity', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
  ['-infinity', Number.NEGATIVE_INFINITY],
])

/** The greatest finite value of the narrow float types. */
const FLOAT_MAX = Object.freeze({ 16: 65_504, 32: 3.4028234663852886e38 })

/** `number` is finite, but may round to an infinity in a narrow type: then it lies between that and the greatest. */
function placeFloat(number: number, bits: 16 | 32 | 64): Place {
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

/** The number at (`exact`) or above `floor`, and below the next integer, among the integers of a range. */
function placeInteger(floor: bigint, exact: boolean, { min, max }: Range): Place {
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

/** A date-time is a nanosecond timestamp in the contract, so it ends in 2262 whatever the column's unit. */
function placeInstant(
  { kind, text, path }: TextValue,
  zone: string | null,
  unit: TimeUnit | 'day',
  range: Range,
): Place | null {
  const instant = parseInstant(text, zone)
  if (instant === null) return null
  if ((kind === 'date-time' || unit === 'nanosecond') && (instant < INT64.min || instant > INT64.max)) {
    reject(path, `${describe(text)} is outside the years 1677 to 2262 that nanoseconds reach`)
  }
  return placeTime(instant, unit, range)
}

function placeTime(ns: bigint, unit: TimeUnit | 'day', range: Range): Place {
  const perUnit = UNIT_NS[unit]
  const remainder = ((ns % perUnit) + perUnit) % perUnit
  return placeInteger((ns - remainder) / perUnit, remainder === 0n, range)
}
