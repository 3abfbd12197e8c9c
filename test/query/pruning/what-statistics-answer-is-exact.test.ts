import assert from 'node:assert/strict'
import t from 'tap'
import { bind } from '../../../src/main/query/bind/bind.ts'
import { answerByStatistics } from '../../../src/main/query/plan/known-answer.ts'
import { cutInSteps } from '../../../src/main/query/plan/units.ts'
import type { ScanPlan } from '../../../src/plan/plan.ts'
import { segmentsOf } from '../../../src/plan/source/segments.ts'
import { runToEnd } from '../../../src/plan/steps.ts'
import type { Aggregate, Finish } from '../../../src/plan/task/finish.ts'
import { finishedRows } from '../../finish/oracle.ts'
import { PARQUET } from '../../formats/product.ts'
import { fc } from '../../support/generate.ts'
import { parseScan } from '../bound.ts'
import { scalarOf, summariesOf } from '../file-summaries.ts'
import { queriesOver, tables } from '../generated/generators.ts'
import { runPlan } from '../generated/interpret.ts'
import { rowsUnits } from '../rows-of-units.ts'
import { schemaOf, type TestTable } from '../table.ts'

const SOURCE = { relation: 'test', format: PARQUET, files: [] }
const ALL = { offset: 0, limit: Number.POSITIVE_INFINITY }

const cases = tables()
  .chain(queriesOver)
  .chain(({ table, request }) => {
    const isFiltered = fc.boolean()
    return fc.tuple(summariesOf(table), isFiltered).map(([summary, keepsFilter]) => {
      const plan = bind(parseScan(JSON.stringify(request)), SOURCE, schemaOf(table))
      const scan = keepsFilter ? plan.scan : { ...plan.scan, filter: null }
      return { table, summary, plan: { ...plan, ...ALL, scan } }
    })
  })

t.test('aggregates that statistics tell are those of the rows', async (t) => {
  let known = 0
  const aggregates = (plan: ScanPlan): fc.Arbitrary<Aggregate[]> =>
    fc.array(
      fc.oneof(
        fc.constant<Aggregate>({ kind: 'count_rows' }),
        fc.record({
          kind: fc.constantFrom('count', 'min', 'max', 'first'),
          argument: fc.nat(plan.scan.projection.length - 1),
        }),
      ),
      { minLength: 1, maxLength: 2 },
    )
  const generated = cases.chain((each) => aggregates(each.plan).map((made) => ({ ...each, made })))
  const property = fc.property(generated, ({ table, plan, summary, made }) => {
    const finish: Finish = {
      grouping: { keys: [], aggregates: made, having: null },
      order: [],
      output: made.map((_, place) => place),
      isCounted: false,
    }
    const answer = runToEnd(answerByStatistics({ ...plan, finish }, [summary]))
    if (answer === null) return
    known++
    const [expected = []] = finishedRows({ ...plan, finish }, table)
    assert.deepEqual(
      answer,
      expected.map((cell) => (cell === null ? null : scalarOf(cell))),
    )
  })
  fc.assert(property, { numRuns: 1_000 })
  t.ok(known > 50, `statistics tell some: ${known}`)
})

t.test('rows that are counted without being read are all that pass', async (t) => {
  let counted = 0
  const property = fc.property(cases, ({ table, plan, summary }) => {
    const cut = runToEnd(cutInSteps(plan, [summary], { isStreamed: false, isCounted: true }))
    const segmentRows = segmentsOf(summary.segments)[0]?.rows ?? 0
    const read = rowsUnits(cut.units).flatMap(({ segment, from, to }) =>
      Array.from({ length: to - from }, (_, index) => segment * segmentRows + from + index),
    )
    counted += cut.counted
    assert.equal(cut.counted + runPlan(plan, rowsOf(table, read)).length, runPlan(plan, table).length)
  })
  fc.assert(property, { numRuns: 1_000 })
  t.ok(counted > 500, `some are: ${counted}`)
})

function rowsOf(table: TestTable, rows: readonly number[]): TestTable {
  const columns = table.columns.map((column) => ({
    ...column,
    cells: rows.map((row) => column.cells[row] ?? null),
  }))
  return { rows: rows.length, columns }
}
