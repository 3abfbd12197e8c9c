import * as arrow from 'apache-arrow'
import { EnabledStatistics, Table, WriterPropertiesBuilder, writeParquet } from 'parquet-wasm'
import t from 'tap'
import { any } from '../../src/plan/condition/combine.ts'
import type { Comparison } from '../../src/plan/condition/compare.ts'
import { between, type Condition, compare, isNotNull, isNull } from '../../src/plan/condition/condition.ts'
import { columnExpression, type TypedExpression } from '../../src/plan/expression.ts'
import type { IndexRange } from '../../src/plan/source/unit.ts'
import type { Scalar } from '../../src/plan/types/scalar.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { readFooter } from '../../src/workers/formats/parquet/metadata/footer.ts'
import { columnIndex, fileMetaData } from '../../src/workers/formats/parquet/metadata/metadata.ts'
import { decode, encode } from '../../src/workers/formats/parquet/metadata/thrift.ts'
import { createParquet } from '../../src/workers/formats/parquet/parquet.ts'
import { readContext } from '../formats/context.ts'
import { segmentsIn } from '../formats/segments.ts'
import { memorySource } from '../formats/source.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const context = readContext(core)
const provider = createParquet({ smallChunk: 0, indexedChunk: 0, together: 0 })

/** One column `v`, in pages that end with a value that is not null. */
function fileOf(vector: arrow.Vector): Uint8Array {
  const properties = new WriterPropertiesBuilder()
    .setDictionaryEnabled(false)
    .setDataPageSizeLimit(1)
    .setWriteBatchSize(1)
    .setStatisticsEnabled(EnabledStatistics.Page)
    .build()
  const stream = arrow.tableToIPC(new arrow.Table({ v: vector }), 'stream')
  return writeParquet(Table.fromIPCStream(stream), properties)
}

/** A condition on a column, about a value. */
type About = (operand: TypedExpression, value: Scalar) => Condition

function prune(bytes: Uint8Array, filter: About, value: Scalar) {
  const source = memorySource(bytes)
  const file = provider.open(source, context)
  const [column] = file.schema.fields
  const rows = segmentsIn(file)[0]?.rows ?? 0
  if (column === undefined || file.prune === undefined) throw new Error('no column')
  const operand = columnExpression('v', column.type)
  const range = { kind: 'rows', segment: 0, from: 0, to: rows } as const
  return file.prune(source, range, filter(operand, value), [column], context)
}

/** The column `v` of any type: `is_null` does not depend on it. */
const V = columnExpression('v', { kind: 'null' })

const float = (value: number): Scalar => ({ kind: 'float', value })
const text = (value: string): Scalar => ({ kind: 'bytes', value: Buffer.from(value) })
const is =
  (comparison: Comparison): About =>
  (operand, value) =>
    compare(operand, comparison, value)
const eq = is('eq')
/** The indices of the rows of runs; null stands for all rows. */
const rowsOf = (runs: readonly IndexRange[] | null, rows: number): number[] =>
  (runs ?? [{ from: 0, to: rows }]).flatMap(({ from, to }) =>
    Array.from({ length: to - from }, (_, i) => from + i),
  )

t.test('a page of which a bound excludes the value is left out', async (t) => {
  const bytes = fileOf(arrow.vectorFromArray([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], new arrow.Float64()))
  t.same(prune(bytes, eq, float(6)), [{ from: 5, to: 6 }])
  t.same(prune(bytes, is('lt'), float(1)), [])
  t.same(prune(bytes, is('lt'), float(100)), null)
  t.same(prune(bytes, is('gt'), float(8)), null, 'a NaN would be greater')
  const either: About = (operand, value) =>
    any([compare(operand, 'eq', value), between(operand, float(9), float(10))])
  t.same(prune(bytes, either, float(2)), [
    { from: 1, to: 2 },
    { from: 8, to: 10 },
  ])
})

t.test('NaN is in no bound', async (t) => {
  const values = [1, 2, Number.NaN, 4, Number.NaN, Number.NaN, -0, -0]
  const bytes = fileOf(arrow.vectorFromArray(values, new arrow.Float64()))
  const found = (filter: Parameters<typeof prune>[1], value: number) =>
    rowsOf(prune(bytes, filter, float(value)), values.length)
  for (const at of [2, 4, 5]) {
    t.ok(found(is('gt'), 1000).includes(at))
    t.ok(found(is('neq'), 1).includes(at))
    t.ok(found(eq, Number.NaN).includes(at))
  }
  t.ok(found(eq, 0).includes(7), 'zeros are equal')
})

