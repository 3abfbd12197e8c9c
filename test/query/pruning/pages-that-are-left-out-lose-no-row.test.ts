import assert from 'node:assert/strict'
import { tableToIPC } from 'apache-arrow'
import {
  EnabledStatistics,
  Table as ParquetTable,
  WriterPropertiesBuilder,
  WriterVersion,
  writeParquet,
} from 'parquet-wasm'
import t from 'tap'
import { bind } from '../../../src/main/query/bind/bind.ts'
import type { ScanPlan } from '../../../src/plan/plan.ts'
import type { Scalar } from '../../../src/plan/types/scalar.ts'
import { createCore } from '../../../src/wasm/core/create-core.ts'
import { createParquet } from '../../../src/workers/formats/parquet/parquet.ts'
import type { Provider } from '../../../src/workers/formats/provider.ts'
import { decodeUnit } from '../../../src/workers/units/decode-unit.ts'
import { readContext } from '../../formats/context.ts'
import { PARQUET } from '../../formats/product.ts'
import { memorySource } from '../../formats/source.ts'
import { columnValues, encode, type Value } from '../../formats/values.ts'
import { withBloomFilters } from '../../parquet/with-bloom-filters.ts'
import { fc } from '../../support/generate.ts'
import { toArrow, toValue } from '../arrow-table.ts'
import { parseScan } from '../bound.ts'
import { narrowed } from '../file-summaries.ts'
import { WRITABLE } from '../files.ts'
import { queriesOver, tables } from '../generated/generators.ts'
import { answer } from '../generated/oracle.ts'
import { schemaOf, type TestColumn, type TestTable } from '../table.ts'

const SOURCE = { relation: 'test', format: PARQUET, files: [] }
const core = createCore({ maximumBytes: 64 << 20 })
const byIndex = createParquet({ smallChunk: 0, indexedChunk: 0, together: 32 << 20 })
const byHeaders = createParquet({ smallChunk: 1 << 20, indexedChunk: 1 << 20, together: 32 << 20 })

/** How a table is written in pages. */
const cuts = fc.record({
  pageRows: fc.integer({ min: 1, max: 6 }),
  /** The bytes at which a page ends, so that columns of different widths end their pages at different rows. */
  pageBytes: fc.integer({ min: 1, max: 64 }),
  isV2: fc.boolean(),
  hasDictionaries: fc.boolean(),
  statistics: fc.constantFrom(EnabledStatistics.Page, EnabledStatistics.None),
  /** The number of the narrower type that each column has in the file. */
  choices: fc.array(fc.nat(), { minLength: 5, maxLength: 5 }),
})

type Cut = typeof cuts extends fc.Arbitrary<infer T> ? T : never

function fileOf(columns: readonly TestColumn[], rows: number, cut: Cut): Uint8Array {
  const { pageRows, pageBytes, isV2, hasDictionaries, statistics } = cut
  const properties = new WriterPropertiesBuilder()
    .setDataPageSizeLimit(pageBytes)
    .setWriteBatchSize(pageRows)
    .setDictionaryEnabled(hasDictionaries)
    .setWriterVersion(isV2 ? WriterVersion.V2 : WriterVersion.V1)
    .setStatisticsEnabled(statistics)
    .build()
  const stream = tableToIPC(toArrow({ rows, columns }), 'stream')
  return writeParquet(ParquetTable.fromIPCStream(stream), properties)
}

/** The values that are not null. Null: the file may have them in another unit. */
function scalarsOf({ type, cells }: TestColumn): readonly Scalar[] | null {
  if (type.kind === 'timestamp' && type.unit === 'second') return null
  return cells.flatMap((cell): Scalar[] => {
    if (cell === null) return []
    if (typeof cell === 'boolean') return [{ kind: 'bool', value: cell }]
    if (typeof cell === 'number') return [{ kind: 'float', value: cell }]
    if (typeof cell === 'bigint') return [{ kind: 'int', value: cell }]
    return [{ kind: 'bytes', value: Buffer.from(cell) }]
  })
}

/** The rows sorted by the first column, so that its pages have different bounds. */
function sorted(table: TestTable): TestTable {
  const [first] = table.columns
  const rows = Array.from({ length: table.rows }, (_, row) => row)
  const key = (row: number) => first?.cells[row] ?? 0
  const order = rows.toSorted((a, b) => Number(key(a) > key(b)) - Number(key(a) < key(b)))
  const columns = table.columns.map((column) => ({
    ...column,
    cells: order.map((row) => column.cells[row] ?? null),
  }))
  return { ...table, columns }
}

const skipped = { pages: 0, bytes: 0, units: 0 }

function run(
  { scan, offset, limit, output }: ScanPlan,
  rows: number,
  bytes: Uint8Array,
  provider: Provider,
): Value[][] {
  const context = readContext(core)
  const { stopwatch } = context
  const source = memorySource(bytes)
  const file = provider.open(source, context)
  const unit = { kind: 'rows', file: 0, segment: 0, from: 0, to: rows, decodedBytes: 0 } as const
  const decoded = decodeUnit(scan, unit, file, null, source, context)
  const { mask } = decoded
  const columns = mask === null ? decoded.columns : decoded.columns.map((column) => core.filter(column, mask))
  const passing = mask === null ? decoded.rows : core.count(mask)
  const values = passing === 0 ? [] : columnValues(encode(core, columns, output.fields, passing))
  for (const column of new Set([...columns, ...decoded.columns])) core.free(column)
  if (mask !== null) core.freeMask(mask)
  skipped.pages += stopwatch.metrics().pagesSkipped
  skipped.bytes += stopwatch.metrics().bytesSkipped
  skipped.units += stopwatch.metrics().unitsSkippedByBloomFilter
  const end = Math.min(passing, offset + limit)
  return Array.from({ length: Math.max(0, end - offset) }, (_, i) =>
    values.map((column) => column[offset + i] ?? null),
  )
}

t.test('whatever pages a filter leaves out, the rows are those of the naive evaluator', async (t) => {
  const cases = fc.tuple(tables(WRITABLE).map(sorted).chain(queriesOver), cuts)
  const property = fc.property(cases, ([{ table, request }, cut]) => {
    if (table.rows === 0) return
    const json = JSON.stringify(request)
    const plan = bind(parseScan(json), SOURCE, schemaOf(table))
    const types = plan.output.fields.map(({ type }) => type)
    const expected = answer(json, table).map((row) =>
      row.map((cell, i) => toValue(cell, types[i] ?? { kind: 'null' })),
    )
    const columns = table.columns.map((column, i) => narrowed(column, cut.choices[i] ?? 0))
    const bytes = fileOf(columns, table.rows, cut)
    for (const provider of [byIndex, byHeaders])
      assert.deepEqual(run(plan, table.rows, bytes, provider), expected)
    const filtered = withBloomFilters(bytes, columns.map(scalarsOf))
    assert.deepEqual(run(plan, table.rows, filtered, byIndex), expected, 'with bloom filters')
  })
  fc.assert(property, { numRuns: 1_000 })
  t.ok(skipped.pages > 300, `${skipped.pages} pages were left out`)
  t.ok(skipped.bytes > 3_000, `of which ${skipped.bytes} bytes were not read`)
  t.ok(skipped.units > 5, `${skipped.units} units by bloom filters`)
  t.equal(core.usedBytes(), 0, 'leaves nothing in the core')
})
