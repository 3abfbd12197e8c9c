import assert from 'node:assert/strict'
import t from 'tap'
import { field, type Schema, typeName } from '../../../src/plan/types/schema.ts'
import { fc } from '../../support/generate.ts'
import { openBothColumns } from './columns-of-both.ts'
import { EXPRESSION_COLUMNS, sqlExpressions } from './sql-expressions.ts'

const SCHEMA: Schema = {
  metadata: {},
  fields: Object.entries(EXPRESSION_COLUMNS).map(([name, type]) => field(name, type)),
}

const { duckColumns, bound } = await openBothColumns(SCHEMA)

const aggregate = fc.constantFrom('sum(', 'avg(', 'min(', 'max(', 'count(', 'count(DISTINCT ')

const item = fc.oneof(
  { arbitrary: sqlExpressions, weight: 3 },
  fc.tuple(aggregate, sqlExpressions).map(([call, arg]) => `${call}${arg})`),
  fc
    .tuple(
      aggregate,
      sqlExpressions,
      fc.constantFrom('+', '-', '*', '/', '>'),
      fc.constantFrom('1', '2.5', 'count(*)', 'avg(f64)'),
    )
    .map(([call, arg, sign, other]) => `${call}${arg}) ${sign} ${other}`),
)

t.test('a generated expression has the name and the type that it has in DuckDB', async (t) => {
  const counts = { bound: 0, declined: 0, refused: 0 }
  fc.assert(
    fc.property(item, (each) => {
      const sql = `SELECT ${each} FROM t`
      const outcome = bound(sql)
      const expected = duckColumns(sql)
      if ('reason' in outcome) {
        counts[expected === null ? 'refused' : 'declined']++
        return
      }
      counts.bound++
      const fields = outcome.plan.output.fields.map(({ name, type }) => `${name}: ${typeName(type)}`)
      assert.deepEqual(fields, expected, sql)
    }),
    { numRuns: 1500 },
  )
  t.ok(counts.bound > 300, JSON.stringify(counts))
})
