import t from 'tap'
import { bindOrdered } from '../../src/main/query/bind/bind-ordered.ts'
import { bindSelect } from '../../src/main/query/core/bind/bind-select.ts'
import { parseSelect } from '../../src/main/query/core/parse/parse-select.ts'
import { explain } from '../../src/main/query/explain/explain.ts'
import type { PlanNode } from '../../src/main/query/explain/plan-node.ts'
import { tokenize } from '../../src/main/sql/text/tokens.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import type { ScanPlan } from '../../src/plan/plan.ts'
import { field, type Schema } from '../../src/plan/types/schema.ts'
import { PARQUET } from '../formats/product.ts'
import { parseScan } from './bound.ts'

const SCHEMA: Schema = {
  fields: [
    field('time', { kind: 'timestamp', unit: 'millisecond', zone: null }),
    field('platform', { kind: 'utf8' }),
    field('depth (m)', { kind: 'float', bits: 32 }),
  ],
  metadata: {},
}
const TABLE = {
  relation: 'obs',
  format: PARQUET,
  files: [],
  schema: SCHEMA,
  summaries: [],
  unlisted: null,
  isNarrowed: false,
}

/** The nodes of a plan from its root to its scan, each with its members. */
function steps(plan: ScanPlan): string[] {
  const [{ Plan }] = explain(plan)
  const nodes: PlanNode[] = []
  for (let node: PlanNode | undefined = Plan; node !== undefined; node = node.Plans[0]) nodes.push(node)
  t.ok(
    nodes.every((node) => node['Engine'] === 'core'),
    'all of it is the core',
  )
  return nodes.map(
    ({ 'Node Type': type, Engine, Plans, Output, ...own }) => `${type} ${Object.values(own).join('; ')}`,
  )
}

function sql(text: string): string[] {
  const parsed = parseSelect(tokenize(text), FORMATS)
  if ('reason' in parsed) return [parsed.reason.what]
  const bound = bindSelect(parsed.done, TABLE)
  return 'reason' in bound ? [bound.reason.what] : steps(bound.done)
}

function json(request: object): string[] {
  const bound = bindOrdered(parseScan(JSON.stringify(request)), TABLE, SCHEMA)
  return 'reason' in bound ? [bound.reason.what] : steps(bound.done)
}

t.test('groups, those that pass, their order', async (t) => {
  t.same(
    sql(`SELECT platform AS p, avg("depth (m)") AS mean, count(*) AS n FROM read_parquet('obs') WHERE time > '2024-01-01'
      GROUP BY p HAVING n > 3 AND platform <> 'x' ORDER BY n DESC, 1 LIMIT 5 OFFSET 2`),
    [
      'Projection platform AS p,avg("depth (m)") AS mean,count(*) AS n',
      'TopN count(*) DESC NULLS FIRST,platform ASC NULLS LAST; 2; 5',
      'Filter count(*) > Int64(3)',
      'Aggregate platform; avg("depth (m)"),count(*)',
      'Filter time > Timestamp(ms)(2024-01-01T00:00:00) AND platform != Utf8("x")',
      'TableScan obs; time > Timestamp(ms)(2024-01-01T00:00:00),platform != Utf8("x")',
    ],
  )
})

t.test('a number of rows, distinct rows, all rows in an order', async (t) => {
  t.same(sql("SELECT count(*) FROM (SELECT DISTINCT platform FROM read_parquet('obs') LIMIT 9)"), [
    'Count ',
    'Limit 9',
    'Distinct platform',
    'TableScan obs',
  ])
  t.same(sql("SELECT time FROM read_parquet('obs') ORDER BY platform NULLS FIRST"), [
    'Projection time',
    'Sort platform ASC NULLS FIRST; runs sorted by all workers, in a temporary file',
    'TableScan obs',
  ])
  t.same(sql("SELECT max(time) AS last FROM read_parquet('obs')"), [
    'Projection max(time) AS last',
    'Aggregate max(time)',
    'TableScan obs',
  ])
})

t.test('JSON', async (t) => {
  const select = ['platform', { column: 'time', alias: 'first' }]
  t.same(json({ select, sort_by: [{ Desc: 'first' }], limit: 3 }), [
    'Projection platform,time AS first',
    'TopN time DESC NULLS LAST; 3',
    'TableScan obs',
  ])
  const distinct = { on: ['platform'], select: ['first'] }
  t.same(json({ select, distinct, sort_by: [{ Asc: 'platform' }] }), [
    'Projection first(time) AS first',
    'Sort platform ASC NULLS LAST',
    'Distinct platform',
    'TableScan obs',
  ])
  t.same(json({ select, distinct, sort_by: [{ Asc: 'time' }] }), [
    'Projection time AS first',
    'Sort time ASC NULLS LAST',
    'FirstRows platform; time ASC NULLS LAST; 1',
    'TableScan obs',
  ])
})
