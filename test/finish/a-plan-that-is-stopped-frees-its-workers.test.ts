import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Ticket } from '../../src/main/dispatch/ticket.ts'
import { prepareScan } from '../../src/main/query/plan/prepare-scan.ts'
import { createBudget } from '../../src/main/query/run/rows/budget.ts'
import { rowsOf } from '../../src/main/query/run/rows/rows.ts'
import { createSummaries } from '../../src/main/query/source/summaries/summaries.ts'
import { numberedRows, writeParquetFile } from '../e2e/parquet-file.ts'
import { PARQUET } from '../formats/product.ts'
import { descending, planOf } from './plan-of.ts'
import { type Pool, startPool } from './pool.ts'

const ROWS = 400_000

async function parts(pool: Pool, folder: string, onAnswer = (_: Ticket) => {}) {
  const table = await pool.table(folder, PARQUET)
  const ticket = pool.scheduler.admit()
  const plan = planOf(table, { columns: ['id', 'noise', 'name'], order: [descending(1)] })
  const prepared = await prepareScan(plan, table, {
    summaries: createSummaries(2),
    ticket,
    onAnswer() {},
    onObjects() {},
  })
  return {
    ticket,
    rows: rowsOf(prepared, {
      id: 'stopped',
      encoding: 'arrow',
      ticket,
      scheduler: pool.scheduler,
      heldBytes: 1 << 30,
      holding: createBudget(1 << 30).open(),
      cursorIdleMs: 1000,
      tempFolder: pool.tempFolder,
      onAnswer: () => onAnswer(ticket),
      renew: () => Promise.reject(new Error('no statement is run here')),
      onIdle() {},
      onPruned() {},
    }),
  }
}

t.test('a client that leaves', async (t) => {
  const pool = startPool(t, 2)
  const folder = t.testdir({})
  writeParquetFile(join(folder, 'a.parquet'), numberedRows(ROWS), 10_000)

  t.test('while units are read', async (t) => {
    const { ticket, rows } = await parts(pool, folder, (ticket) => ticket.stop())
    await t.rejects(rows.next(), { code: 'cancelled' })
    ticket.release()
  })

  t.test('in the middle of the answer', async (t) => {
    const { ticket, rows } = await parts(pool, folder)
    t.notOk((await rows.next()).done)
    ticket.stop()
    await rows.return()
    ticket.release()
  })

  const table = await pool.table(folder, PARQUET)
  const { rows } = await pool.run(planOf(table, { columns: ['id'], isCounted: true }), table)
  t.same(rows, [[BigInt(ROWS)]])
})

t.test('a file that changes is an error', async (t) => {
  const pool = startPool(t, 2)
  const folder = t.testdir({})
  writeParquetFile(join(folder, 'a.parquet'), numberedRows(ROWS), 10_000)
  const { ticket, rows } = await parts(pool, folder)
  appendFileSync(join(folder, 'a.parquet'), 'more')
  await t.rejects(rows.next(), { code: 'file_changed' })
  ticket.release()
})
