import { deepStrictEqual } from 'node:assert'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { isServiceError } from '../../src/plan/errors.ts'
import { segmentsOf } from '../../src/plan/source/segments.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import {
  ConvertedType,
  type LogicalType,
  PhysicalType,
  type SchemaElement,
  type Statistics,
  statistics,
} from '../../src/workers/formats/parquet/metadata/metadata.ts'
import { encode } from '../../src/workers/formats/parquet/metadata/thrift.ts'
import { createParquet } from '../../src/workers/formats/parquet/parquet.ts'
import type { Provider, SmallSummary } from '../../src/workers/formats/provider.ts'
import type { FileStore } from '../../src/workers/store/store.ts'
import { boundsOf } from '../../src/workers/tasks/bounds/bounds-of-segment.ts'
import { readContext } from '../formats/context.ts'
import { memorySource } from '../formats/source.ts'
import { fc, generator } from '../support/generate.ts'
import { writtenByParquetWasm } from './parquet-wasm-files.ts'
import { writeParquet } from './write-parquet.ts'

const core = createCore({ maximumBytes: 256 << 20 })
const context = readContext(core)
const LIMITS = { smallChunk: 4 << 20, indexedChunk: 64 << 10, together: 32 << 20 }

/** A file whose bytes a worker has in memory. */
function heldSource(bytes: Uint8Array): FileStore {
  const held: FileStore = {
    ...memorySource(bytes),
    open: (key) => (key === '' ? held : null),
    view: (offset, length) => bytes.subarray(offset, offset + length),
  }
  return held
}

/** What an inspection tells that opens the file. Null: it cannot be opened, or has several row groups or none. */
function inspectOpened(provider: Provider, bytes: Uint8Array): SmallSummary | null {
  const store = heldSource(bytes)
  try {
    const opened = provider.open(store, context)
    const segments = opened.segments([], store, context)
    const whole = boundsOf(opened, segmentsOf(segments))
    return whole === null ? null : { schema: opened.schema, segments, whole }
  } catch (error) {
    if (isServiceError(error) && error.code !== 'internal') return null
    throw error
  }
}

/** Whether the core has inspected the file, which has told what opening it tells. `first` is a file that was opened before. */
function isInspectedInCore(first: Uint8Array, bytes: Uint8Array): boolean {
  const provider = createParquet(LIMITS)
  inspectOpened(provider, first)
  const summary = provider.summarize?.(heldSource(bytes), context) ?? null
  if (summary !== null) deepStrictEqual(summary, inspectOpened(provider, bytes))
  return summary !== null
}

const FIXTURES = join(import.meta.dirname, '..', 'fixtures')

function fixtures(): readonly Buffer[] {
  return ['parquet', 'parquet-encodings', 'geoparquet'].flatMap((folder) =>
    readdirSync(join(FIXTURES, folder))
      .filter((file) => file.endsWith('.parquet'))
      .map((file) => readFileSync(join(FIXTURES, folder, file))),
  )
}

t.test('files of many writers', async (t) => {
  const inspected = fixtures().filter((bytes) => isInspectedInCore(bytes, bytes))
  t.ok(inspected.length > 20, `${inspected.length} files are inspected in the core`)
})

t.test('files of parquet-wasm, of any types', async () => {
  fc.assert(
    fc.property(writtenByParquetWasm, (bytes) => {
      isInspectedInCore(bytes, bytes)
    }),
    { numRuns: 60 },
  )
})

t.test('a file of another layout, or that is damaged, is left to be opened', async (t) => {
  const random = generator('damage')
  const all = fixtures()
  let inspected = 0
  for (const [index, bytes] of all.entries()) {
    for (const other of all.slice(index + 1)) isInspectedInCore(bytes, other)
    const footer = bytes.length < 12 ? 0 : bytes.readUInt32LE(bytes.length - 8)
    for (let round = 0; round < 60; round++) {
      const damaged = Buffer.from(bytes)
      const from = Math.max(0, bytes.length - 8 - footer)
      for (let change = 0; change <= random(3); change++) {
        const at = from + random(bytes.length - from)
        // The lower half of a field's header is its type, and the upper one the step to its id: both are 0 to 15.
        const [header = 0, other] = [damaged[at], random(256)]
        damaged[at] = [other, (header & 240) | (other & 15), other & 15][random(3)] ?? 0
      }
      const cut = random(8) === 0 ? damaged.subarray(0, random(damaged.length)) : damaged
      if (isInspectedInCore(bytes, cut)) inspected++
    }
  }
  t.ok(inspected > 0, `${inspected} damaged files are inspected in the core`)
  t.equal(core.isDead(), false)
})

