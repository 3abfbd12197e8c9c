import { setImmediate as posted } from 'node:timers/promises'
import t from 'tap'
import { toldOn } from '../support/told.ts'
import { BEGUN } from './begun.ts'
import { ask, askQuick, codesOf, fakePool } from './pool.ts'

t.test('queued tasks are rejected at once, running ones end at their flag', async (t) => {
  const begun = toldOn(t, BEGUN)
  const pool = fakePool(t, 1)
  const ticket = pool.admit()
  await ask(ticket, 'ok')
  const running = ask(ticket, 'busy:60000')
  const queued = ask(ticket, 'busy:60000')
  const rejected = t.rejects(queued, { code: 'cancelled' })
  await begun('busy:60000')
  ticket.stop()
  await rejected
  await running
  await t.rejects(ask(ticket, 'ok'), { code: 'cancelled' }, 'a stopped query starts nothing')
  await t.resolves(ask(pool.admit(), 'ok'))
})

t.test('a task that does not look at its flag loses its worker', async (t) => {
  const begun = toldOn(t, BEGUN)
  const pool = fakePool(t, 1)
  const ticket = pool.admit()
  await ask(ticket, 'ok')
  const running = ask(ticket, 'deaf')
  const rejected = t.rejects(running, { code: 'cancelled' })
  await begun('deaf')
  ticket.stop()
  await rejected
  await t.resolves(ask(pool.admit(), 'ok'))
})

t.test(
  'one that ends by itself, if not at once, keeps its worker and what that has of other queries',
  async (t) => {
    const begun = toldOn(t, BEGUN)
    const pool = fakePool(t, 1)
    const ticket = pool.admit()
    await ask(ticket, 'ok')
    const running = ask(ticket, 'numb:400')
    await begun('numb:400')
    ticket.stop()
    await t.resolves(running)
  },
)

for (const [key, what, code] of [
  ['busy:60000', 'ends at its flag', 'ok'],
  ['deaf', 'costs the worker', 'cancelled'],
] as const) {
  t.test(`one among quick tasks of other queries that ${what}`, async (t) => {
    const begun = toldOn(t, BEGUN)
    const pool = fakePool(t, 1)
    await askQuick(pool.admit(), 'kept')
    const ticket = pool.admit()
    const outcomes = [
      askQuick(pool.admit(), 'kept'),
      askQuick(ticket, key),
      askQuick(pool.admit(), 'kept'),
      begun(key).then(async () => {
        const behind = [
          askQuick(pool.admit(), 'kept'),
          t.rejects(askQuick(ticket, 'kept'), { code: 'cancelled' }),
        ]
        // They wait in the worker.
        await posted()
        ticket.stop()
        return Promise.all(behind)
      }),
    ]
    t.strictSame(await codesOf(outcomes), ['ok', code, 'ok', 'ok'])
  })
}
