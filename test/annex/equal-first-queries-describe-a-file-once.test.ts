import { BroadcastChannel } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { createScheduler, type Scheduler } from '../../src/main/dispatch/scheduler.ts'
import type { Ticket } from '../../src/main/dispatch/ticket.ts'
import { createInspector, type Inspector } from '../../src/main/query/source/summaries/inspector.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { BEGUN } from '../dispatch/begun.ts'
import { TEST_LIMITS } from '../dispatch/limits.ts'
import { toldOn } from '../support/told.ts'
import { until } from '../support/until.ts'
import { GO_ON } from './go-on.ts'

const HDF5 = FORMATS.withOptions(FORMATS.row('hdf5'))
const NOTHING = { statistics: [], columns: [] }

/** An inspector over a pool, and what lets descriptions end. */
function start(t: Test) {
  const scheduler = createScheduler({
    workers: 1,
    product: { name: 'service', version: '0' },
    entry: new URL('./fake-describer.ts', import.meta.url),
    limits: { ...TEST_LIMITS, maxChunkBytes: 1 << 28 },
    maximumQueries: 100,
    onWorkerFailure: () => {},
    onWorkerReplaced: () => {},
  })
  t.teardown(() => scheduler.close())
  const channel = new BroadcastChannel(GO_ON)
  t.teardown(() => channel.close())
  const told = toldOn(t, BEGUN)
  return { scheduler, inspector: createInspector(), told, goOn: () => channel.postMessage('') }
}

/** A file of some version, which has not changed for long. */
function file(path: string, inode = 1n, mtimeNs = 1n) {
  const version = { device: 1n, inode, size: 8n, mtimeNs, ctimeNs: mtimeNs }
  return { path, location: `/${path}`, version }
}

/** A query, and whether it waits for a description. */
interface Waiting {
  readonly ticket: Ticket
  isWaiting: boolean
}

function query(scheduler: Scheduler, caching = true): Waiting {
  const admitted = scheduler.admit(caching)
  const query: Waiting = { ticket: admitted, isWaiting: false }
  const waitFor: Ticket['waitFor'] = (shared) => {
    query.isWaiting = true
    return admitted.waitFor(shared)
  }
  return Object.assign(query, { ticket: { ...admitted, waitFor } })
}

/** Inspects a file. Returns the number of the description that was used, and how many answers the query was charged for. */
async function inspected(inspector: Inspector, { ticket }: Waiting, of = file('a')) {
  let answers = 0
  const { signal } = new AbortController()
  const [inspected] = await inspector.inspect(HDF5, [of], NOTHING, ticket, () => answers++, signal)
  if (inspected?.found.kind === 'error') throw inspected.found.error
  return { description: new Int32Array(inspected?.file.metadata ?? new SharedArrayBuffer(4))[0], answers }
}

function allWait(queries: readonly Waiting[]): Promise<unknown> {
  return until('all wait', () => queries.every(({ isWaiting }) => isWaiting))
}

t.test('a query that leaves does not end it for the others', async (t) => {
  const { scheduler, inspector, told, goOn } = start(t)
  const [first, second, third] = [query(scheduler), query(scheduler), query(scheduler)]
  const leaving = inspected(inspector, first)
  await told('a 1')
  const others = [inspected(inspector, second), inspected(inspector, third)]
  await allWait([first, second, third])
  first.ticket.stop()
  await t.rejects(leaving, { code: 'cancelled' })
  goOn()
  t.same(await Promise.all(others), [
    { description: 1, answers: 2 },
    { description: 1, answers: 2 },
  ])
  t.same(await inspected(inspector, query(scheduler)), { description: 1, answers: 1 }, 'and it is kept')
})

t.test('it ends when the last query leaves, and the next one begins another', async (t) => {
  const { scheduler, inspector, told, goOn } = start(t)
  const queries = [query(scheduler), query(scheduler)]
  const all = queries.map((each) => inspected(inspector, each))
  await told('a 1')
  await allWait(queries)
  for (const { ticket } of queries) ticket.stop()
  for (const each of all) await t.rejects(each, { code: 'cancelled' })
  // The thread does not look whether it was cancelled, so it is ended, and the next one counts from 1.
  const next = inspected(inspector, query(scheduler))
  await told('a 1')
  goOn()
  t.same(await next, { description: 1, answers: 3 })
})

t.test('a damaged file is refused by one description', async (t) => {
  const { scheduler, inspector, told, goOn } = start(t)
  const queries = [query(scheduler), query(scheduler)]
  const all = queries.map((each) => inspected(inspector, each, file('damaged')))
  await told('damaged 1')
  await allWait(queries)
  goOn()
  for (const each of all) await t.rejects(each, { code: 'unreadable_file' })
  const next = inspected(inspector, query(scheduler), file('damaged'))
  await told('damaged 2')
  goOn()
  await t.rejects(next, { code: 'unreadable_file' })
})

t.test('a query that asks again for a damaged file gets the same error', async (t) => {
  const { scheduler, inspector, told, goOn } = start(t)
  for (const caching of [true, false]) {
    const asking = query(scheduler, caching)
    const first = inspected(inspector, asking, file('damaged'))
    await told(`damaged ${caching ? 1 : 2}`)
    goOn()
    await t.rejects(first, { code: 'unreadable_file' })
    await t.rejects(inspected(inspector, asking, file('damaged')), { code: 'unreadable_file' }, 'at once')
  }
})

t.test('other versions, and queries that keep nothing, have their own', async (t) => {
  const { scheduler, inspector, told, goOn } = start(t)
  const of = [
    inspected(inspector, query(scheduler)),
    inspected(inspector, query(scheduler), file('a', 1n, 2n)),
    inspected(inspector, query(scheduler, false)),
    inspected(inspector, query(scheduler, false)),
  ]
  for (const number of [1, 2, 3, 4]) {
    await told(`a ${number}`)
    goOn()
  }
  const numbers = (await Promise.all(of)).map(({ description }) => description)
  t.same(numbers.toSorted(), [1, 2, 3, 4])
})
