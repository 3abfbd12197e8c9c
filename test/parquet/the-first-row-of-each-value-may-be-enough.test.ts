import { isDeepStrictEqual } from 'node:util'
import * as arrow from 'apache-arrow'
import { Compression, Table, WriterPropertiesBuilder, WriterVersion, writeParquet } from 'parquet-wasm'
import t from 'tap'
import type { RowRange } from '../../src/plan/source/range.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { parquet } from '../../src/workers/formats/parquet/parquet.ts'
import { readContext } from '../formats/context.ts'
import { memorySource } from '../formats/source.ts'
import { columnValues, encode, type Value } from '../formats/values.ts'
import { generator } from '../support/generate.ts'

const ROWS = 20_000
const random = generator('first rows')
const core = createCore({ maximumBytes: 64 << 20 })

const TYPES: Readonly<Record<string, readonly [arrow.DataType, (number: number) => unknown]>> = {
  text: [new arrow.Utf8(), (number) => `value ${number}`],
  i64: [new arrow.Int64(), (number) => BigInt(number) * 1_000_003n],
  f32: [new arrow.Float32(), (number) => number / 4],
  i16: [new arrow.Int16(), (number) => number],
}

/** The number of each row's value (null: the row is null), and whether the first few rows have all values. */
const COLUMNS: Readonly<Record<string, readonly [(row: number) => number | null, boolean]>> = {
  'any of few values': [() => random(6), true],
  'one value': [() => 3, true],
  'any of some values, often null': [() => (random(3) === 0 ? null : random(40)), true],
  'nulls alone': [() => null, true],
  'long runs': [(row) => Math.floor(row / 40) % 5, true],
  'a null in the last row': [(row) => (row === ROWS - 1 ? null : random(6)), false],
  'a value in the last row': [(row) => (row === ROWS - 1 ? 6 : random(6)), false],
  'values one after the other': [(row) => Math.floor(row / (ROWS / 8)), false],
  'many values': [() => random(5000), false],
}

function fileOf(
  [type, valueAt]: readonly [arrow.DataType, (number: number) => unknown],
  numberOf: (row: number) => number | null,
  properties: WriterPropertiesBuilder,
): Uint8Array {
  const numbers = Array.from({ length: ROWS }, (_, row) => numberOf(row))
  const values = numbers.map((number) => (number === null ? null : valueAt(number)))
  const table = new arrow.Table({ column: arrow.vectorFromArray(values, type) })
  const written = Table.fromIPCStream(arrow.tableToIPC(table, 'stream'))
  return writeParquet(written, properties.setMaxRowGroupSize(ROWS).build())
}

const WRITERS: Readonly<Record<string, () => WriterPropertiesBuilder>> = {
  zstd: () => new WriterPropertiesBuilder().setCompression(Compression.ZSTD),
  'snappy, small pages': () =>
    new WriterPropertiesBuilder().setCompression(Compression.SNAPPY).setDataPageSizeLimit(500),
  'version 2, zstd, small pages': () =>
    new WriterPropertiesBuilder()
      .setCompression(Compression.ZSTD)
      .setWriterVersion(WriterVersion.V2)
      .setDataPageSizeLimit(500),
  'version 2, uncompressed': () =>
    new WriterPropertiesBuilder().setCompression(Compression.UNCOMPRESSED).setWriterVersion(WriterVersion.V2),
  // When a dictionary is full, the writer goes on with plain pages.
  'gzip, small dictionaries': () =>
    new WriterPropertiesBuilder().setCompression(Compression.GZIP).setDictionaryPageSizeLimit(100),
}

for (const [writer, properties] of Object.entries(WRITERS))
  t.test(`rows of ${writer}`, async (t) => {
    const context = readContext(core)
    for (const [name, [numberOf, isFew]] of Object.entries(COLUMNS))
      for (const [kind, type] of Object.entries(TYPES)) {
        const source = memorySource(fileOf(type, numberOf, properties()))
        const file = parquet.open(source, context)
        const { fields } = file.schema
        const read = (range: RowRange, areValuesEnough: boolean): Value[] => {
          const { rows, columns } = file.read(source, range, fields, context, undefined, areValuesEnough)
          t.ok(columns.every((column) => core.rows(column) === rows))
          const [values = []] = columnValues(encode(core, columns, fields, rows))
          for (const column of columns) core.free(column)
          return values
        }
        const whole = { kind: 'rows', segment: 0, from: 0, to: ROWS } as const
        const all = read(whole, false)
        const first = read(whole, true)
        t.ok(isDeepStrictEqual(first, all.slice(0, first.length)), `${name}, ${kind}: a front of the rows`)
        t.strictSame([...new Set(first)], [...new Set(all)], `${name}, ${kind}: all values`)
        if (!isFew) t.equal(first.length, ROWS, `${name}, ${kind}: all rows`)
        else if (!writer.includes('dictionaries'))
          t.ok(first.length < ROWS / 8, `${name}, ${kind}: ${first.length} rows`)
        const some = { ...whole, from: 10, to: 1000 }
        t.equal(read(some, true).length, 990, 'some of the rows are those')
      }
    t.equal(core.usedBytes(), 0)
  })
