import {
  Field as ArrowField,
  Schema as ArrowSchema,
  TimeUnit as ArrowTimeUnit,
  type DataType as ArrowType,
  Binary,
  Bool,
  DateDay,
  DateMillisecond,
  Decimal,
  Dictionary,
  Duration,
  FixedSizeBinary,
  FixedSizeList,
  Float,
  Int,
  IntervalDayTime,
  IntervalMonthDayNano,
  IntervalYearMonth,
  LargeList,
  List,
  Map_,
  Null,
  Precision,
  RecordBatchStreamWriter,
  Struct,
  Time,
  Timestamp,
  Utf8,
} from 'apache-arrow'
import { createRecent } from '../../plan/recent.ts'
import type { DataType, Field, Schema, TimeUnit } from '../../plan/types/schema.ts'

const UNIT: Readonly<Record<TimeUnit, ArrowTimeUnit>> = Object.freeze({
  second: ArrowTimeUnit.SECOND,
  millisecond: ArrowTimeUnit.MILLISECOND,
  microsecond: ArrowTimeUnit.MICROSECOND,
  nanosecond: ArrowTimeUnit.NANOSECOND,
})

function toArrowType(type: DataType, id: number): ArrowType {
  switch (type.kind) {
    case 'null':
      return new Null()
    case 'bool':
      return new Bool()
    case 'int':
      return new Int(type.signed, type.bits)
    case 'float':
      return new Float([Precision.HALF, Precision.SINGLE, Precision.DOUBLE][type.bits >> 5] ?? 2)
    case 'decimal':
      return new Decimal(type.scale, type.precision, type.bits)
    case 'utf8':
      return new Utf8()
    case 'binary':
      return new Binary()
    case 'fixed_binary':
      return new FixedSizeBinary(type.width)
    case 'date':
      return type.unit === 'day' ? new DateDay() : new DateMillisecond()
    case 'time':
      return new Time(UNIT[type.unit], type.unit === 'second' || type.unit === 'millisecond' ? 32 : 64)
    case 'timestamp':
      return new Timestamp(UNIT[type.unit], type.zone)
    case 'duration':
      return new Duration(UNIT[type.unit])
    case 'interval':
      switch (type.unit) {
        case 'year_month':
          return new IntervalYearMonth()
        case 'day_time':
          return new IntervalDayTime()
        case 'month_day_nano':
          return new IntervalMonthDayNano()
      }
      break
    case 'list':
      return new List(toArrowField(type.item))
    case 'large_list':
      return new LargeList(toArrowField(type.item))
    case 'fixed_list':
      return new FixedSizeList(type.size, toArrowField(type.item))
    case 'struct':
      return new Struct(type.fields.map((field) => toArrowField(field)))
    case 'map':
      return new Map_(
        toArrowField(type.entries) as ArrowField<Struct<{ key: ArrowType; value: ArrowType }>>,
        type.sorted,
      )
    case 'dictionary':
      return new Dictionary(
        toArrowType(type.value, id),
        toArrowType(type.index, id) as Dictionary['indices'],
        id,
        type.ordered,
      )
  }
}

/** `id`: of its dictionary, if it is one. */
function toArrowField(field: Field, id = 0): ArrowField {
  return new ArrowField(
    field.name,
    toArrowType(field.type, id),
    field.nullable,
    new Map(Object.entries(field.metadata)),
  )
}

/** Bytes of the end-of-stream marker that the writer puts behind the schema. */
const MARKER_BYTES = 8

/** The end of an Arrow IPC stream. */
export const END_OF_STREAM = Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])

/** Bytes of messages that are kept, with the schemas that they are of. */
const KEPT_BYTES = 1 << 20

const kept = createRecent<Buffer>(KEPT_BYTES, (message, json) => message.buffer.byteLength + 2 * json.length)

/**
 * The schema as the first message of an Arrow IPC stream: prefix, length, metadata padded to 8 bytes. The id of a
 * dictionary is its column's place. The bytes are shared.
 */
export function schemaMessage(schema: Schema): Buffer {
  const json = JSON.stringify(schema)
  const known = kept.get(json)
  if (known !== undefined) return known
  const message = encoded(schema)
  kept.put(json, message)
  return message
}

function encoded(schema: Schema): Buffer {
  const writer = new RecordBatchStreamWriter()
  writer.reset(
    undefined,
    new ArrowSchema(
      schema.fields.map((field, id) => toArrowField(field, id)),
      new Map(Object.entries(schema.metadata)),
    ),
  )
  writer.finish()
  const bytes = writer.toUint8Array(true)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength - MARKER_BYTES)
}
