import assert from 'node:assert/strict'
import t from 'tap'
import { bind } from '../../../src/main/query/bind/bind.ts'
import { PARQUET } from '../../formats/product.ts'
import { fc } from '../../support/generate.ts'
import { parseScan } from '../bound.ts'
import { schemaOf } from '../table.ts'
import { queriesOver, tables } from './generators.ts'
import { runPlan } from './interpret.ts'
import { answer } from './oracle.ts'

const SOURCE = { relation: 'test', format: PARQUET, files: [] }

t.test('a bound plan gives the rows that the naive evaluator gives', async (t) => {
  let rows = 0
  const property = fc.property(tables().chain(queriesOver), ({ table, request }) => {
    const json = JSON.stringify(request)
    const plan = bind(parseScan(json), SOURCE, schemaOf(table))
    const expected = answer(json, table)
    rows += expected.length
    assert.deepEqual(runPlan(plan, table), expected)
  })
  fc.assert(property, { numRuns: 2_000 })
  t.ok(rows > 2_000, 'the generated filters let rows through')
})
