import t from 'tap'
import { createGatherBudget } from '../../../src/main/output/files/gather-budget.ts'

/** A query that has not ended. */
const running = () => ({ waitFor: <T>(shared: Promise<T>) => shared })

/** Turns of the event loop in which whatever is ready happens. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

t.test('who finds the budget spent waits until others give back, in the order of asking', async (t) => {
  const budget = createGatherBudget(100)
  const first = await budget.take(60, running())
  const order: string[] = []
  const second = budget.take(60, running()).then((giveBack) => {
    order.push('second')
    return giveBack
  })
  const third = budget.take(10, running()).then((giveBack) => {
    order.push('third')
    return giveBack
  })
  await turns()
  t.same(order, [], 'who asks for less does not overtake')
  first()
  const rest = await Promise.all([second, third])
  t.same(order, ['second', 'third'])
  for (const giveBack of rest) giveBack()
  ;(await budget.take(1000, running()))()
})

t.test('a query that ends while it waits leaves its place', async (t) => {
  const budget = createGatherBudget(100)
  const first = await budget.take(100, running())
  const { promise, reject } = Promise.withResolvers<never>()
  const ended = budget.take(100, { waitFor: () => promise })
  const next = budget.take(100, running())
  reject(new Error('the client has left'))
  await t.rejects(ended, { message: 'the client has left' })
  first()
  ;(await next)()
})

t.test('a query that asks again has what it has', async (t) => {
  const budget = createGatherBudget(100)
  const query = running()
  const [first, again] = [await budget.take(100, query), await budget.take(100, query)]
  let isGranted = false
  const other = budget.take(100, running()).then((giveBack) => {
    isGranted = true
    return giveBack
  })
  first()
  await turns()
  t.notOk(isGranted)
  again()
  ;(await other)()
})
