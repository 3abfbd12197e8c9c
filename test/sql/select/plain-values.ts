import {
  DuckDBDateValue,
  DuckDBDecimalValue,
  type DuckDBResultReader,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
  type DuckDBValue,
} from '@duckdb/node-api'
import { DataType as ArrowType, type Table } from 'apache-arrow'
import { columnValues, type Value } from '../../formats/values.ts'

/** A value in a form that is the same for all engines: times in nanoseconds, dates in days, −0.0 as 0.0. */
export type PlainValue = null | boolean | number | bigint | string

/** The rows of an answer. */
export function arrowRows(table: Table): PlainValue[][] {
  const types = table.schema.fields.map(({ type }) => type as ArrowType)
  const columns = columnValues(table)
  return Array.from({ length: table.numRows }, (_, row) =>
    columns.map((column, index) => arrowValue(column[row] ?? null, types[index])),
  )
}

/** Arrow's time units in nanoseconds. */
const UNITS = [10n ** 9n, 10n ** 6n, 10n ** 3n, 1n]

function arrowValue(value: Value, type: ArrowType | undefined): PlainValue {
  if (value === null || typeof value === 'boolean') return value
  if (ArrowType.isFloat(type)) return Number(value) + 0
  if (typeof value !== 'bigint') return String(value)
  if (ArrowType.isDecimal(type)) return pointed(BigInt.asIntN(128, value), type.scale)
  if (ArrowType.isInt(type)) return type.isSigned ? BigInt.asIntN(type.bitWidth, value) : value
  const signed = BigInt.asIntN(ArrowType.isDate(type) ? 32 : 64, value)
  return ArrowType.isTime(type) || ArrowType.isTimestamp(type) ? signed * (UNITS[type.unit] ?? 1n) : signed
}

/** The rows of native DuckDB. */
export function nativeRows(reader: DuckDBResultReader): PlainValue[][] {
  const areFloats = reader.columnTypes().map((type) => ['FLOAT', 'DOUBLE'].includes(String(type)))
  return reader
    .getRows()
    .map((row) => row.map((value, index) => nativeValue(value, areFloats[index] ?? false)))
}

function nativeValue(value: DuckDBValue, isFloat: boolean): PlainValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') return isFloat ? value + 0 : BigInt(value)
  if (value instanceof DuckDBDecimalValue) return pointed(value.value, value.scale)
  if (value instanceof DuckDBDateValue) return BigInt(value.days)
  if (
    value instanceof DuckDBTimeValue ||
    value instanceof DuckDBTimestampValue ||
    value instanceof DuckDBTimestampTZValue
  )
    return value.micros * 1_000n
  if (value instanceof DuckDBTimestampSecondsValue) return value.seconds * 10n ** 9n
  if (value instanceof DuckDBTimestampMillisecondsValue) return value.millis * 10n ** 6n
  if (value instanceof DuckDBTimestampNanosecondsValue) return value.nanos
  return typeof value === 'bigint' ? value : String(value)
}

function pointed(unscaled: bigint, scale: number): string {
  return `${unscaled}e-${scale}`
}

/** Whether rows are equal. Floats may differ as sums do that were added in another order. */
export function sameRows(
  one: readonly PlainValue[][],
  other: readonly PlainValue[][],
  isOrdered: boolean,
): boolean {
  const [a, b] = isOrdered ? [one, other] : [one.toSorted(compareRows), other.toSorted(compareRows)]
  return (
    a.length === b.length &&
    a.every((row, index) => row.every((value, column) => isNear(value, b[index]?.[column])))
  )
}

function compareRows(a: readonly PlainValue[], b: readonly PlainValue[]): number {
  const [one, other] = [a, b].map((row) =>
    row.map((value) => (typeof value === 'number' ? value.toPrecision(9) : String(value))).join('\0'),
  )
  return (one ?? '') < (other ?? '') ? -1 : Number((one ?? '') > (other ?? ''))
}

function isNear(a: PlainValue, b: PlainValue | undefined): boolean {
  if (typeof a !== 'number' || typeof b !== 'number') return a === b
  if (Object.is(a + 0, b + 0)) return true
  return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b))
}
