import type { DataType, TimeUnit } from '../types/schema.ts'
import { TIMESTAMPTZ, TIMESTAMPTZ_NS } from './calendar.ts'
import { isShortDecimal } from './decimals.ts'

const int = (bits: 8 | 16 | 32 | 64, signed: boolean): DataType =>
  Object.freeze({ kind: 'int', bits, signed })
const timestamp = (unit: TimeUnit): DataType => Object.freeze({ kind: 'timestamp', unit, zone: null })

export const BOOLEAN: DataType = Object.freeze({ kind: 'bool' })
export const TINYINT = int(8, true)
export const INTEGER = int(32, true)
export const BIGINT = int(64, true)
export const SIGNED: readonly DataType[] = Object.freeze([TINYINT, int(16, true), INTEGER, BIGINT])
const UNSIGNED: readonly DataType[] = Object.freeze(
  ([8, 16, 32, 64] as const).map((bits) => int(bits, false)),
)
export const INTEGERS: readonly DataType[] = Object.freeze([...SIGNED, ...UNSIGNED])
const FLOAT: DataType = Object.freeze({ kind: 'float', bits: 32 })
export const DOUBLE: DataType = Object.freeze({ kind: 'float', bits: 64 })
export const FLOATS: readonly DataType[] = Object.freeze([FLOAT, DOUBLE])
export const NUMBERS: readonly DataType[] = Object.freeze([...INTEGERS, ...FLOATS])
export const VARCHAR: DataType = Object.freeze({ kind: 'utf8' })
export const DATE: DataType = Object.freeze({ kind: 'date', unit: 'day' })
export const TIME: DataType = Object.freeze({ kind: 'time', unit: 'microsecond' })
export const TIMESTAMPS: readonly DataType[] = Object.freeze(
  (['second', 'millisecond', 'microsecond', 'nanosecond'] as const).map(timestamp),
)

/**
 * A type of each kind that the core's kernels compare and choose between. Timestamps in UTC stand for those with another zone, which
 * are compared as the instants that they are.
 */
export const VALUES: readonly DataType[] = Object.freeze([
  BOOLEAN,
  ...NUMBERS,
  VARCHAR,
  DATE,
  TIME,
  ...TIMESTAMPS,
  TIMESTAMPTZ,
  TIMESTAMPTZ_NS,
])

/** Whether the core's kernels compare values of a type and choose between them. */
export function isKernelValue(type: DataType): boolean {
  switch (type.kind) {
    case 'bool':
    case 'int':
    case 'utf8':
    case 'time':
    case 'timestamp':
      return true
    case 'float':
      return type.bits !== 16
    case 'decimal':
      return isShortDecimal(type)
    case 'date':
      return type.unit === 'day'
    default:
      return false
  }
}
