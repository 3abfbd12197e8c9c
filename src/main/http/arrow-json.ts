import { markedMetadata } from '../../plan/arrow/extension.ts'
import type { DataType, Field, Schema, TimeUnit } from '../../plan/types/schema.ts'
import { UUID_BYTES } from '../../plan/types/uuid.ts'

/** The JSON form of a schema that clients build Arrow types from (docs/reference/http.md). */
export interface SchemaJson {
  readonly fields: readonly FieldJson[]
  readonly metadata: Readonly<Record<string, string>>
}

export interface FieldJson {
  readonly name: string
  readonly data_type: TypeJson
  readonly nullable: boolean
  /** Always 0: a part of the form that means something only to the writer of a file. */
  readonly dict_id: number
  readonly dict_is_ordered: boolean
  readonly metadata: Readonly<Record<string, string>>
}

/** The name of a type without parameters, or an object whose only key is the name and whose value has the parameters. */
type TypeJson = string | { readonly [name: string]: unknown }

export function schemaToJson(schema: Schema): SchemaJson {
  return { fields: schema.fields.map(fieldToJson), metadata: schema.metadata }
}

export function fieldToJson(field: Field): FieldJson {
  return {
    name: field.name,
    data_type: typeToJson(field.type),
    nullable: field.nullable,
    dict_id: 0,
    dict_is_ordered: field.type.kind === 'dictionary' && field.type.ordered,
    metadata: markedMetadata(field),
  }
}

function typeToJson(type: DataType): TypeJson {
  switch (type.kind) {
    case 'null':
      return 'Null'
    case 'bool':
      return 'Boolean'
    case 'int':
      return `${type.signed ? 'Int' : 'UInt'}${type.bits}`
    case 'float':
      return `Float${type.bits}`
    case 'decimal':
      return { [`Decimal${type.bits}`]: [type.precision, type.scale] }
    case 'utf8':
      return 'Utf8'
    case 'binary':
      return 'Binary'
    case 'fixed_binary':
      return { FixedSizeBinary: type.width }
    case 'uuid':
      return { FixedSizeBinary: UUID_BYTES }
    case 'date':
      return type.unit === 'day' ? 'Date32' : 'Date64'
    case 'time':
      return type.unit === 'second' || type.unit === 'millisecond'
        ? { Time32: UNIT[type.unit] }
        : { Time64: UNIT[type.unit] }
    case 'timestamp':
      return { Timestamp: [UNIT[type.unit], type.zone] }
    case 'duration':
      return { Duration: UNIT[type.unit] }
    case 'interval':
      return { Interval: INTERVAL[type.unit] }
    case 'list':
      return { List: fieldToJson(type.item) }
    case 'large_list':
      return { LargeList: fieldToJson(type.item) }
    case 'fixed_list':
      return { FixedSizeList: [fieldToJson(type.item), type.size] }
    case 'struct':
      return { Struct: type.fields.map(fieldToJson) }
    case 'map':
      return { Map: [fieldToJson(type.entries), type.sorted] }
    case 'dictionary':
      return { Dictionary: [typeToJson(type.index), typeToJson(type.value)] }
  }
}

const UNIT: Readonly<Record<TimeUnit, string>> = {
  second: 'Second',
  millisecond: 'Millisecond',
  microsecond: 'Microsecond',
  nanosecond: 'Nanosecond',
}

const INTERVAL = { year_month: 'YearMonth', day_time: 'DayTime', month_day_nano: 'MonthDayNano' } as const
