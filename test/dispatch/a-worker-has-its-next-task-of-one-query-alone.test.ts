import { mock } from 'node:test'
import { setImmediate as posted } from 'node:timers/promises'
import t from 'tap'
import type { ScanAnswer } from '../../src/plan/task/task.ts'
import { toldOn } from '../support/told.ts'
import { BEGUN } from './begun.ts'
import { ask, fakePool } from './pool.ts'
import { taskFor } from './tasks.ts'

t.test('tasks of one query follow each other in a worker, one at a time', async (t) => {
  const pool = fakePool(t, 1)
  const ticket = pool.admit()
  const order: number[] = []
  const outcomes = await Promise.all(
    [0, 1, 2, 3].map(async (each) => {
      const outcome = await ask(ticket, 'busy:20')
      order.push(each)
      return outcome
    }),
  )
  t.strictSame(order, [0, 1, 2, 3])
  for (const [place, { queueMs }] of outcomes.entries())
    t.ok(
      queueMs >= 20 * place,
      `the wait of task ${place} (${queueMs} ms) ends when the one before it has ended`,
    )
})

t.test('a task that waits in a worker has all of its time from its beginning', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const begun = toldOn(t, BEGUN)
  const pool = fakePool(t, 1, 3000)
  const ticket = pool.admit()
  const words = new SharedArrayBuffer(8)
  const tasks = [0, 1].map((index) =>
    ticket.run({ ...taskFor('held', ticket.cancel), claim: { words, index } }),
  )
  for (const [index, task] of tasks.entries()) {
    await begun('held')
    mock.timers.tick(2000)
    Atomics.store(new Int32Array(words), index, 1)
    Atomics.notify(new Int32Array(words), index)
    await t.resolves(task)
  }
})

t.test('a worker that dies costs both tasks, of one query', async (t) => {
  const pool = fakePool(t, 1)
  const victim = pool.admit()
  const other = pool.admit()
  const died = ask(victim, 'exit')
  const behind = ask(victim, 'ok')
  await posted()
  const elsewhere = ask(other, 'ok')
  await Promise.all([
    t.rejects(died, { code: 'worker_lost' }),
    t.rejects(behind, { code: 'worker_lost' }),
    t.resolves(elsewhere, 'what another query asked for then is not behind them'),
  ])
  await t.resolves(ask(victim, 'ok'), 'the worker that took its place works')
})

t.test('a query that is stopped has both of its tasks end, and keeps the worker', async (t) => {
  const pool = fakePool(t, 1)
  const ticket = pool.admit()
  await ask(ticket, 'ok')
  const first = ask(ticket, 'busy:60000')
  const rejected = t.rejects(
    ask(ticket, 'busy:60000'),
    { code: 'cancelled' },
    'at once, as if it were queued',
  )
  await posted()
  ticket.stop()
  await Promise.all([first, rejected])
  await t.resolves(ask(pool.admit(), 'ok'))
})

t.test('a task that cannot be stopped costs the worker, also where it began behind another', async (t) => {
  const pool = fakePool(t, 1)
  const ticket = pool.admit()
  await ask(ticket, 'ok')
  const first = ask(ticket, 'busy:60000')
  const rejected = t.rejects(ask(ticket, 'deaf'), { code: 'cancelled' })
  await posted()
  ticket.stop()
  await Promise.all([first, rejected])
  await t.resolves(ask(pool.admit(), 'ok'))
})

t.test('nothing waits behind a large task, whose worker others may want', async (t) => {
  const pool = fakePool(t, 1)
  const large = pool.admit()
  const order: string[] = []
  const run = (key: string) => {
    const task = taskFor(key, large.cancel)
    const unit = { ...task.unit, decodedBytes: 64 << 20 }
    return large.run<ScanAnswer>({ ...task, unit }).then(() => order.push('large'))
  }
  const tasks = [run('busy:30'), run('busy:30')]
  const small = ask(pool.admit(), 'ok').then(() => order.push('small'))
  await Promise.all([...tasks, small])
  t.strictSame(order, ['large', 'small', 'large'])
})
