import {
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
} from '@duckdb/node-api'
import { type Data, DataType, DateUnit, TimeUnit, type Vector } from 'apache-arrow'

/**
 * A value of an answer in a form that is the same for all engines, so that values can be compared: numbers, 64-bit integers
 * and text as they are, and others as text that begins with their kind.
 */
export type Cell = null | number | bigint | string

/** A value as native DuckDB gives it. */
export function cellOfDuckdb(value: unknown): Cell {
  if (value === null || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string')
    return value
  if (typeof value === 'boolean') return boolean(value)
  if (value instanceof DuckDBDecimalValue) return decimal(value.value, value.scale)
  if (value instanceof DuckDBDateValue) return date(value.days)
  if (value instanceof DuckDBTimeValue) return time(value.micros * 1000n)
  if (value instanceof DuckDBTimestampSecondsValue) return timestamp(value.seconds * 1_000_000_000n)
  if (value instanceof DuckDBTimestampMillisecondsValue) return timestamp(value.millis * 1_000_000n)
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue)
    return timestamp(value.micros * 1000n)
  if (value instanceof DuckDBTimestampNanosecondsValue) return timestamp(value.nanos)
  if (value instanceof DuckDBBlobValue) return binary(value.bytes)
  throw new TypeError(`no cell for ${value}`)
}

/** The values of a column of a record batch. */
export function cellsOfArrow(vector: Vector): (row: number) => Cell {
  const [data] = vector.data
  if (data === undefined) return () => null
  const read = reader(vector.type as DataType, vector, data)
  return (row) => (data.getValid(row) ? read(row) : null)
}

function reader(type: DataType, vector: Vector, { values }: Data): (row: number) => Cell {
  if (DataType.isBool(type)) return (row) => boolean(vector.get(row))
  if (DataType.isDecimal(type)) {
    const words = type.bitWidth / 32
    return (row) => decimal(integer(values.subarray(row * words, (row + 1) * words)), type.scale)
  }
  if (DataType.isDate(type))
    return (row) => date(type.unit === DateUnit.DAY ? values[row] : Number(values[row]) / DAY_MS)
  if (DataType.isTime(type)) return (row) => time(BigInt(values[row]) * NANOSECONDS[type.unit])
  if (DataType.isTimestamp(type)) return (row) => timestamp(BigInt(values[row]) * NANOSECONDS[type.unit])
  if (DataType.isBinary(type) || DataType.isFixedSizeBinary(type)) return (row) => binary(vector.get(row))
  return (row) => vector.get(row)
}

const DAY_MS = 86_400_000

const NANOSECONDS = {
  [TimeUnit.SECOND]: 1_000_000_000n,
  [TimeUnit.MILLISECOND]: 1_000_000n,
  [TimeUnit.MICROSECOND]: 1000n,
  [TimeUnit.NANOSECOND]: 1n,
} as const

/** The value of a two's complement integer whose least significant word is first. */
function integer(words: Uint32Array): bigint {
  let value = 0n
  for (const word of words.toReversed()) value = (value << 32n) | BigInt(word)
  return BigInt.asIntN(words.length * 32, value)
}

function boolean(value: boolean): string {
  return value ? 'true' : 'false'
}

function decimal(unscaled: bigint, scale: number): string {
  return `${unscaled}e-${scale}`
}

function date(days: number): string {
  return `day ${days}`
}

function time(nanoseconds: bigint): string {
  return `time ${nanoseconds}`
}

function timestamp(nanoseconds: bigint): string {
  return `instant ${nanoseconds}`
}

function binary(bytes: Uint8Array): string {
  return `bytes ${Buffer.from(bytes).toString('hex')}`
}
