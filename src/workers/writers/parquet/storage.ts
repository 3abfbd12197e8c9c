import type { DataType } from '../../../plan/types/schema.ts'

/** A physical type of Parquet. */
export type ParquetStorage =
  | { readonly kind: 'boolean' | 'int32' | 'int64' | 'float' | 'double' | 'byte_array' }
  | { readonly kind: 'fixed_len_byte_array'; readonly length: number }

/**
 * What the values of a flat type are stored as. Null: the type is nested.
 *
 * - Integers below 32 bits are extended. Only nulls are an int32.
 * - Seconds of times and timestamps become milliseconds, and dates of milliseconds become days.
 * - Decimals have the least bytes that hold their precision: an int32, an int64, or bytes with the highest first.
 * - Intervals have 12 bytes: months, days and milliseconds, 32 bits each, unsigned.
 */
export function storageOf(type: DataType): ParquetStorage | null {
  switch (type.kind) {
    case 'null':
      return INT32
    case 'bool':
      return BOOLEAN
    case 'int':
      return type.bits === 64 ? INT64 : INT32
    case 'float':
      return type.bits === 16 ? fixed(2) : type.bits === 32 ? FLOAT : DOUBLE
    case 'decimal':
      return decimalStorage(type.precision)
    case 'utf8':
    case 'binary':
      return BYTE_ARRAY
    case 'fixed_binary':
      return fixed(type.width)
    case 'uuid':
      return fixed(16)
    case 'date':
      return INT32
    case 'time':
      return type.unit === 'second' || type.unit === 'millisecond' ? INT32 : INT64
    case 'timestamp':
    case 'duration':
      return INT64
    case 'interval':
      return fixed(12)
    case 'dictionary':
      return storageOf(type.value)
    default:
      return null
  }
}

const plain = (kind: Exclude<ParquetStorage['kind'], 'fixed_len_byte_array'>): ParquetStorage =>
  Object.freeze({ kind })
const fixed = (length: number): ParquetStorage => Object.freeze({ kind: 'fixed_len_byte_array', length })

const BOOLEAN = plain('boolean')
const INT32 = plain('int32')
const INT64 = plain('int64')
const FLOAT = plain('float')
const DOUBLE = plain('double')
const BYTE_ARRAY = plain('byte_array')

function decimalStorage(precision: number): ParquetStorage {
  if (precision <= 9) return INT32
  if (precision <= 18) return INT64
  // A sign and the bits of the greatest number of so many digits.
  const bits = 1 + (10n ** BigInt(precision) - 1n).toString(2).length
  return fixed(Math.ceil(bits / 8))
}
