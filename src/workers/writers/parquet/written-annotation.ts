import type { DataType } from '../../../plan/types/schema.ts'
import { type Annotation, annotation } from '../../formats/parquet/metadata/annotation.ts'
import { ConvertedType } from '../../formats/parquet/metadata/metadata.ts'

/**
 * The annotation of a leaf in a file that is written here. It has the older converted type as well, from which DuckDB takes the types of
 * text, integers, decimals and dates.
 */
export function writtenAnnotation(type: DataType, physical: number): Annotation {
  if (type.kind === 'interval') return { convertedType: ConvertedType.interval }
  if (type.kind === 'uuid') return { logicalType: { uuid: {} } }
  const annotated = annotation(type, physical)
  const convertedType = annotated.logicalType && convertedOf(type)
  return { ...annotated, ...(convertedType !== undefined && { convertedType }) }
}

function convertedOf(type: DataType): number | undefined {
  switch (type.kind) {
    case 'int':
      return ConvertedType[`${type.signed ? 'int' : 'uint'}${type.bits}`]
    case 'decimal':
      return ConvertedType.decimal
    case 'utf8':
      return ConvertedType.utf8
    case 'date':
      return ConvertedType.date
    // The converted type stands for times in UTC.
    case 'timestamp':
      if (type.zone === null) return undefined
      if (type.unit === 'millisecond') return ConvertedType.timestampMillis
      return type.unit === 'microsecond' ? ConvertedType.timestampMicros : undefined
    default:
      return undefined
  }
}
