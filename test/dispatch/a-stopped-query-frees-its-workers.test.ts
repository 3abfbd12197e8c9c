import t from 'tap'
import { ask, askQuick, codesOf, fakePool } from './pool.ts'

t.test('queued tasks are rejected at once, running ones end at their flag', async (t) => {
  const pool = fakePool(t, 1)
  const ticket = pool.admit()
  await ask(ticket, 'ok')
  const running = ask(ticket, 'busy:60000')
  const queued = ask(ticket, 'busy:60000')
  const rejected = t.rejects(queued, { code: 'cancelled' })
  await new Promise((resolve) => setTimeout(resolve, 100))
  ticket.stop()
  await rejected
  await running
  await t.rejects(ask(ticket, 'ok'), { code: 'cancelled' }, 'a stopped query starts nothing')
  await t.resolves(ask(pool.admit(), 'ok'))
})

t.test('a task that does not look at its flag loses its worker', async (t) => {
  const pool = fakePool(t, 1)
  const ticket = pool.admit()
  await ask(ticket, 'ok')
  const running = ask(ticket, 'deaf')
  const rejected = t.rejects(running, { code: 'cancelled' })
  await new Promise((resolve) => setTimeout(resolve, 100))
  ticket.stop()
  await rejected
  await t.resolves(ask(pool.admit(), 'ok'))
})

t.test(
  'one that ends by itself, if not at once, keeps its worker and what that has of other queries',
  async (t) => {
    const pool = fakePool(t, 1)
    const ticket = pool.admit()
    await ask(ticket, 'ok')
    const running = ask(ticket, 'numb:400')
    await new Promise((resolve) => setTimeout(resolve, 100))
    ticket.stop()
    await t.resolves(running)
  },
)

for (const [key, what, code] of [
  ['busy:60000', 'ends at its flag', 'ok'],
  ['deaf', 'costs the worker', 'cancelled'],
] as const) {
  t.test(`one among quick tasks of other queries that ${what}`, async (t) => {
    const pool = fakePool(t, 1)
    await askQuick(pool.admit(), 'kept')
    const ticket = pool.admit()
    const outcomes = [
      askQuick(pool.admit(), 'kept'),
      askQuick(ticket, key),
      askQuick(pool.admit(), 'kept'),
      new Promise((resolve) => setTimeout(resolve, 100)).then(() => {
        const behind = [
          askQuick(pool.admit(), 'kept'),
          t.rejects(askQuick(ticket, 'kept'), { code: 'cancelled' }),
        ]
        setTimeout(() => ticket.stop(), 10)
        return Promise.all(behind)
      }),
    ]
    t.strictSame(await codesOf(outcomes), ['ok', code, 'ok', 'ok'])
  })
}
