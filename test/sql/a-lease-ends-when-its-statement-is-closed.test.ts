import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { createEngines, type Lease } from '../../src/main/dispatch/engines.ts'
import type { Scheduler } from '../../src/main/dispatch/scheduler.ts'
import type { Task } from '../../src/plan/task/task.ts'

/** A worker that answers `sql_close` when it is told to. */
function oneWorker() {
  const closes: PromiseWithResolvers<void>[] = []
  const runInternal = async (task: Task): Promise<unknown> => {
    if (task.kind !== 'sql_close') return { kind: 'sql_ready', functions: [] }
    const close = Promise.withResolvers<void>()
    closes.push(close)
    await close.promise
    return { kind: 'sql_closed' }
  }
  const scheduler = { workers: 1, runInternal: runInternal as Scheduler['runInternal'] }
  return { closes, engines: createEngines(scheduler, () => {}) }
}

for (const outcome of ['resolve', 'reject'] as const) {
  t.test(`a worker has at most as many leases as it may have statements, closing: ${outcome}`, async (t) => {
    const { closes, engines } = oneWorker()
    const { signal } = new AbortController()
    const leases: Lease[] = []
    for (let i = 0; i < 32; i++) leases.push(await engines.lease(`${i}`, signal))
    let isLeased = false
    const next = engines.lease('next', signal).then(() => {
      isLeased = true
    })
    leases[0]?.release()
    leases[0]?.release()
    await turn()
    t.equal(closes.length, 1, 'a lease is given back once')
    t.notOk(isLeased, 'while the worker has not closed the statement')
    closes[0]?.[outcome]()
    await next
    t.ok(isLeased)
  })
}

t.test('a client that leaves while it waits gets no lease', async (t) => {
  const { closes, engines } = oneWorker()
  const { signal } = new AbortController()
  const leases: Lease[] = []
  for (let i = 0; i < 32; i++) leases.push(await engines.lease(`${i}`, signal))
  const leaving = new AbortController()
  const left = engines.lease('left', leaving.signal)
  const next = engines.lease('next', signal)
  leaving.abort()
  await t.rejects(left)
  leases[0]?.release()
  closes[0]?.resolve()
  t.equal((await next).worker, 0)
})

t.test('statements that begin together get no more leases than there are', async (t) => {
  const { closes, engines } = oneWorker()
  const { signal } = new AbortController()
  const granted: Lease[] = []
  const leases = Array.from({ length: 40 }, async (_, i) => {
    granted.push(await engines.lease(`${i}`, signal))
  })
  await turn()
  t.equal(granted.length, 32)
  for (const lease of granted.slice(0, 8)) lease.release()
  for (const close of closes) close.resolve()
  await Promise.all(leases)
  t.equal(granted.length, 40)
})
