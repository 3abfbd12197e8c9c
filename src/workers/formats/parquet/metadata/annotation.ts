import type { DataType, TimeUnit } from '../../../../plan/types/schema.ts'
import { ConvertedType, type LogicalType, PhysicalType, type SchemaElement } from './metadata.ts'

export type Annotation = Pick<SchemaElement, 'convertedType' | 'logicalType' | 'scale' | 'precision'>

/** The logical type of a leaf that has a flat type, stored as the physical type `physical`, with which parquet-wasm reads it. */
export function annotation(type: DataType, physical: number): Annotation {
  const logical = (logicalType: LogicalType): Annotation => ({ logicalType })
  switch (type.kind) {
    case 'null':
      return logical({ unknown: {} })
    case 'int': {
      const isPlain = type.signed && type.bits === (physical === PhysicalType.int64 ? 64 : 32)
      return isPlain ? {} : logical({ integer: { bitWidth: type.bits, isSigned: type.signed } })
    }
    case 'float':
      return type.bits === 16 ? logical({ float16: {} }) : {}
    case 'decimal': {
      const { scale, precision } = type
      return { logicalType: { decimal: { scale, precision } }, scale, precision }
    }
    case 'utf8':
      return logical({ string: {} })
    case 'date':
      return logical({ date: {} })
    case 'time':
      return logical({ time: { isAdjustedToUtc: false, unit: unitOf(type.unit) } })
    case 'timestamp':
      return logical({ timestamp: { isAdjustedToUtc: type.zone !== null, unit: unitOf(type.unit) } })
    // parquet-wasm makes no interval of all three parts. It reads the 12 bytes as they are stored, and the core converts them.
    case 'interval':
      return type.unit === 'month_day_nano' ? {} : { convertedType: ConvertedType.interval }
    default:
      return {}
  }
}

function unitOf(unit: TimeUnit) {
  return unit === 'millisecond' ? { millis: {} } : unit === 'microsecond' ? { micros: {} } : { nanos: {} }
}
