import t, { type Test } from 'tap'
import { createAnnex } from '../../src/main/dispatch/annex.ts'
import { createScheduler, type Scheduler } from '../../src/main/dispatch/scheduler.ts'
import type { Ticket } from '../../src/main/dispatch/ticket.ts'
import type { UndoneAnswer } from '../../src/plan/task/task.ts'
import { BEGUN } from '../dispatch/begun.ts'
import { TEST_LIMITS } from '../dispatch/limits.ts'
import { PARQUET } from '../formats/product.ts'
import { toldOn } from '../support/told.ts'

const VERSION = { device: 0n, inode: 0n, size: 0n, mtimeNs: 0n, ctimeNs: 0n }

const OPTIONS = {
  product: { name: 'service', version: '0' },
  entry: new URL('./fake-annex.ts', import.meta.url),
  limits: TEST_LIMITS,
}

interface Pool extends Scheduler {
  readonly failures: Error[]
  readonly lostWorkers: number[]
}

function pool(t: Test, undoMs?: number): Pool {
  const failures: Error[] = []
  const lostWorkers: number[] = []
  const scheduler = createScheduler({
    ...OPTIONS,
    workers: 3,
    ...(undoMs !== undefined && { undoMs }),
    maximumQueries: 100,
    onWorkerFailure: (worker) => lostWorkers.push(worker),
    onAnnexFailure: (error) => failures.push(error),
    onWorkerReplaced: (worker) => lostWorkers.push(worker),
  })
  t.teardown(() => scheduler.close())
  return Object.assign(scheduler, { failures, lostWorkers })
}

/** Has a worker read a chunk whose filter does something. Returns the number of the thread that has undone it. */
async function undoneBy(ticket: Ticket, filter: string): Promise<number> {
  const { answer } = await ticket.run<UndoneAnswer>({
    kind: 'inspect',
    format: PARQUET,
    files: [{ path: filter, location: '/', version: VERSION }],
    statistics: [],
    columns: [],
    areMany: false,
    caching: false,
    cancel: ticket.cancel,
  })
  return new Uint32Array(answer.bytes)[0] ?? 0
}

t.test('all workers are served by one thread', async (t) => {
  const scheduler = pool(t)
  const threads = await Promise.all(Array.from({ length: 12 }, () => undoneBy(scheduler.admit(), 'good')))
  t.equal(new Set(threads).size, 1)
  t.same(scheduler.failures, [])
})

t.test('after the time limit its thread is ended, and the chunks behind it go to a new one', async (t) => {
  const scheduler = pool(t, 5000)
  const first = await undoneBy(scheduler.admit(), 'good')
  const told = toldOn(t, BEGUN)
  const hanging = undoneBy(scheduler.admit(), 'hangs')
  hanging.catch(() => {})
  await told('hangs')
  const behind = undoneBy(scheduler.admit(), 'behind')
  await t.rejects(hanging, {
    code: 'unreadable_file',
    status: 400,
    message: 'it could not be undone within 5 s',
  })
  t.not(await behind, first)
  t.same(scheduler.failures, [], 'it is no failure of the service')
  t.same(scheduler.lostWorkers, [], 'and no worker is lost')
})

t.test('if the thread dies, only the chunk that it has read is refused', async (t) => {
  const scheduler = pool(t)
  const told = toldOn(t, BEGUN)
  const dying = undoneBy(scheduler.admit(), 'dies')
  dying.catch(() => {})
  await told('dies')
  const behind = undoneBy(scheduler.admit(), 'behind')
  await t.rejects(dying, { code: 'unreadable_file', message: 'undoing it has ended the thread' })
  t.ok(await behind)
  t.equal(scheduler.failures.length, 1)
  t.same(scheduler.lostWorkers, [])
})

t.test('a chunk that nobody waits for any more is left out', async (t) => {
  const annex = createAnnex({ ...OPTIONS, onFailure: (error) => t.error(error) })
  t.teardown(() => annex.close())
  const filtered = { stored: new ArrayBuffer(7), filter: { id: 0, values: [] }, bytes: 8 }
  const left = annex.undo(filtered, () => false)
  const chunk = annex.undo(filtered, () => true)
  await t.rejects(left, { code: 'cancelled' })
  t.equal((await chunk).byteLength, 8)
})

t.test('an error of a filter is that of its chunk', async (t) => {
  const scheduler = pool(t)
  await t.rejects(undoneBy(scheduler.admit(), 'damaged'), { code: 'unreadable_file', message: 'damaged' })
  t.ok(await undoneBy(scheduler.admit(), 'good'))
  t.same(scheduler.failures, [])
})

t.test('a query that is stopped leaves its worker, and the thread ends if it does not notice', async (t) => {
  const scheduler = pool(t)
  const told = toldOn(t, BEGUN)
  const [stopped, other] = [scheduler.admit(), scheduler.admit()]
  const running = undoneBy(stopped, 'hangs')
  running.catch(() => {})
  await told('hangs')
  const waiting = undoneBy(stopped, 'never')
  waiting.catch(() => {})
  const behind = undoneBy(other, 'behind')
  stopped.stop()
  await t.rejects(running, { code: 'cancelled' })
  await t.rejects(waiting, { code: 'cancelled' })
  t.ok(await behind)
  t.same(scheduler.lostWorkers, [])
})

t.test('the pool closes under a filter that hangs', async (t) => {
  const scheduler = pool(t)
  const told = toldOn(t, BEGUN)
  const hanging = undoneBy(scheduler.admit(), 'hangs')
  hanging.catch(() => {})
  await told('hangs')
  const outcomes = Promise.allSettled([hanging, undoneBy(scheduler.admit(), 'behind')])
  await scheduler.close()
  t.same(
    (await outcomes).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
})