type Element = Pick<SchemaElement, 'type' | 'logicalType' | 'convertedType'>

const { int32, int64, float, double, byteArray } = PhysicalType
const integer = (bitWidth: number, isSigned: boolean): LogicalType => ({ integer: { bitWidth, isSigned } })

const ELEMENTS: readonly Element[] = [
  { type: int32 },
  { type: int32, logicalType: integer(8, true) },
  { type: int32, logicalType: integer(32, false) },
  { type: int32, logicalType: { date: {} } },
  { type: int64 },
  { type: int64, convertedType: ConvertedType.uint64 },
  { type: int64, logicalType: { timestamp: { isAdjustedToUtc: true, unit: { micros: {} } } } },
  { type: float },
  { type: double },
  { type: byteArray, logicalType: { string: {} } },
  { type: int32, convertedType: ConvertedType.decimal },
]

/** Bytes of a bound: numbers near zero and the extremes, NaN, and some of another length. */
const bound = fc.oneof(
  fc.integer({ min: -3, max: 3 }).map((value) => Buffer.from(Int32Array.of(value).buffer)),
  fc.integer({ min: -3, max: 3 }).map((value) => Buffer.from(BigInt64Array.of(BigInt(value)).buffer)),
  fc.float().map((value) => Buffer.from(Float32Array.of(value).buffer)),
  fc.double().map((value) => Buffer.from(Float64Array.of(value).buffer)),
  fc.constantFrom(0, -0).map((value) => Buffer.from(Float32Array.of(value).buffer)),
  fc.constantFrom(0, -0).map((value) => Buffer.from(Float64Array.of(value).buffer)),
  fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes)),
)

const said: fc.Arbitrary<Statistics> = fc.record(
  {
    max: bound,
    min: bound,
    nullCount: fc.integer({ min: -1, max: 12 }),
    maxValue: bound,
    minValue: bound,
    isMaxExact: fc.boolean(),
    isMinExact: fc.boolean(),
  },
  { requiredKeys: [] },
)

/** A file of a column of 10 values, which says this of it. */
function fileOf(element: Element, says: Statistics | null, textBytes: number | null): Uint8Array {
  const { type = 0 } = element
  const levels = Array.from({ length: 10 }, () => ({
    repetition: 0,
    definition: 0,
    value: new Uint8Array(1),
  }))
  const page = {
    levels: type === byteArray ? levels : levels.map((each) => ({ ...each, value: 1 })),
    version: 1,
  } as const
  const scaled = element.convertedType === ConvertedType.decimal ? { scale: 1, precision: 5 } : {}
  return writeParquet(
    [
      { name: 'schema', children: 1 },
      { name: 'x', repetition: 0, ...element, ...scaled },
    ],
    [{ path: ['x'], type, maxDefinition: 0, maxRepetition: 0, pages: [page] }],
    10,
    (metadata) => ({
      ...metadata,
      rowGroups: metadata.rowGroups.map((group) => ({
        ...group,
        columns: group.columns.map((column) => ({
          ...column,
          ...(column.metaData && {
            metaData: {
              ...column.metaData,
              ...(says && { statistics: encode(statistics, says) }),
              ...(textBytes !== null && { sizeStatistics: { unencodedByteArrayBytes: textBytes } }),
            },
          }),
        })),
      })),
    }),
  )
}

t.test('any statistics', async (t) => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ELEMENTS),
      fc.option(said),
      fc.option(fc.integer({ min: -1, max: 99 })),
      (element, says, textBytes) => {
        const first = fileOf(element, null, null)
        t.ok(isInspectedInCore(first, fileOf(element, says, textBytes)))
      },
    ),
    { numRuns: 1000 },
  )
})
