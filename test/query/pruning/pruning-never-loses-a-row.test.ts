import assert from 'node:assert/strict'
import t from 'tap'
import { bind } from '../../../src/main/query/bind/bind.ts'
import { cutInSteps } from '../../../src/main/query/plan/units.ts'
import { segmentsOf } from '../../../src/plan/source/segments.ts'
import { runToEnd } from '../../../src/plan/steps.ts'
import { PARQUET } from '../../formats/product.ts'
import { fc } from '../../support/generate.ts'
import { parseScan } from '../bound.ts'
import { summariesOf } from '../file-summaries.ts'
import { queriesOver, tables } from '../generated/generators.ts'
import { runPlan } from '../generated/interpret.ts'
import { answer } from '../generated/oracle.ts'
import { rowsUnits } from '../rows-of-units.ts'
import { schemaOf, type TestTable } from '../table.ts'

const cases = tables()
  .chain(queriesOver)
  .chain(({ table, request }) => summariesOf(table).map((summary) => ({ table, request, summary })))

const SOURCE = { relation: 'test', format: PARQUET, files: [] }

t.test('what is left after pruning gives the whole answer', async (t) => {
  let pruned = 0
  const property = fc.property(cases, ({ table, request, summary }) => {
    const json = JSON.stringify(request)
    const plan = bind(parseScan(json), SOURCE, schemaOf(table))
    const cut = runToEnd(cutInSteps(plan, [summary]))
    pruned += cut.pruned
    const segmentRows = segmentsOf(summary.segments)[0]?.rows ?? 0
    const kept = rowsUnits(cut.units).flatMap(({ segment, from, to }) =>
      Array.from({ length: to - from }, (_, index) => segment * segmentRows + from + index),
    )
    assert.deepEqual(runPlan({ ...plan, offset: cut.skip }, rowsOf(table, kept)), answer(json, table))
  })
  fc.assert(property, { numRuns: 3_000 })
  t.ok(pruned > 1_000, 'units were pruned')
})

function rowsOf(table: TestTable, rows: readonly number[]): TestTable {
  const columns = table.columns.map((column) => ({
    ...column,
    cells: rows.map((row) => column.cells[row] ?? null),
  }))
  return { rows: rows.length, columns }
}
