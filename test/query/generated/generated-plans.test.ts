import assert from 'node:assert/strict'
import { join } from 'node:path'
import { EnabledStatistics } from 'parquet-wasm'
import t from 'tap'
import type { DataType } from '../../../src/plan/types/schema.ts'
import { startTestService } from '../../e2e/service.ts'
import { columnValues, type Value } from '../../formats/values.ts'
import { post } from '../../http/test-server.ts'
import { fc } from '../../support/generate.ts'
import { toValue } from '../arrow-table.ts'
import { layouts, WRITABLE, writeFiles } from '../files.ts'
import type { TestTable } from '../table.ts'
import { type GeneratedQuery, queriesOver, tables } from './generators.ts'
import { answer } from './oracle.ts'

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
    const response = await post(`${service.url}/api/explain-analyze-query`, { ...request, from })
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

function outputTypes(select: GeneratedQuery['request']['select'], table: TestTable): DataType[] {
  return select.map((entry) => {
    const name = typeof entry === 'string' ? entry : entry.column
    return table.columns.find((column) => column.name === name)?.type ?? { kind: 'null' }
  })
}
