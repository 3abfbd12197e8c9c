import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableToIPC } from 'apache-arrow'
import fc from 'fast-check'
import { EnabledStatistics, Table as ParquetTable, WriterPropertiesBuilder, writeParquet } from 'parquet-wasm'
import t from 'tap'
import type { DataType } from '../../src/plan/schema.ts'
import { startTestService } from '../e2e/service.ts'
import { columnValues, type Value } from '../formats/values.ts'
import { toArrow, toValue } from './arrow-table.ts'
import { narrowed } from './file-summaries.ts'
import { FILTERABLE, type GeneratedQuery, queriesOver, tables } from './generators.ts'
import { answer } from './oracle.ts'
import type { TestTable } from './table.ts'

/** Parquet has no such type, so it comes back as another. */
const WRITABLE = FILTERABLE.filter((type) => !(type.kind === 'timestamp' && type.unit === 'second'))

interface Layout {
  readonly files: number
  readonly rowGroupRows: number
  /** For columns of files after the first: which narrower type, or whether to leave out a column of nulls. */
  readonly choices: readonly number[]
}

const layouts: fc.Arbitrary<Layout> = fc.record({
  files: fc.integer({ min: 1, max: 3 }),
  rowGroupRows: fc.integer({ min: 1, max: 12 }),
  choices: fc.array(fc.nat(), { minLength: 15, maxLength: 15 }),
})

t.test('the service = without pruning = the naive evaluator', async (t) => {
  const service = await startTestService(t, { workers: 2 })
  let cases = 0
  let pruned = 0

  async function ask(folder: string, request: object): Promise<Value[][]> {
    const table = await service.rows({ ...request, from: { parquet: { paths: [`${folder}/*.parquet`] } } })
    const columns = columnValues(table)
    return Array.from({ length: table.numRows }, (_, row) => columns.map((column) => column[row] ?? null))
  }

  async function unitsPruned(folder: string, request: object): Promise<number> {
    const from = { parquet: { paths: [`${folder}/*.parquet`] } }
    const response = await fetch(`${service.url}/api/explain-analyze-query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...request, from }),
    })
    const [{ Plan }] = (await response.json()) as [{ Plan: { Extras: { units_pruned: number } } }]
    return Plan.Extras.units_pruned
  }

  const generated = fc.tuple(tables(WRITABLE).chain(queriesOver), layouts)
  const property = fc.asyncProperty(generated, async ([{ table, request }, layout]) => {
    const folder = `case-${cases++}`
    writeFiles(join(service.datasets, folder, 'with'), table, layout, EnabledStatistics.Page)
    writeFiles(join(service.datasets, folder, 'without'), table, layout, EnabledStatistics.None)
    const types = outputTypes(request.select, table)
    const expected = answer(JSON.stringify(request), table).map((row) =>
      row.map((cell, index) => toValue(cell, types[index] ?? { kind: 'null' })),
    )
    assert.deepEqual(await ask(`${folder}/with`, request), expected, 'with statistics')
    assert.deepEqual(await ask(`${folder}/without`, request), expected, 'without statistics')
    if (request.limit === null) pruned += await unitsPruned(`${folder}/with`, request)
  })
  await fc.assert(property, { numRuns: 100 })
  t.ok(pruned > 10, 'statistics prune units')
})

/** Consecutive runs of rows, one a file; the first file has every column in the table's own type. */
function writeFiles(folder: string, table: TestTable, layout: Layout, statistics: EnabledStatistics): void {
  mkdirSync(folder, { recursive: true })
  const step = Math.ceil(table.rows / layout.files)
  for (let file = 0; file < layout.files; file++) {
    const [from, to] = [file * step, Math.min(table.rows, (file + 1) * step)]
    const columns = table.columns.flatMap((column, index) => {
      const slice = { ...column, cells: column.cells.slice(from, to) }
      const choice = layout.choices[5 * file + index] ?? 0
      if (file === 0) return [slice]
      const isLeftOut = index > 0 && choice % 2 === 1 && slice.cells.every((cell) => cell === null)
      return isLeftOut ? [] : [narrowed(slice, choice)]
    })
    const properties = new WriterPropertiesBuilder()
      .setStatisticsEnabled(statistics)
      .setMaxRowGroupSize(layout.rowGroupRows)
      .build()
    const stream = tableToIPC(toArrow({ rows: Math.max(0, to - from), columns }), 'stream')
    const bytes = writeParquet(ParquetTable.fromIPCStream(stream), properties)
    writeFileSync(join(folder, `${file}.parquet`), bytes)
  }
}

function outputTypes(select: GeneratedQuery['request']['select'], table: TestTable): DataType[] {
  return select.map((entry) => {
    const name = typeof entry === 'string' ? entry : entry.column
    return table.columns.find((column) => column.name === name)?.type ?? { kind: 'null' }
  })
}
