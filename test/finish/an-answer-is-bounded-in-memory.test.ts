import { join } from 'node:path'
import { tableFromArrays } from 'apache-arrow'
import t from 'tap'
import { HALF } from '../../src/plan/task/finish.ts'
import { numberedRows, writeParquetFile } from '../e2e/parquet-file.ts'
import { PARQUET } from '../formats/product.ts'
import { descending, planOf } from './plan-of.ts'
import { startPool } from './pool.ts'

const MIB = 1 << 20

t.test('what does not fit into a worker is refused, and the worker stays', async (t) => {
  const pool = startPool(t, 1, 20 * MIB)
  const folder = t.testdir({})
  const text = Array.from({ length: 200_000 }, (_, row) => `a text of some length that occurs once, ${row}`)
  writeParquetFile(join(folder, 'a.parquet'), tableFromArrays({ text }), 10_000)
  const table = await pool.table(folder, PARQUET)
  const columns = ['text']
  const grouping = { keys: [0], aggregates: [], having: null }
  await t.rejects(pool.run(planOf(table, { columns, grouping }), table, { batchRows: 1 }), {
    code: 'memory_limit',
    message: /SERVICE_WORKER_MEMORY_MB/,
  })
  const heldBytes = MIB
  await t.rejects(
    pool.run(planOf(table, { columns, grouping }), table, { heldBytes: heldBytes, batchRows: 1 }),
    {
      code: 'memory_limit',
      message: /over 1 MiB.*SERVICE_WORKER_MEMORY_MB/,
    },
  )
  const order = [descending(0)]
  const last = 'a text of some length that occurs once, 99999'
  const { rows } = await pool.run(planOf(table, { columns, order, limit: 1 }), table)
  t.same(rows, [[last]])
  const sorted = await pool.run(planOf(table, { columns, order }), table)
  t.same([sorted.rows.length, sorted.rows[0]], [text.length, [last]], 'all rows are sorted in a file')
})

t.test('values of exact quantiles are bounded too', async (t) => {
  const pool = startPool(t, 2, 20 * MIB)
  const folder = t.testdir({})
  const rows = 600_000
  const noise = Float64Array.from({ length: rows }, (_, row) => (row * 7919) % rows)
  const few = Int8Array.from({ length: rows }, (_, row) => row % 5)
  writeParquetFile(join(folder, 'a.parquet'), tableFromArrays({ noise, few }), 20_000)
  const table = await pool.table(folder, PARQUET)
  const quantile = { kind: 'quantile_cont', share: HALF, isDistinct: false } as const
  const of = (columns: string[], keys: number[], argument: number) =>
    planOf(table, {
      columns,
      grouping: { keys, aggregates: [{ ...quantile, argument }], having: null },
    })
  const options = { batchRows: 1 }
  await t.rejects(pool.run(of(['few', 'noise'], [0], 1), table, options), {
    code: 'memory_limit',
    message: /one worker may take.*SERVICE_WORKER_MEMORY_MB/,
  })
  await t.rejects(pool.run(of(['noise'], [], 0), table, { ...options, heldBytes: MIB }), {
    code: 'memory_limit',
    message: /over 1 MiB; write approx_quantile.*SERVICE_WORKER_MEMORY_MB/,
  })
  const { rows: middle } = await pool.run(of(['few'], [], 0), table, { ...options, mergeBytes: 1 })
  t.same(middle, [[2]], 'as many values that are narrower')
})

t.test('many groups are merged before all are there', async (t) => {
  const pool = startPool(t, 2)
  const folder = t.testdir({})
  const rows = 300_000
  const key = Int32Array.from({ length: rows }, (_, row) => row % 100_000)
  writeParquetFile(join(folder, 'a.parquet'), tableFromArrays({ key }), 20_000)
  const table = await pool.table(folder, PARQUET)
  const grouping = { keys: [0], aggregates: [{ kind: 'count_rows' }] as const, having: null }
  const { rows: groups } = await pool.run(planOf(table, { columns: ['key'], grouping }), table, {
    mergeBytes: MIB,
    batchRows: 1,
  })
  t.equal(groups.length, 100_000)
  t.ok(groups.every(([group, count], at) => Number(group) === at && count === 3n))
})

t.test('an answer that a worker has had to give up is made again', async (t) => {
  const pool = startPool(t, 1, 64 * MIB)
  const folder = t.testdir({})
  writeParquetFile(join(folder, 'a.parquet'), numberedRows(600_000), 50_000)
  const table = await pool.table(folder, PARQUET)
  const plan = planOf(table, { columns: ['id', 'noise'], order: [descending(0)] })
  // After its first part, each of them has an answer of 7 MB waiting in the worker.
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => pool.run(plan, table, { sortBytes: 64 * MIB })),
  )
  for (const { rows } of answers) {
    t.equal(rows.length, 600_000)
    t.ok(rows.every(([id], at) => Number(id) === 599_999 - at))
  }
})
