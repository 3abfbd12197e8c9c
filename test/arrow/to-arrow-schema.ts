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
  Struct,
  Time,
  Timestamp,
  Utf8,
} from 'apache-arrow'
import type { DataType, Field, Schema, TimeUnit } from '../../src/plan/types/schema.ts'

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
    case 'uuid':
      return new FixedSizeBinary(16)
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

/** A schema as the apache-arrow package has it; the id of a dictionary is the place of its column. */
export function toArrowSchema({ fields, metadata }: Schema): ArrowSchema {
  return new ArrowSchema(
    fields.map((field, id) => toArrowField(field, id)),
    new Map(Object.entries(metadata)),
  )
}
