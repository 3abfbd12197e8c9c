import t from 'tap'
import { comparedPairs } from '../../src/main/query/duckdb/compared-pairs.ts'
import { parsePlan } from '../../src/workers/sql/binding/operators.ts'
import { type TestEngine, testEngine } from '../sql/engine.ts'

/** The pairs that a statement compares, by the plan that DuckDB prints. */
function pairsOf({ prepare }: TestEngine, sql: string): number {
  return comparedPairs(prepare(sql).plan)
}

t.test('joins without an equality and cross products count, others do not', async (t) => {
  const engine = await testEngine()
  const pairs = (sql: string): number => pairsOf(engine, sql)
  t.equal(pairs('SELECT 1'), 0)
  t.equal(pairs('FROM range(5000) a JOIN range(4000) b ON a.range = b.range'), 0)
  t.ok(pairs('SELECT count(*) FROM range(5000) a, range(4000) b') >= 20e6)
  t.ok(
    pairs('SELECT count(*) FROM range(5000) a JOIN range(4000) b ON abs(a.range - b.range / 3) < 0.5') >=
      20e6,
  )
  const inside = 'SELECT sum(n) FROM (SELECT count(*) AS n FROM range(5000) a, range(4000) b) WHERE n > 1'
  t.ok(pairs(inside) >= 20e6, 'wherever in the plan')
})

t.test('an operator without an estimate counts as its largest input', async (t) => {
  const operator = (name: string, rows: number | null, children: readonly object[] = []): object => ({
    name,
    children,
    extra_info: rows === null ? {} : { 'Estimated Cardinality': String(rows) },
  })
  const plan = operator('CROSS_PRODUCT', null, [
    operator('PROJECTION', null, [operator('RANGE', 3000)]),
    operator('DUMMY_SCAN', null),
  ])
  t.equal(comparedPairs(parsePlan(JSON.stringify([plan]))), 3000)
})
