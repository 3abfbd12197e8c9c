import type { DataType } from '../../../plan/types/schema.ts'

/** Digits of DuckDB's `DECIMAL`. */
export const MOST_DIGITS = 38

const INT32: DataType = Object.freeze({ kind: 'int', bits: 32, signed: true })
const FLOAT32: DataType = Object.freeze({ kind: 'float', bits: 32 })

/**
 * The type in which a column of files goes through a statement and leaves it, which a scan widens it to: the tables of
 * docs/reference/sql.md, one after the other. Null: DuckDB changes its values in another way, or it is not for the core.
 */
export function sqlColumnType(type: DataType): DataType | null {
  switch (type.kind) {
    case 'null':
      return INT32
    case 'bool':
    case 'int':
    case 'utf8':
    case 'binary':
      return type
    case 'float':
      return type.bits === 16 ? FLOAT32 : type
    case 'decimal': {
      const { bits, precision, scale } = type
      return bits === 128 && precision <= MOST_DIGITS && scale >= 0 && scale <= precision ? type : null
    }
    case 'date':
      return type.unit === 'day' ? type : null
    case 'time':
      return type.unit === 'nanosecond' ? null : { kind: 'time', unit: 'microsecond' }
    case 'timestamp':
      if (type.zone === null) return type
      return type.unit === 'nanosecond' ? null : { kind: 'timestamp', unit: 'microsecond', zone: 'UTC' }
    case 'dictionary':
      return sqlColumnType(type.value)
    default:
      return null
  }
}
