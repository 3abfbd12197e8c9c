import t, { type Test } from 'tap'
import { createScheduler, type Scheduler } from '../../src/main/dispatch/scheduler.ts'
import type { Ticket } from '../../src/main/dispatch/ticket.ts'
import type { DescribedAnswer } from '../../src/plan/task/task.ts'
import { BEGUN } from '../dispatch/begun.ts'
import { TEST_LIMITS } from '../dispatch/limits.ts'
import { PARQUET } from '../formats/product.ts'
import { toldOn } from '../support/told.ts'

const VERSION = { device: 0n, inode: 0n, size: 0n, mtimeNs: 0n, ctimeNs: 0n }

function pool(t: Test, metadataMs?: number): Scheduler & { readonly failures: Error[] } {
  const failures: Error[] = []
  const scheduler = createScheduler({
    workers: 1,
    product: { name: 'service', version: '0' },
    entry: new URL('./fake-annex.ts', import.meta.url),
    limits: { ...TEST_LIMITS, maxChunkBytes: 1 << 28 },
    ...(metadataMs !== undefined && { metadataMs }),
    maximumQueries: 100,
    onWorkerFailure: () => {},
    onAnnexFailure: (error) => failures.push(error),
    onWorkerReplaced: () => {},
  })
  t.teardown(() => scheduler.close())
  return Object.assign(scheduler, { failures })
}

/** Asks for the metadata of a file. Returns the number of the thread that has parsed them. */
async function threadOf(ticket: Ticket, path: string): Promise<number> {
  const { answer } = await ticket.run<DescribedAnswer>({
    kind: 'describe',
    format: PARQUET,
    file: { path, location: `/${path}`, version: VERSION },
    cancel: ticket.cancel,
  })
  return new Int32Array(answer.metadata)[0] ?? 0
}

t.test('after the time limit its thread is ended, and the files behind it go to a new one', async (t) => {
  const scheduler = pool(t, 5000)
  const ticket = scheduler.admit()
  const first = await threadOf(ticket, 'good')
  const hanging = threadOf(ticket, 'hangs')
  const behind = [threadOf(ticket, 'behind'), threadOf(scheduler.admit(), 'of another query')]
  await t.rejects(hanging, {
    code: 'unreadable_file',
    status: 400,
    message:
      'The metadata of "hangs" could not be read within 5 s: the file is damaged, or has too many objects.',
  })
  const [second, third] = await Promise.all(behind)
  t.not(second, first)
  t.equal(third, second)
  t.same(scheduler.failures, [], 'it is no failure of the service')
})

t.test('if the thread dies, only the file that it has read is refused', async (t) => {
  const scheduler = pool(t)
  const ticket = scheduler.admit()
  const dying = threadOf(ticket, 'dies')
  const behind = threadOf(ticket, 'behind')
  await t.rejects(dying, { code: 'worker_lost' })
  t.ok(await behind)
  t.equal(scheduler.failures.length, 1)
})

t.test('files are read one after the other in one thread, in turns of the queries', async (t) => {
  const scheduler = pool(t)
  const told = toldOn(t, BEGUN)
  const [many, one] = [scheduler.admit(), scheduler.admit()]
  const order: string[] = []
  const note = async (ticket: Ticket, path: string) => {
    const thread = await threadOf(ticket, path)
    order.push(path)
    return thread
  }
  const all = [...['a1', 'a2', 'a3'].map((path) => note(many, path)), note(one, 'b')]
  const threads = await Promise.all(all)
  await told('b')
  t.same(order, ['a1', 'b', 'a2', 'a3'])
  t.equal(new Set(threads).size, 1)
})

t.test('an error of a file is that of its task', async (t) => {
  const scheduler = pool(t)
  await t.rejects(threadOf(scheduler.admit(), 'damaged'), { code: 'unreadable_file' })
  t.same(scheduler.failures, [])
})

t.test('a query that is stopped leaves at once, and its thread ends if it does not notice', async (t) => {
  const scheduler = pool(t)
  const told = toldOn(t, BEGUN)
  const [stopped, other] = [scheduler.admit(), scheduler.admit()]
  const running = threadOf(stopped, 'hangs')
  const queued = threadOf(stopped, 'queued')
  const behind = threadOf(other, 'behind')
  await told('hangs')
  stopped.stop()
  await t.rejects(queued, { code: 'cancelled' })
  await t.rejects(running, { code: 'cancelled' })
  t.ok(await behind)
})

t.test('the pool closes under a file that hangs', async (t) => {
  const scheduler = pool(t)
  const told = toldOn(t, BEGUN)
  const ticket = scheduler.admit()
  const outcomes = Promise.allSettled([threadOf(ticket, 'hangs'), threadOf(ticket, 'queued')])
  await told('hangs')
  await scheduler.close()
  t.same(
    (await outcomes).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
})
