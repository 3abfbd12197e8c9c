import { readFileSync } from 'node:fs'
import t from 'tap'
import type { ColumnStatistics } from '../../src/plan/source/statistics.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import {
  ConvertedType,
  PhysicalType,
  type SchemaElement,
  type Statistics,
  statistics,
} from '../../src/workers/formats/parquet/metadata/metadata.ts'
import { encode } from '../../src/workers/formats/parquet/metadata/thrift.ts'
import { parquet } from '../../src/workers/formats/parquet/parquet.ts'
import { readContext } from '../formats/context.ts'
import { fixture } from '../formats/fixtures.ts'
import { memorySource } from '../formats/source.ts'
import { writeParquet } from './write-parquet.ts'

const context = readContext(createCore({ maximumBytes: 64 << 20 }))

/** The statistics of a file with one column `x` of 10 values. */
function statisticsOf(element: Omit<SchemaElement, 'name'>, says: Statistics): ColumnStatistics | null {
  const encoded = encode(statistics, says)
  const type = element.type ?? 0
  const levels = Array.from({ length: 10 }, () => ({ repetition: 0, definition: 0, value: 1 }))
  const bytes = writeParquet(
    [
      { name: 'schema', children: 1 },
      { name: 'x', repetition: 0, ...element },
    ],
    [{ path: ['x'], type, maxDefinition: 0, maxRepetition: 0, pages: [{ levels, version: 1 }] }],
    10,
    (metadata) => ({
      ...metadata,
      rowGroups: metadata.rowGroups.map((group) => ({
        ...group,
        columns: group.columns.map((column) =>
          column.metaData ? { ...column, metaData: { ...column.metaData, statistics: encoded } } : column,
        ),
      })),
    }),
  )
  return parquet.open(memorySource(bytes), context).statistics('x')[0] ?? null
}

/** Bounds that occur as values. */
const EXACT = { isMinExact: true, isMaxExact: true } as const

const double = (value: number): Uint8Array => Buffer.from(Float64Array.of(value).buffer)
const int32 = (value: number): Uint8Array => Buffer.from(Int32Array.of(value).buffer)
const int64 = (value: bigint): Uint8Array => Buffer.from(BigInt64Array.of(value).buffer)
const text = (value: string): Uint8Array => Buffer.from(value)

t.test('numbers bound in the order of their type', async (t) => {
  const { int32: i32, int64: i64 } = PhysicalType
  t.same(
    statisticsOf(
      { type: i64 },
      { minValue: int64(-(2n ** 63n)), maxValue: int64(2n ** 63n - 1n), nullCount: 3 },
    ),
    {
      min: { kind: 'int', value: -(2n ** 63n) },
      max: { kind: 'int', value: 2n ** 63n - 1n },
      ...EXACT,
      nulls: 3,
    },
  )
  const unsigned = { integer: { bitWidth: 32, isSigned: false } }
  t.same(statisticsOf({ type: i32, logicalType: unsigned }, { minValue: int32(1), maxValue: int32(-1) }), {
    min: { kind: 'int', value: 1n },
    max: { kind: 'int', value: 4294967295n },
    ...EXACT,
  })
  t.equal(
    statisticsOf({ type: i32, logicalType: unsigned }, { min: int32(1), max: int32(2) }),
    null,
    'old pair, unsigned',
  )
  t.same(statisticsOf({ type: i32 }, { min: int32(-1), max: int32(2) }), {
    min: { kind: 'int', value: -1n },
    max: { kind: 'int', value: 2n },
    ...EXACT,
  })
  t.equal(
    statisticsOf({ type: i64 }, { minValue: int32(1), maxValue: int32(2) }),
    null,
    'a bound of another width',
  )
  t.equal(statisticsOf({ type: i32 }, { minValue: int32(2), maxValue: int32(1) }), null, 'bounds that cross')
})

t.test('floats know neither NaN nor the sign of zero', async (t) => {
  const type = PhysicalType.double
  t.equal(statisticsOf({ type }, { minValue: double(Number.NaN), maxValue: double(Number.NaN) }), null)
  const half = statisticsOf({ type }, { minValue: double(1), maxValue: double(Number.NaN) })
  t.same(half, { min: { kind: 'float', value: 1 } })
  const zeros = statisticsOf({ type }, { minValue: double(0), maxValue: double(-0) })
  t.ok(zeros?.min?.kind === 'float' && Object.is(zeros.min.value, -0))
  t.ok(zeros?.max?.kind === 'float' && Object.is(zeros.max.value, 0))
})

