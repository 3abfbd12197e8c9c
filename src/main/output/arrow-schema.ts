import * as arrow from 'apache-arrow'
import type { DataType, Field, Schema, TimeUnit } from '../../plan/schema.ts'

const UNIT: Readonly<Record<TimeUnit, arrow.TimeUnit>> = Object.freeze({
  second: arrow.TimeUnit.SECOND,
  millisecond: arrow.TimeUnit.MILLISECOND,
  microsecond: arrow.TimeUnit.MICROSECOND,
  nanosecond: arrow.TimeUnit.NANOSECOND,
})

function toArrowType(type: DataType): arrow.DataType {
  switch (type.kind) {
    case 'null':
      return new arrow.Null()
    case 'bool':
      return new arrow.Bool()
    case 'int':
      return new arrow.Int(type.signed, type.bits)
    case 'float':
      return new arrow.Float(
        [arrow.Precision.HALF, arrow.Precision.SINGLE, arrow.Precision.DOUBLE][type.bits >> 5] ?? 2,
      )
    case 'decimal':
      return new arrow.Decimal(type.scale, type.precision, type.bits)
    case 'utf8':
      return new arrow.Utf8()
    case 'binary':
      return new arrow.Binary()
    case 'fixed_binary':
      return new arrow.FixedSizeBinary(type.width)
    case 'date':
      return type.unit === 'day' ? new arrow.DateDay() : new arrow.DateMillisecond()
    case 'time':
      return new arrow.Time(UNIT[type.unit], type.unit === 'second' || type.unit === 'millisecond' ? 32 : 64)
    case 'timestamp':
      return new arrow.Timestamp(UNIT[type.unit], type.zone)
    case 'duration':
      return new arrow.Duration(UNIT[type.unit])
    case 'interval':
      switch (type.unit) {
        case 'year_month':
          return new arrow.IntervalYearMonth()
        case 'day_time':
          return new arrow.IntervalDayTime()
        case 'month_day_nano':
          return new arrow.IntervalMonthDayNano()
      }
      break
    case 'list':
      return new arrow.List(toArrowField(type.item))
    case 'large_list':
      return new arrow.LargeList(toArrowField(type.item))
    case 'fixed_list':
      return new arrow.FixedSizeList(type.size, toArrowField(type.item))
    case 'struct':
      return new arrow.Struct(type.fields.map(toArrowField))
    case 'map':
      return new arrow.Map_(
        toArrowField(type.entries) as arrow.Field<
          arrow.Struct<{ key: arrow.DataType; value: arrow.DataType }>
        >,
        type.sorted,
      )
  }
}

function toArrowField(field: Field): arrow.Field {
  return new arrow.Field(
    field.name,
    toArrowType(field.type),
    field.nullable,
    new Map(Object.entries(field.metadata)),
  )
}

/** Bytes of the end-of-stream marker that the writer puts behind the schema. */
const MARKER_BYTES = 8

/** The end of an Arrow IPC stream. */
export const END_OF_STREAM = Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])

/** The schema as the first message of an Arrow IPC stream: prefix, length, metadata padded to 8 bytes. */
export function schemaMessage(schema: Schema): Buffer {
  const writer = new arrow.RecordBatchStreamWriter()
  writer.reset(
    undefined,
    new arrow.Schema(schema.fields.map(toArrowField), new Map(Object.entries(schema.metadata))),
  )
  writer.finish()
  const bytes = writer.toUint8Array(true)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength - MARKER_BYTES)
}
