import type { DataType } from '../../../plan/types/schema.ts'

/** The most digits of DuckDB's type `DECIMAL`. Columns of more digits are `DOUBLE` there. */
export const MOST_DIGITS = 38

const INT32: DataType = Object.freeze({ kind: 'int', bits: 32, signed: true })
const FLOAT32: DataType = Object.freeze({ kind: 'float', bits: 32 })

/**
 * The type that a column of files has in the answer to a statement, if a scan can widen the column to it: from the type of the
 * file to DuckDB's, and from that to Arrow's (the tables of docs/reference/sql.md). Null: DuckDB changes the values in a way
 * that the core does not.
 */
export function sqlColumnType(type: DataType): DataType | null {
  switch (type.kind) {
    case 'null':
      return INT32
    case 'bool':
    case 'int':
    case 'utf8':
    case 'binary':
    case 'uuid':
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
      return type.unit === 'nanosecond' ? type : { kind: 'time', unit: 'microsecond' }
    case 'timestamp':
      if (type.zone === null) return type
      return { ...type, unit: type.unit === 'nanosecond' ? 'nanosecond' : 'microsecond', zone: 'UTC' }
    case 'dictionary':
      return sqlColumnType(type.value)
    default:
      return null
  }
}
