import t from 'tap'
import { bindSelect } from '../../src/main/query/core/bind/bind-select.ts'
import { parseSelect } from '../../src/main/query/core/parse/parse-select.ts'
import { reducedPlan } from '../../src/main/query/plan/reduced-plan.ts'
import { tokenize } from '../../src/main/sql/text/tokens.ts'
import { groupsOfExpression } from '../../src/plan/expression.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import type { ScanPlan } from '../../src/plan/plan.ts'
import { type DataType, field } from '../../src/plan/types/schema.ts'
import { PARQUET } from '../formats/product.ts'

const FLOAT: DataType = { kind: 'float', bits: 64 }
const TABLE = {
  relation: 'obs',
  format: PARQUET,
  files: [],
  schema: { fields: ['a', 'b', 'c'].map((name) => field(name, FLOAT)), metadata: {} },
  summaries: [],
  unlisted: null,
  isNarrowed: false,
}

function reduced(sql: string): ScanPlan {
  const parsed = parseSelect(tokenize(sql), FORMATS)
  if ('reason' in parsed) throw new TypeError(parsed.reason.what)
  const bound = bindSelect(parsed.done, TABLE)
  if ('reason' in bound) throw new TypeError(bound.reason.what)
  return reducedPlan(bound.done)
}

/** The columns that are read, the aggregates by name, and the columns of the table of groups that stand in each clause. */
function told({ scan, finish: { grouping, order, output } }: ScanPlan) {
  return {
    read: scan.columns.map(({ name }) => name),
    keys: grouping?.keys,
    aggregates: grouping?.aggregates.map((aggregate) =>
      'argument' in aggregate ? Object.values(aggregate) : [],
    ),
    having: grouping?.having ? groupsOfExpression(grouping.having) : [],
    order: order.map(({ column }) => column),
    output,
  }
}

const GROUPS = `SELECT a, count(*) AS n, sum(b) AS s, min(c) AS m FROM read_parquet('obs') GROUP BY a`

t.test('all aggregates stay where all are in the answer', async (t) => {
  t.same(told(reduced(`${GROUPS} HAVING count(*) > 1 ORDER BY m`)), {
    read: ['a', 'b', 'c'],
    keys: [0],
    aggregates: [[], ['sum', 1], ['min', 2]],
    having: [1],
    order: [3],
    output: [0, 1, 2, 3],
  })
})

t.test('a number of groups needs what HAVING reads', async (t) => {
  const counted = (having: string) => told(reduced(`SELECT count(*) FROM (${GROUPS} ${having} ORDER BY s)`))
  t.same(counted(''), { read: ['a'], keys: [0], aggregates: [], having: [], order: [], output: [] })
  t.same(counted('HAVING min(c) > 1'), {
    read: ['a', 'c'],
    keys: [0],
    aggregates: [['min', 1]],
    having: [1],
    order: [],
    output: [],
  })
})

t.test('chosen columns of groups need those, the order and HAVING', async (t) => {
  t.same(told(reduced(`SELECT m, a FROM (${GROUPS} HAVING count(*) > 1 ORDER BY m)`)), {
    read: ['a', 'c'],
    keys: [0],
    aggregates: [[], ['min', 1]],
    having: [1],
    order: [2],
    output: [2, 0],
  })
  t.same(told(reduced(`SELECT a FROM (${GROUPS})`)), {
    read: ['a'],
    keys: [0],
    aggregates: [],
    having: [],
    order: [],
    output: [0],
  })
})
