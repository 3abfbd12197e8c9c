import type { DataType } from '../../../plan/types/schema.ts'

export const UTF8: DataType = Object.freeze({ kind: 'utf8' })
const INT64: DataType = Object.freeze({ kind: 'int', bits: 64, signed: true })
export const FLOAT64: DataType = Object.freeze({ kind: 'float', bits: 64 })
const FLOAT32: DataType = Object.freeze({ kind: 'float', bits: 32 })

/** Times have the milliseconds that the format has. */
export const TIME: DataType = Object.freeze({ kind: 'timestamp', unit: 'millisecond', zone: null })

/** The types of values that files declare, besides texts. */
const VALUE_TYPES: Readonly<Record<string, DataType>> = Object.freeze({
  FLOAT: FLOAT32,
  DOUBLE: FLOAT64,
  INTEGER: INT64,
  SIGNED_INTEGER: INT64,
  UNSIGNED_INTEGER: INT64,
  INT: INT64,
  LONG: INT64,
  SHORT: INT64,
  SIGNED_SHORT: INT64,
  UNSIGNED_SHORT: INT64,
  BYTE: INT64,
  SIGNED_BYTE: INT64,
  UNSIGNED_BYTE: INT64,
})

/** The type that a file declares for a column, by its name in upper case. A type that is not known is text. */
export function declaredType(valueType: string): DataType {
  return Object.hasOwn(VALUE_TYPES, valueType) ? (VALUE_TYPES[valueType] ?? UTF8) : UTF8
}

/** The columns by which a row is a station: one of them has text. */
const KEYS: ReadonlySet<string> = new Set(['cruise', 'station', 'type'])

export function isKey(name: string): boolean {
  return KEYS.has(name.toLowerCase())
}

/** The standard column of the date and time, in any case. */
const DATE = /^yyyy-mm-dd(?:[t ]hh:mm(?::ss(?:\.s{1,9})?)?)?$/

const ISO_TIME = 'time_iso8601'

/** Whether a column has times, whatever type it is declared with. */
export function isIsoTime(name: string): boolean {
  return name.toLowerCase() === ISO_TIME
}

/** The type of a column that no declaration gives one, by its label. Null: its values say it. */
export function standardType(name: string): DataType | null {
  const lower = name.toLowerCase()
  if (KEYS.has(lower) || ['local_cdi_id', 'mon/day/yr', 'hh:mm'].includes(lower)) return UTF8
  if (lower === 'edmo_code') return INT64
  return DATE.test(lower) || lower === ISO_TIME ? TIME : null
}

const OTHER_METADATA: ReadonlySet<string> = new Set([
  'mon/day/yr',
  'hh:mm',
  'bot. depth',
  'local_cdi_id',
  'edmo_code',
])

/** Whether a column describes stations by its label, however it is declared. */
export function isStandardMetadata(name: string): boolean {
  const lower = name.toLowerCase()
  return (
    KEYS.has(lower) ||
    DATE.test(lower) ||
    OTHER_METADATA.has(lower) ||
    /^(?:lon(?:gitude)?|lat(?:itude)?)(?![a-z])/.test(lower)
  )
}
