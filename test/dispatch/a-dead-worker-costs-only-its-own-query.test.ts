import { mock } from 'node:test'
import { setImmediate as posted } from 'node:timers/promises'
import t from 'tap'
import { toldOn } from '../support/told.ts'
import { BEGUN } from './begun.ts'
import { ask, askQuick, codesOf, fakePool } from './pool.ts'

for (const [fault, what] of [
  ['exit', 'ends its process'],
  ['heap', 'runs out of JavaScript heap'],
] as const) {
  t.test(`a worker that ${what}`, async (t) => {
    const pool = fakePool(t, 2)
    const victim = pool.admit()
    const other = pool.admit()
    const long = ask(other, 'busy:300')
    await t.rejects(ask(victim, fault), { code: 'worker_lost' })
    await t.resolves(long, 'the query on the other worker is not touched')
    const after = pool.admit()
    await Promise.all([ask(after, 'ok'), ask(after, 'ok'), ask(after, 'ok')])
    t.pass('the replaced worker takes work')
  })
}

t.test('a task that takes for ever loses its worker at the deadline', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const begun = toldOn(t, BEGUN)
  const pool = fakePool(t, 1, 3000)
  const lost = t.rejects(ask(pool.admit(), 'deaf'), { code: 'worker_lost' })
  await begun('deaf')
  mock.timers.tick(3000)
  await lost
  await t.resolves(ask(pool.admit(), 'ok'))
})

t.test('a worker that dies under quick tasks of many queries', async (t) => {
  const pool = fakePool(t, 1)
  await askQuick(pool.admit(), 'kept')
  const together = ['kept', 'exit', 'kept'].map((key) => askQuick(pool.admit(), key))
  t.strictSame(await codesOf(together), ['ok', 'worker_lost', 'ok'], 'where they were in one message')
  await askQuick(pool.admit(), 'kept')
  const first = askQuick(pool.admit(), 'exit')
  await posted()
  const behind = ['kept', 'kept'].map((key) => askQuick(pool.admit(), key))
  t.strictSame(await codesOf([first, ...behind]), ['worker_lost', 'ok', 'ok'], 'where they waited behind it')
})

t.test('an error of the task itself keeps its code and the worker', async (t) => {
  const pool = fakePool(t, 1)
  await t.rejects(ask(pool.admit(), 'fail:obs.parquet is cut short'), {
    code: 'unreadable_file',
    message: 'obs.parquet is cut short',
  })
  await t.resolves(ask(pool.admit(), 'ok'))
})
