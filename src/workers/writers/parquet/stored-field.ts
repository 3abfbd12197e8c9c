import { type DataType, type Field, valueType } from '../../../plan/types/schema.ts'

/** The column as the file has it: dictionaries count as their values, and seconds of times and timestamps become milliseconds. */
export function storedField(field: Field): Field {
  return { ...field, type: storedType(valueType(field.type)) }
}

function storedType(type: DataType): DataType {
  const hasSeconds = (type.kind === 'time' || type.kind === 'timestamp') && type.unit === 'second'
  return hasSeconds ? { ...type, unit: 'millisecond' } : type
}

/**
 * The column as the file's Arrow schema has it. Intervals of three parts are the 12 bytes that they are stored in: the parquet crate of Rust
 * refuses files whose schema has them, and nobody reads them by that schema.
 */
export function hintField(field: Field): Field {
  const { type } = field
  const isInterval = type.kind === 'interval' && type.unit === 'month_day_nano'
  return isInterval ? { ...field, type: { kind: 'fixed_binary', width: 12 } } : field
}