t.test('text and binary decimals are ordered otherwise than the old pair assumes', async (t) => {
  const type = PhysicalType.byteArray
  const utf8 = { type, convertedType: ConvertedType.utf8 }
  t.equal(statisticsOf(utf8, { min: text('a'), max: text('z') }), null)
  t.same(statisticsOf(utf8, { minValue: text('a'), maxValue: text('zz') }), {
    min: { kind: 'bytes', value: text('a') },
    max: { kind: 'bytes', value: text('zz') },
  })
  const decimal = { type, logicalType: { decimal: { precision: 10, scale: 2 } } }
  t.equal(statisticsOf(decimal, { min: Uint8Array.of(255), max: Uint8Array.of(1) }), null)
  t.same(statisticsOf(decimal, { minValue: Uint8Array.of(255, 0), maxValue: Uint8Array.of(1) }), {
    min: { kind: 'int', value: -256n },
    max: { kind: 'int', value: 1n },
    ...EXACT,
  })
})

t.test('bounds are values where nothing can have been cut short', async (t) => {
  const utf8 = { type: PhysicalType.byteArray, convertedType: ConvertedType.utf8 }
  const texts = { minValue: text('a'), maxValue: text('zz') }
  const isExact = (found: ColumnStatistics | null) => [found?.isMinExact, found?.isMaxExact]
  t.same(isExact(statisticsOf(utf8, { ...texts, isMinExact: true, isMaxExact: false })), [true, undefined])
  const { int32: type, double: float } = PhysicalType
  const numbers = { minValue: int32(1), maxValue: int32(2) }
  t.same(isExact(statisticsOf({ type }, { ...numbers, isMaxExact: false })), [true, undefined])
  const floats = { minValue: double(1), maxValue: double(2), isMinExact: true, isMaxExact: true }
  t.same(isExact(statisticsOf({ type: float }, floats)), [undefined, undefined], 'NaN is in no bound')
})

t.test('what has no order, or counts that cannot be, say nothing', async (t) => {
  const bytes = Buffer.alloc(12)
  t.equal(statisticsOf({ type: PhysicalType.int96 }, { minValue: bytes, maxValue: bytes }), null)
  const interval = {
    type: PhysicalType.fixedLenByteArray,
    typeLength: 12,
    convertedType: ConvertedType.interval,
  }
  t.equal(statisticsOf(interval, { minValue: bytes, maxValue: bytes }), null)
  t.equal(statisticsOf({ type: PhysicalType.int32 }, { nullCount: 11 }), null)
  t.equal(statisticsOf({ type: PhysicalType.int32 }, { nullCount: -1 }), null)
  t.same(statisticsOf({ type: PhysicalType.int32 }, { nullCount: 0 }), { nulls: 0 })
})

t.test('of files by pyarrow', async (t) => {
  const floats = parquet.open(memorySource(readFileSync(fixture('parquet', 'statistics-floats'))), context)
  t.same(floats.statistics('nan'), [{ nulls: 0 }])
  t.same(floats.statistics('some_nan'), [
    { min: { kind: 'float', value: -1 }, max: { kind: 'float', value: 1 }, nulls: 1 },
  ])
  const flat = parquet.open(memorySource(readFileSync(fixture('parquet', 'flat-required'))), context)
  t.same(flat.statistics('dec_9'), [
    { min: { kind: 'int', value: -12345n }, max: { kind: 'int', value: 26655n }, ...EXACT, nulls: 0 },
  ])
  t.same(flat.statistics('dec_76')[0]?.min, { kind: 'int', value: -(10n ** 31n) })
  t.same(flat.statistics('u64')[0]?.max, { kind: 'int', value: 2n ** 64n - 1n })
  t.same(flat.statistics('date')[0]?.min, { kind: 'int', value: 18320n })
  const nested = parquet.open(memorySource(readFileSync(fixture('parquet', 'nested-v1'))), context)
  t.same(nested.statistics('list'), [null], 'leaves of nested columns say nothing of rows')
  t.same(nested.statistics('struct'), [null])
})