t.test('pages of nulls hold nulls', async (t) => {
  const values = [1, 2, null, 3, null, null, null, null, null, 5, null, null]
  const bytes = fileOf(arrow.vectorFromArray(values, new arrow.Float64()))
  const found = (filter: Condition) =>
    rowsOf(
      prune(bytes, () => filter, float(0)),
      values.length,
    )
  const nulls = found(isNull(V))
  const others = found(isNotNull(V))
  for (const [row, value] of values.entries())
    t.ok((value === null ? nulls : others).includes(row), `row ${row}`)
  t.notOk(nulls.includes(0))
  t.notOk(others.includes(11), 'the last page has no value')
  t.notOk(rowsOf(prune(bytes, is('neq'), float(0)), values.length).includes(11))
})

t.test('bounds of long texts are cut, and still bounds', async (t) => {
  const long = 'x'.repeat(200)
  const values = ['a', 'b', ...[...'abcd'].map((letter) => long + letter)]
  const bytes = fileOf(arrow.vectorFromArray(values, new arrow.Utf8()))
  for (const [row, value] of values.entries())
    t.ok(rowsOf(prune(bytes, eq, text(value)), values.length).includes(row), value)
  t.same(prune(bytes, eq, text('b')), [{ from: 1, to: 2 }])
  t.same(prune(bytes, is('gt'), text(`${long}b`)), [{ from: 2, to: 6 }], 'as far as the bounds tell')
  t.same(prune(bytes, is('gt'), text('y')), [])
})

t.test('an index that is damaged leaves nothing out', async (t) => {
  const bytes = fileOf(arrow.vectorFromArray([4, 6, 8], new arrow.Float64()))
  const second = [{ from: 1, to: 2 }]
  t.same(prune(bytes, eq, float(6)), second)
  const metadata = readFooter(memorySource(bytes))
  const column = metadata.rowGroups[0]?.columns[0]
  const [offset = 0, length = 0] = [column?.columnIndexOffset, column?.columnIndexLength]
  const index = decode(columnIndex, bytes.subarray(offset, offset + length))

  /** The file with another column index, or with another offset or length of it in the footer. */
  const changed = (other: Uint8Array, range: { offset?: number; length?: number } = {}): Uint8Array => {
    const footer = encode(fileMetaData, {
      ...metadata,
      rowGroups: metadata.rowGroups.map((group) => ({
        ...group,
        columns: group.columns.map((each) => ({
          ...each,
          columnIndexOffset: range.offset ?? bytes.length,
          columnIndexLength: range.length ?? other.length,
        })),
      })),
    })
    const trailer = Buffer.alloc(8, 'PAR1PAR1')
    trailer.writeUInt32LE(footer.length, 0)
    return Buffer.concat([bytes, other, footer, trailer])
  }
  const written = (change: Partial<typeof index>) => changed(encode(columnIndex, { ...index, ...change }))
  const same = encode(columnIndex, index)
  t.same(prune(changed(same), eq, float(6)), second, 'only the damage makes the difference')

  const nothing: readonly Uint8Array[] = [
    changed(Buffer.alloc(same.length, 255)),
    changed(Buffer.alloc(0)),
    changed(same.subarray(0, -3)),
    changed(same, { offset: -5 }),
    changed(same, { offset: 1 << 30 }),
    changed(same, { length: 1 << 22 }),
    changed(same, { length: -1 }),
    written({ nullPages: index.nullPages.slice(1) }),
    written({ minValues: [] }),
    written({ maxValues: [...index.maxValues, Buffer.alloc(8)] }),
    written({ nullCounts: [0] }),
    written({
      nullPages: [...index.nullPages, false],
      minValues: [...index.minValues, Buffer.alloc(8)],
      maxValues: [...index.maxValues, Buffer.alloc(8)],
      nullCounts: [0, 0, 0, 0],
    }),
  ]
  for (const [i, each] of nothing.entries()) t.equal(prune(each, eq, float(6)), null, `damage ${i}`)

  const firstTwo = [{ from: 0, to: 2 }]
  const [four = same, , eight = same] = index.minValues
  t.same(
    prune(written({ minValues: [four, eight, eight], maxValues: [four, four, eight] }), eq, float(100)),
    second,
    'bounds that cross',
  )
  t.same(
    prune(
      written({
        minValues: [Buffer.alloc(3), ...index.minValues.slice(1)],
        maxValues: [Buffer.alloc(0), ...index.maxValues.slice(1)],
      }),
      eq,
      float(6),
    ),
    firstTwo,
    'bounds of another width',
  )
  t.same(
    prune(written({ nullPages: [true, false, false], nullCounts: [2, 0, 0] }), eq, float(6)),
    firstTwo,
    'a page of nulls that has values',
  )
  t.same(
    prune(written({ nullCounts: [-1, 5, 1 << 30] }), () => isNull(V), float(6)),
    null,
  )

  // Whatever the bytes are, the result is runs of rows of the file.
  for (let at = 0; at < same.length; at++)
    for (const flip of [1, 16, 128, 255]) {
      const other = Uint8Array.from(same)
      other[at] = (other[at] ?? 0) ^ flip
      const runs = prune(changed(other), eq, float(6)) ?? []
      t.ok(runs.every(({ from, to }) => 0 <= from && from < to && to <= 3))
    }
})
