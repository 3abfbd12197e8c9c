import { ServiceError } from '../../../../plan/errors.ts'
import { type DataType, DECIMAL_DIGITS, type IntType, type TimeUnit } from '../../../../plan/types/schema.ts'
import { UUID_BYTES } from '../../../../plan/types/uuid.ts'
import { ConvertedType, type LogicalType, PhysicalType, type SchemaElement } from './metadata.ts'

/**
 * The Arrow type of a leaf (LogicalTypes.md of apache/parquet-format; docs/reference/types.md). The logical type takes
 * precedence over the converted type, which is older. An unknown annotation is ignored. Throws `unreadable_file`.
 */
export function leafType(element: SchemaElement): DataType {
  const annotation = element.logicalType ?? {}
  // Any physical type may be annotated as always null.
  if (annotation.unknown) return { kind: 'null' }
  switch (element.type) {
    case PhysicalType.boolean:
      return { kind: 'bool' }
    case PhysicalType.int32:
      return decimalOf(element, 128) ?? int32(annotation, element.convertedType)
    case PhysicalType.int64:
      return decimalOf(element, 128) ?? int64(annotation, element.convertedType)
    case PhysicalType.int96:
      return { kind: 'timestamp', unit: 'nanosecond', zone: null }
    case PhysicalType.float:
      return { kind: 'float', bits: 32 }
    case PhysicalType.double:
      return { kind: 'float', bits: 64 }
    case PhysicalType.byteArray:
      return (
        decimalOf(element, precisionOf(element) > 38 ? 256 : 128) ??
        byteArray(annotation, element.convertedType)
      )
    case PhysicalType.fixedLenByteArray:
      return fixedLenByteArray(element)
    default:
      throw damaged(element, `has the physical type ${element.type}`)
  }
}

function int32(annotation: LogicalType, converted: number | undefined): DataType {
  if (annotation.date || converted === ConvertedType.date) return { kind: 'date', unit: 'day' }
  if (annotation.time?.unit.millis || converted === ConvertedType.timeMillis)
    return { kind: 'time', unit: 'millisecond' }
  return integer(annotation, converted, [8, 16, 32]) ?? { kind: 'int', bits: 32, signed: true }
}

function int64(annotation: LogicalType, converted: number | undefined): DataType {
  const { time, timestamp } = annotation
  if (timestamp)
    return {
      kind: 'timestamp',
      unit: unitOf(timestamp.unit),
      zone: timestamp.isAdjustedToUtc ? 'UTC' : null,
    }
  if (time && !time.unit.millis) return { kind: 'time', unit: unitOf(time.unit) }
  const named = integer(annotation, converted, [64])
  if (named) return named
  switch (converted) {
    case ConvertedType.timeMicros:
      return { kind: 'time', unit: 'microsecond' }
    // The converted types stand for times in UTC.
    case ConvertedType.timestampMillis:
      return { kind: 'timestamp', unit: 'millisecond', zone: 'UTC' }
    case ConvertedType.timestampMicros:
      return { kind: 'timestamp', unit: 'microsecond', zone: 'UTC' }
    default:
      return { kind: 'int', bits: 64, signed: true }
  }
}

function unitOf(unit: { readonly millis?: unknown; readonly micros?: unknown }): TimeUnit {
  return unit.millis ? 'millisecond' : unit.micros ? 'microsecond' : 'nanosecond'
}

const CONVERTED_INTEGERS = new Map<number | undefined, { bitWidth: number; isSigned: boolean }>([
  [ConvertedType.uint8, { bitWidth: 8, isSigned: false }],
  [ConvertedType.uint16, { bitWidth: 16, isSigned: false }],
  [ConvertedType.uint32, { bitWidth: 32, isSigned: false }],
  [ConvertedType.uint64, { bitWidth: 64, isSigned: false }],
  [ConvertedType.int8, { bitWidth: 8, isSigned: true }],
  [ConvertedType.int16, { bitWidth: 16, isSigned: true }],
])

/** The integer type of an annotation, if its width is one of `widths`, which the physical type can hold. */
function integer(
  annotation: LogicalType,
  converted: number | undefined,
  widths: readonly IntType['bits'][],
): DataType | null {
  const named = annotation.integer ?? CONVERTED_INTEGERS.get(converted)
  const bits = widths.find((width) => width === named?.bitWidth)
  return named && bits ? { kind: 'int', bits, signed: named.isSigned } : null
}

function byteArray(annotation: LogicalType, converted: number | undefined): DataType {
  const { string, json, enum: enumeration } = annotation
  const isText =
    string ||
    json ||
    enumeration ||
    converted === ConvertedType.utf8 ||
    converted === ConvertedType.json ||
    converted === ConvertedType.enum
  return { kind: isText ? 'utf8' : 'binary' }
}

function fixedLenByteArray(element: SchemaElement): DataType {
  const width = element.typeLength ?? 0
  if (width <= 0) throw damaged(element, `has a fixed length of ${width} bytes`)
  const decimal = decimalOf(element, width > 16 ? 256 : 128)
  if (decimal) {
    if (width > 32) throw damaged(element, `is a decimal of ${width} bytes`)
    return decimal
  }
  if (element.logicalType?.float16 && width === 2) return { kind: 'float', bits: 16 }
  if (element.convertedType === ConvertedType.interval && width === 12)
    return { kind: 'interval', unit: 'day_time' }
  if (element.logicalType?.uuid && width === UUID_BYTES) return { kind: 'uuid' }
  return { kind: 'fixed_binary', width }
}

function decimalOf(element: SchemaElement, bits: 128 | 256): DataType | null {
  if (!element.logicalType?.decimal && element.convertedType !== ConvertedType.decimal) return null
  const precision = precisionOf(element)
  const scale = element.logicalType?.decimal?.scale ?? element.scale ?? 0
  if (precision < 1 || precision > DECIMAL_DIGITS[bits] || scale < 0 || scale > precision)
    throw damaged(element, `is a decimal of precision ${precision} and scale ${scale}`)
  return { kind: 'decimal', bits, precision, scale }
}

function precisionOf(element: SchemaElement): number {
  return element.logicalType?.decimal?.precision ?? element.precision ?? 0
}

function damaged(element: SchemaElement, what: string): ServiceError {
  return new ServiceError('unreadable_file', `column "${element.name}" ${what}, which does not exist`)
}
