import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import {
  PhysicalType,
  Repetition,
  type SchemaElement,
} from '../../src/workers/formats/parquet/metadata/metadata.ts'
import { createParquet, parquet } from '../../src/workers/formats/parquet/parquet.ts'
import type { Selection } from '../../src/workers/formats/provider.ts'
import { readContext } from '../formats/context.ts'
import { fixture } from '../formats/fixtures.ts'
import { memorySource } from '../formats/source.ts'
import { columnValues, encode, readAll, readValues, type Value } from '../formats/values.ts'
import { type Level, type TestLeaf, writeParquet } from './write-parquet.ts'

// Times that do fit, flat and nested, are among the fixtures of parquet-conforms (int96…).

const core = createCore({ maximumBytes: 64 << 20 })
const context = readContext(core)
const byPages = createParquet({ smallChunk: 0, indexedChunk: 0, together: 32 << 20 })

const BEYOND =
  /INT96 time lies outside of the years 1677 to 2262.*write the column as TIMESTAMP in microseconds/

const DAY_NANOSECONDS = 86_400_000_000_000n
const GREATEST = 2n ** 63n - 1n
const YEAR_3000 = 32_503_680_000_000_000_000n

/** Nanoseconds since 1970 as INT96. */
function int96(nanoseconds: bigint): Buffer {
  const ofDay = ((nanoseconds % DAY_NANOSECONDS) + DAY_NANOSECONDS) % DAY_NANOSECONDS
  const value = Buffer.alloc(12)
  value.writeBigInt64LE(ofDay, 0)
  value.writeInt32LE(2_440_588 + Number((nanoseconds - ofDay) / DAY_NANOSECONDS), 8)
  return value
}

/** A time in the form of `Value`: its 64 bits as an unsigned integer. */
const asValue = (nanoseconds: bigint | null): Value =>
  nanoseconds === null ? null : BigInt.asUintN(64, nanoseconds)

interface Column {
  readonly times: readonly (bigint | null)[]
  readonly isOptional?: boolean
  readonly isDictionary?: boolean
  readonly version?: 1 | 2
  readonly pageRows?: number
}

function flatFile({ times, isOptional, isDictionary, version = 1, pageRows = 4 }: Column): Uint8Array {
  const maxDefinition = isOptional ? 1 : 0
  const levels = times.map(
    (time): Level =>
      time === null
        ? { repetition: 0, definition: 0 }
        : { repetition: 0, definition: maxDefinition, value: int96(time) },
  )
  const pages = Array.from({ length: Math.ceil(levels.length / pageRows) }, (_, i) => ({
    levels: levels.slice(i * pageRows, (i + 1) * pageRows),
    version,
    ...(isDictionary && { isDictionary }),
  }))
  const known = [...new Set(times.filter((time) => time !== null))]
  const leaf = {
    path: ['t'],
    type: PhysicalType.int96,
    maxDefinition,
    maxRepetition: 0,
    pages,
    ...(isDictionary && { dictionary: known.map(int96) }),
  }
  const repetition = isOptional ? Repetition.optional : Repetition.required
  const ids = times.map((_, id): Level => ({ repetition: 0, definition: 0, value: id }))
  return writeParquet(
    [
      { name: 'schema', children: 2 },
      { name: 't', type: PhysicalType.int96, repetition },
      { name: 'id', type: PhysicalType.int32, repetition: Repetition.required },
    ],
    [
      leaf,
      {
        path: ['id'],
        type: PhysicalType.int32,
        maxDefinition: 0,
        maxRepetition: 0,
        pages: [{ levels: ids, version: 1 }],
      },
    ],
    times.length,
  )
}

/** A file of a struct with one required time, in pages of four rows. */
function structFile(times: readonly (bigint | null)[], isOptional = true): Uint8Array {
  const maxDefinition = isOptional ? 1 : 0
  const repetition = isOptional ? Repetition.optional : Repetition.required
  const schema: readonly SchemaElement[] = [
    { name: 'schema', children: 1 },
    { name: 's', repetition, children: 1 },
    { name: 'inner', repetition: Repetition.required, children: 1 },
    { name: 't', type: PhysicalType.int96, repetition: Repetition.required },
  ]
  const levels = times.map(
    (time): Level =>
      time === null
        ? { repetition: 0, definition: 0 }
        : { repetition: 0, definition: maxDefinition, value: int96(time) },
  )
  const leaf: TestLeaf = {
    path: ['s', 'inner', 't'],
    type: PhysicalType.int96,
    maxDefinition,
    maxRepetition: 0,
    pages: Array.from({ length: Math.ceil(levels.length / 4) }, (_, i) => ({
      levels: levels.slice(i * 4, (i + 1) * 4),
      version: 1,
    })),
  }
  return writeParquet(schema, [leaf], times.length)
}

function values(bytes: Uint8Array, provider = parquet): Value[][] {
  const source = memorySource(bytes, 'x.parquet')
  return readAll(provider.open(source, context), source, context)
}

