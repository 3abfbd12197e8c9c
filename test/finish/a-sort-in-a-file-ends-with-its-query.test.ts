import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Ticket } from '../../src/main/dispatch/ticket.ts'
import { createTempFolder, type TempFolder } from '../../src/main/output/temp/temp-folder.ts'
import { ServiceError } from '../../src/plan/errors.ts'
import { numberedRows, writeParquetFile } from '../e2e/parquet-file.ts'
import { PARQUET } from '../formats/product.ts'
import { descending, planOf } from './plan-of.ts'
import { startPool } from './pool.ts'

const ROWS = 40_000

/** Sizes that make some ten runs and as many steps. */
const SIZES = { runBytes: 100_000, blockBytes: 10_000, stepBytes: 100_000 }

const UNLIMITED = { outputBytes: 1, totalBytes: 1 << 30, reservedBytes: 0 }

function folderOf(t: Test, limits = UNLIMITED, refusedFrom = Number.POSITIVE_INFINITY): TempFolder {
  let writes = 0
  return createTempFolder(t.testdir({}), limits, {
    async writing(_bytes, write) {
      if (++writes >= refusedFrom) throw new ServiceError('disk_full', 'full')
      return write()
    },
  })
}

t.test('a sort in a file', async (t) => {
  const pool = startPool(t, 2)
  const folder = t.testdir({ files: {} })
  const files = join(folder, 'files')
  writeParquetFile(join(files, 'a.parquet'), numberedRows(ROWS), 4_000)
  const table = await pool.table(files, PARQUET)
  const plan = planOf(table, { columns: ['id', 'noise', 'name'], order: [descending(0)] })
  const run = (tempFolder: TempFolder, more: Parameters<typeof pool.run>[2] = {}) =>
    pool.run(plan, table, { sortBytes: 0, sizes: SIZES, tempFolder, ...more })

  await t.test('writes runs and gives them back', async (t) => {
    const tempFolder = folderOf(t)
    let bytes = 0
    const onRunWritten = (more: number): void => {
      bytes += more
      t.equal(tempFolder.bytes, bytes)
    }
    const { rows } = await run(tempFolder, { onRunWritten })
    t.equal(rows.length, ROWS)
    t.ok(rows.every(([id], at) => Number(id) === ROWS - 1 - at))
    t.ok(bytes > 100_000)
    t.equal(tempFolder.bytes, 0)
  })

  await t.test('that has more bytes than temporary files may have is refused', async (t) => {
    const tempFolder = folderOf(t, { ...UNLIMITED, totalBytes: 100_000 })
    await t.rejects(run(tempFolder), {
      code: 'memory_limit',
      message: /sorts .*take over 100000 bytes.*SERVICE_MAX_TEMP_BYTES.*limit/,
    })
    t.equal(tempFolder.bytes, 0)
  })

  await t.test('on a disk that gets full is refused', async (t) => {
    const tempFolder = folderOf(t, UNLIMITED, 5)
    await t.rejects(run(tempFolder), { code: 'disk_full' })
    t.equal(tempFolder.bytes, 0)
  })

  for (const [stage, at] of [
    ['runs are sorted', 'sorted_run'],
    ['steps are merged', 'merge_runs'],
  ] as const) {
    for (const [what, code] of [
      ['whose client leaves', 'cancelled'],
      ['whose worker dies', 'worker_lost'],
    ] as const)
      await t.test(`${what} while ${stage}`, async (t) => {
        const tempFolder = folderOf(t)
        const ticket = pool.scheduler.admit()
        const failing = failingAt(ticket, at === 'sorted_run' ? 'sort_run' : at, () => {
          if (code === 'worker_lost') throw new ServiceError('worker_lost', 'died')
          ticket.stop()
        })
        await t.rejects(run(tempFolder, { ticket: failing }), { code })
        ticket.stop()
        ticket.release()
        t.equal(tempFolder.bytes, 0)
      })
  }

  await t.test('does not harm the workers when it ends early', async (t) => {
    const { rows } = await run(folderOf(t))
    t.equal(rows.length, ROWS)
  })
})

/** A ticket that calls `fail` when the third task of a kind is asked for. */
function failingAt(ticket: Ticket, kind: string, fail: () => void): Ticket {
  let asked = 0
  return {
    ...ticket,
    async run(task, placement) {
      if (task.kind === kind && ++asked === 3) fail()
      return ticket.run(task, placement)
    },
  }
}
