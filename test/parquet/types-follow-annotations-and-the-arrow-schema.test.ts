import { readFileSync } from 'node:fs'
import t from 'tap'
import { typeName } from '../../src/plan/types/schema.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { hintedType } from '../../src/workers/formats/parquet/metadata/hint.ts'
import { PhysicalType } from '../../src/workers/formats/parquet/metadata/metadata.ts'
import { parquet } from '../../src/workers/formats/parquet/parquet.ts'
import { readContext } from '../formats/context.ts'
import { fixture } from '../formats/fixtures.ts'
import { memorySource } from '../formats/source.ts'

const context = readContext(createCore({ maximumBytes: 64 << 20 }))

const FLAT = {
  bool: 'Boolean',
  i8: 'Int8',
  i16: 'Int16',
  i32: 'Int32',
  i64: 'Int64',
  u8: 'UInt8',
  u16: 'UInt16',
  u32: 'UInt32',
  u64: 'UInt64',
  f16: 'Float16',
  f32: 'Float32',
  f64: 'Float64',
  text: 'Utf8',
  binary: 'Binary',
  fixed: 'FixedSizeBinary(5)',
  date: 'Date32',
  time_ms: 'Time32(ms)',
  time_us: 'Time64(us)',
  time_ns: 'Time64(ns)',
  ts_ms: 'Timestamp(ms)',
  ts_us: 'Timestamp(us, UTC)',
  ts_ns: 'Timestamp(ns, Europe/Oslo)',
  dec_9: 'Decimal128(9, 2)',
  dec_18: 'Decimal128(18, 3)',
  dec_38: 'Decimal128(38, 0)',
  dec_76: 'Decimal256(76, 4)',
}

const EXPECTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'flat-none': { ...FLAT, duration: 'Duration(us)' },
  // Parquet itself only says whether a time is in UTC, and names no zone.
  'flat-no-hint': { ...FLAT, ts_ns: 'Timestamp(ns, UTC)' },
  'odd-types': {
    null: 'Null',
    all_null: 'Utf8',
    dictionary: 'Utf8',
    large_text: 'Utf8',
    text_view: 'Utf8',
    binary_view: 'Binary',
    large_binary: 'Binary',
    date64: 'Date64',
    ts_s: 'Timestamp(ms)',
    time_s: 'Time32(ms)',
    dec_32: 'Decimal32(5, 1)',
    dec_64: 'Decimal64(12, 1)',
    uuid: 'UUID',
    json: 'Utf8',
  },
  'nested-v1': {
    list: 'List<Int32>',
    texts: 'List<Utf8>',
    lists: 'List<List<Int64>>',
    struct: 'Struct<x: Float64, label: Utf8>',
    structs: 'List<Struct<x: Float64, label: Utf8>>',
    deep: 'Struct<a: Struct<b: List<Struct<x: Float64, label: Utf8>>>>',
    map: 'Map<Struct<key: Utf8, value: Int64>>',
    large: 'LargeList<Float32>',
    triple: 'FixedSizeList<Int16, 3>',
    id: 'Int64',
  },
  int96: { t: 'Timestamp(ns)' },
  'duckdb-uuid': { uuid: 'UUID' },
  'duckdb-v1': {
    i8: 'Int8',
    u64: 'UInt64',
    f64: 'Decimal128(21, 1)',
    dec: 'Decimal128(7, 2)',
    dec38: 'Decimal128(38, 4)',
    text: 'Utf8',
    date: 'Date32',
    time: 'Time64(us)',
    ts: 'Timestamp(us)',
    ts_ns: 'Timestamp(ns)',
    tstz: 'Timestamp(us, UTC)',
    bool: 'Boolean',
    blob: 'Binary',
    platform: 'Utf8',
    list: 'List<Int64>',
    struct: 'Struct<a: Int64, b: List<Utf8>>',
    map: 'Map<Struct<key: Utf8, value: Int64>>',
    nullable: 'Int64',
    // Months, days and milliseconds, as pyarrow has it.
    span: 'Interval(month_day_nano)',
  },
  polars: {
    text: 'Utf8',
    category: 'Utf8',
    list: 'LargeList<Int64>',
    when: 'Timestamp(ns)',
    f: 'Float64',
    span: 'Duration(ms)',
    struct: 'Struct<a: Int64, b: Utf8>',
  },
  fastparquet: {
    i: 'Int64',
    f: 'Float64',
    text: 'Utf8',
    when: 'Timestamp(us)',
    category: 'Utf8',
    maybe: 'Int32',
    bool: 'Boolean',
  },
}

for (const [name, types] of Object.entries(EXPECTED)) {
  t.test(name, async (t) => {
    const file = parquet.open(memorySource(readFileSync(fixture('parquet', name))), context)
    t.strictSame(
      Object.fromEntries(file.schema.fields.map((field) => [field.name, typeName(field.type)])),
      types,
    )
    t.same(file.schema.metadata, {}, 'the file has metadata, the schema has none')
  })
}

t.test('the zone of the Arrow schema counts in any unit: Parquet has no seconds', async (t) => {
  const stored = { kind: 'timestamp', unit: 'millisecond', zone: 'UTC' } as const
  const hint = { kind: 'timestamp', unit: 'second', zone: 'Europe/Oslo' } as const
  t.same(hintedType(stored, PhysicalType.int64, hint), { ...stored, zone: 'Europe/Oslo' })
  t.same(hintedType(stored, PhysicalType.int64, { ...hint, zone: null }), stored)
})
