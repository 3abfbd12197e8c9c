import assert from 'node:assert/strict'
import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { writeCondition } from '../../src/main/query/duckdb/from-json/write-condition.ts'
import { filterOf } from './bound.ts'

const GREATEST = '9999999999999999999999999999.9999999999'
const BEYOND = JSON.rawJSON('9999999999999999999999999999.99999999995')
const BELOW = JSON.rawJSON('-9999999999999999999999999999.99999999995')

t.test('DuckDB compares a decimal of 38 digits with a constant of more digits as it is', async (t) => {
  const native = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
  const count = async (condition: Readonly<Record<string, unknown>>): Promise<number> => {
    const filter = filterOf({ kind: 'decimal', bits: 128, precision: 38, scale: 10 }, condition)
    assert(filter !== null)
    const values = `(VALUES (-${GREATEST}), (0), (${GREATEST}), (NULL)) AS source(c)`
    const [[n] = []] = (
      await native.runAndReadAll(`SELECT count(*) FROM ${values} WHERE ${writeCondition(filter, () => 'c')}`)
    ).getRows()
    return Number(n)
  }

  for (const [condition, expected] of [
    [{ lt: BEYOND }, 3],
    [{ lt_eq: BEYOND }, 3],
    [{ gt: BEYOND }, 0],
    [{ gt_eq: BEYOND }, 0],
    [{ eq: BEYOND }, 0],
    [{ neq: BEYOND }, 3],
    [{ lt: BELOW }, 0],
    [{ gt: BELOW }, 3],
    [{ gt_eq: BELOW }, 3],
    [{ min: BELOW, max: BEYOND }, 3],
    [{ min: BELOW, max: 0 }, 2],
    [{ min: BEYOND, max: BEYOND }, 0],
    [{ in: [0, BEYOND] }, 1],
    [{ in: [BELOW, BEYOND] }, 0],
  ] as const)
    t.equal(await count(condition), expected, JSON.stringify(condition))
})
