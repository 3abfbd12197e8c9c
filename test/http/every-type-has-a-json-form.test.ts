import t from 'tap'
import { fieldToJson } from '../../src/main/http/arrow-json.ts'
import { type DataType, field } from '../../src/plan/types/schema.ts'

const item = field('item', { kind: 'utf8' })
const itemJson = {
  name: 'item',
  data_type: 'Utf8',
  nullable: true,
  dict_id: 0,
  dict_is_ordered: false,
  metadata: {},
}

const CASES: readonly (readonly [DataType, unknown])[] = [
  [{ kind: 'null' }, 'Null'],
  [{ kind: 'bool' }, 'Boolean'],
  [{ kind: 'int', bits: 8, signed: true }, 'Int8'],
  [{ kind: 'int', bits: 64, signed: false }, 'UInt64'],
  [{ kind: 'float', bits: 16 }, 'Float16'],
  [{ kind: 'float', bits: 64 }, 'Float64'],
  [{ kind: 'decimal', bits: 128, precision: 38, scale: 10 }, { Decimal128: [38, 10] }],
  [{ kind: 'decimal', bits: 32, precision: 9, scale: 2 }, { Decimal32: [9, 2] }],
  [{ kind: 'utf8' }, 'Utf8'],
  [{ kind: 'binary' }, 'Binary'],
  [{ kind: 'fixed_binary', width: 16 }, { FixedSizeBinary: 16 }],
  [{ kind: 'uuid' }, { FixedSizeBinary: 16 }],
  [{ kind: 'date', unit: 'day' }, 'Date32'],
  [{ kind: 'date', unit: 'millisecond' }, 'Date64'],
  [{ kind: 'time', unit: 'second' }, { Time32: 'Second' }],
  [{ kind: 'time', unit: 'millisecond' }, { Time32: 'Millisecond' }],
  [{ kind: 'time', unit: 'microsecond' }, { Time64: 'Microsecond' }],
  [{ kind: 'time', unit: 'nanosecond' }, { Time64: 'Nanosecond' }],
  [{ kind: 'timestamp', unit: 'nanosecond', zone: null }, { Timestamp: ['Nanosecond', null] }],
  [{ kind: 'timestamp', unit: 'millisecond', zone: 'UTC' }, { Timestamp: ['Millisecond', 'UTC'] }],
  [{ kind: 'duration', unit: 'millisecond' }, { Duration: 'Millisecond' }],
  [{ kind: 'interval', unit: 'year_month' }, { Interval: 'YearMonth' }],
  [{ kind: 'interval', unit: 'day_time' }, { Interval: 'DayTime' }],
  [{ kind: 'interval', unit: 'month_day_nano' }, { Interval: 'MonthDayNano' }],
  [{ kind: 'list', item }, { List: itemJson }],
  [{ kind: 'large_list', item }, { LargeList: itemJson }],
  [{ kind: 'fixed_list', item, size: 3 }, { FixedSizeList: [itemJson, 3] }],
  [{ kind: 'struct', fields: [item] }, { Struct: [itemJson] }],
  [
    {
      kind: 'dictionary',
      index: { kind: 'int', bits: 16, signed: false },
      value: { kind: 'utf8' },
      ordered: false,
    },
    { Dictionary: ['UInt16', 'Utf8'] },
  ],
  [{ kind: 'map', entries: item, sorted: false }, { Map: [itemJson, false] }],
]

t.test('a simple type is its name, any other an object with that one key', async (t) => {
  for (const [type, json] of CASES) t.same(fieldToJson(field('a', type)).data_type, json)
})

t.test('a field has its members in the order of the reference', async (t) => {
  const json = fieldToJson({ name: 'g', type: { kind: 'bool' }, nullable: false, metadata: { unit: '1' } })
  t.equal(
    JSON.stringify(json),
    '{"name":"g","data_type":"Boolean","nullable":false,"dict_id":0,"dict_is_ordered":false,"metadata":{"unit":"1"}}',
  )
})
