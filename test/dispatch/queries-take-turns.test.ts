import t from 'tap'
import { ask, fakePool } from './pool.ts'

t.test('a small query is not stuck behind the queue of a large one', async (t) => {
  const pool = fakePool(t, 1)
  const large = pool.admit()
  const order: string[] = []
  const tasks = Array.from({ length: 20 }, () => ask(large, 'busy:10').then(() => order.push('large')))
  const small = ask(pool.admit(), 'ok').then(() => order.push('small'))
  await Promise.all([...tasks, small])
  t.ok(order.indexOf('small') <= 2, `the small one came ${order.indexOf('small') + 1}th of 21`)
})

t.test('one query too many is refused, and admitted when another has left', async (t) => {
  const pool = fakePool(t, 1)
  const tickets = Array.from({ length: 100 }, () => pool.admit())
  t.throws(() => pool.admit(), { code: 'overloaded' })
  tickets[0]?.release()
  t.doesNotThrow(() => pool.admit())
})