function refused(t: Test, bytes: Uint8Array, column: string): void {
  for (const provider of [parquet, byPages]) {
    t.throws(() => values(bytes, provider), {
      code: 'unreadable_file',
      message: new RegExp(`"x.parquet" .*column "${column}": .*${BEYOND.source}`),
    })
    t.equal(core.usedBytes(), 0)
  }
}

const LAYOUTS: readonly Omit<Column, 'times'>[] = [false, true].flatMap((isOptional) =>
  [false, true].flatMap((isDictionary) =>
    ([1, 2] as const).map((version) => ({ isOptional, isDictionary, version })),
  ),
)

t.test('all that 64 bits of nanoseconds reach, and nothing beyond', async (t) => {
  const near = [0n, -1n, -GREATEST - 1n, GREATEST, 1n, DAY_NANOSECONDS, -DAY_NANOSECONDS]
  for (const layout of LAYOUTS) {
    const times = layout.isOptional ? [...near, null] : near
    t.strictSame(values(flatFile({ ...layout, times }))[0], times.map(asValue), JSON.stringify(layout))
    for (const far of [YEAR_3000, GREATEST + 1n, -GREATEST - 2n, -YEAR_3000])
      refused(t, flatFile({ ...layout, times: [...times, far] }), 't')
  }
})

t.test('the same inside of structs, also of such as are null', async (t) => {
  const near = [0n, null, GREATEST, -GREATEST - 1n, null, 1n, 2n, 3n, null, 4n]
  const expected = near.map((time) => time && { inner: { t: asValue(time) } })
  t.strictSame(values(structFile([...near])), [
    expected.map((each, i) => (near[i] === 0n ? { inner: { t: 0n } } : each)),
  ])
  refused(t, structFile([...near, YEAR_3000]), 's')
})

t.test('files by pyarrow', async (t) => {
  for (const name of ['refused-int96', 'refused-int96-nested']) {
    const source = memorySource(readFileSync(fixture('parquet', name)), 'x.parquet')
    for (const provider of [parquet, byPages]) {
      const file = provider.open(source, context)
      for (const { name: column } of file.schema.fields) {
        const read = () => readValues(file, source, 0, 0, 40, [column], context)
        if (column === 'id') t.equal(read()[0]?.length, 40)
        else
          t.throws(read, {
            code: 'unreadable_file',
            message: new RegExp(`column "${column}": .*${BEYOND.source}`),
          })
      }
      t.throws(() => readAll(file, source, context), { message: BEYOND })
    }
  }
  t.equal(core.usedBytes(), 0)
})

t.test('rows that are not wanted are no error', async (t) => {
  const times = Array.from({ length: 40 }, (_, row) => (row === 21 ? YEAR_3000 : BigInt(row)))
  const only = (row: number): Selection => ({ hasAny: (from, to) => from <= row && row < to })
  for (const layout of LAYOUTS) {
    const source = memorySource(flatFile({ ...layout, times }), 'x.parquet')
    const file = byPages.open(source, context)
    const [field] = file.schema.fields
    if (field === undefined) throw new Error('no column')
    const timeAt = (row: number) => {
      const range = { kind: 'rows', segment: 0, from: 0, to: 40 } as const
      const { columns } = file.read(source, range, [field], context, only(row))
      try {
        return columns.map((column) => core.valueAt(column, field.type, row))
      } finally {
        for (const column of columns) core.free(column)
      }
    }
    t.strictSame(timeAt(3), [{ kind: 'int', value: 3n }])
    t.strictSame(timeAt(39), [{ kind: 'int', value: 39n }])
    t.throws(() => timeAt(22), { code: 'unreadable_file', message: BEYOND })
  }
  // In a struct padding stands for pages that are not wanted.
  for (const isOptional of [true, false]) {
    const source = memorySource(structFile(times, isOptional), 'x.parquet')
    const file = byPages.open(source, context)
    const range = { kind: 'rows', segment: 0, from: 0, to: 40 } as const
    const read = (row: number) => {
      const { columns } = file.read(source, range, file.schema.fields, context, only(row))
      const [inner] = columnValues(encode(core, columns, file.schema.fields, 40))
      for (const column of columns) core.free(column)
      return inner?.[row]
    }
    t.strictSame(read(9), { inner: { t: 9n } })
    t.throws(() => read(22), { code: 'unreadable_file', message: BEYOND })
  }
  t.equal(core.usedBytes(), 0)
})

t.test('the statistics of other columns prune as ever, its own never', async (t) => {
  const source = memorySource(readFileSync(fixture('parquet', 'refused-int96')), 'x.parquet')
  const file = parquet.open(source, context)
  for (const bounds of file.statistics('t')) t.same([bounds?.min, bounds?.max], [undefined, undefined])
  t.match(file.statistics('id'), [{ min: { value: 0n }, max: { value: 39n } }])
})
