import { ServiceError } from '../../../../plan/errors.ts'
import { type DataType, type Field, isNested, typeName } from '../../../../plan/types/schema.ts'

/**
 * Throws `not_supported` for columns that a Parquet file cannot have (docs/reference/file-types.md): types without a form, and columns of
 * equal names.
 */
export function requireParquetColumns(fields: readonly Field[]): void {
  const names = new Set<string>()
  for (const { name, type } of fields) {
    if (names.has(name))
      throw new ServiceError(
        'not_supported',
        `output.format: two columns are named ${JSON.stringify(name)}, which a Parquet file cannot have; give one of them an alias`,
      )
    names.add(name)
    const fault = faultOf(type, false)
    if (fault !== null)
      throw new ServiceError(
        'not_supported',
        `output.format: column ${JSON.stringify(name)} has the type ${typeName(type)}; ${fault}`,
      )
  }
}

/** Why Parquet has no form for a type, and what to do. Null: it has one. `isInside`: whether its values are within those of a column. */
function faultOf(type: DataType, isInside: boolean): string | null {
  switch (type.kind) {
    case 'fixed_binary':
      return type.width > 0 ? null : 'Parquet has no values of 0 bytes; leave the column out'
    case 'decimal':
      return type.scale >= 0 && type.scale <= type.precision
        ? null
        : 'Parquet has decimals whose scale is from 0 to their precision; cast it to DOUBLE'
    case 'dictionary':
      return faultOf(type.value, isInside)
    case 'struct': {
      if (type.fields.length === 0) return 'Parquet has no struct without fields; leave the column out'
      return firstFault(type.fields)
    }
    case 'map':
      return firstFault([type.entries])
    case 'fixed_list':
      if (type.size === 0) return 'Parquet has no lists of a fixed length of 0; leave the column out'
      return firstFault([type.item])
    case 'list':
    case 'large_list':
      return firstFault([type.item])
    default:
      return isInside && !isNested(type) ? insideFault(type) : null
  }
}

function firstFault(fields: readonly Field[]): string | null {
  for (const { type } of fields) {
    const fault = faultOf(type, true)
    if (fault !== null) return fault
  }
  return null
}

/** Of types that are converted when they are written, which is done for whole columns alone. */
function insideFault(type: DataType): string | null {
  const advice = insideAdvice(type)
  return advice === null
    ? null
    : `${typeName(type)} within lists, structs and maps has no form in Parquet; ${advice}`
}

function insideAdvice(type: DataType): string | null {
  switch (type.kind) {
    case 'timestamp':
      return type.unit === 'second' ? 'cast its values to TIMESTAMP_MS' : null
    case 'time':
      return type.unit === 'second' ? 'cast its values to TIME' : null
    case 'date':
      return type.unit === 'millisecond' ? 'cast its values to DATE' : null
    case 'interval':
      return type.unit === 'month_day_nano' ? 'cast its values to VARCHAR' : null
    default:
      return null
  }
}
