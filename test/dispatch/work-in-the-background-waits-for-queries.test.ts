import t from 'tap'
import { createFairShares, createShare } from '../../src/main/dispatch/fair-share.ts'
import { inBackground } from '../../src/main/dispatch/in-background.ts'
import { ask, fakePool } from './pool.ts'

t.test('it begins when no task of a query waits', async (t) => {
  const pool = fakePool(t, 1)
  const order: string[] = []
  const work = inBackground(pool).admit()
  const first = ask(work, 'busy:20').then(() => order.push('background'))
  const others = Array.from({ length: 5 }, () => ask(work, 'ok').then(() => order.push('background')))
  await new Promise<void>((resolve) => queueMicrotask(resolve))
  const query = pool.admit()
  const tasks = Array.from({ length: 10 }, () => ask(query, 'ok').then(() => order.push('query')))
  await Promise.all([first, ...others, ...tasks])
  t.same(order, ['background', ...Array(10).fill('query'), ...Array(5).fill('background')])
})

t.test('it leaves the other worker to queries', async (t) => {
  const pool = fakePool(t, 2)
  const work = inBackground(pool).admit()
  // Each goes on until it is cancelled: if both workers had one, the query would wait for them.
  let ended = 0
  const background = Array.from({ length: 6 }, () => ask(work, 'busy:60000').finally(() => ended++))
  await ask(pool.admit(), 'ok')
  t.equal(ended, 0, 'none of them has ended before it')
  work.stop()
  await Promise.allSettled(background)
})

t.test('of two, one has a task at a time, and queries are measured without them', async (t) => {
  const fairShares = createFairShares(4)
  const [first, second, query] = [createShare(true), createShare(true), createShare()]
  for (const share of [first, second, query]) fairShares.join(share)
  t.equal(fairShares.mayRunAt(first, 5), 5)
  fairShares.began(first, 0, 5)
  t.equal(fairShares.mayRunAt(first, 6), Number.POSITIVE_INFINITY)
  t.equal(fairShares.mayRunAt(second, 6), Number.POSITIVE_INFINITY)
  t.equal(fairShares.mayRunAt(query, 6), 6)
  fairShares.ended(first, 0, 1005, true)
  t.equal(fairShares.mayRunAt(second, 1005), 1005)
  const later = createShare()
  fairShares.join(later)
  t.equal(later.virtualMs, 0)
  fairShares.leave(first, 1005)
})

t.test('it is no open query', async (t) => {
  const pool = fakePool(t, 1)
  const background = inBackground(pool)
  const work = background.admit()
  t.equal(pool.active, 0)
  t.equal(background.active, 0)
  for (let query = 0; query < 100; query++) pool.admit()
  t.doesNotThrow(() => background.admit())
  t.throws(() => pool.admit(), { code: 'overloaded' })
  work.stop()
  await t.rejects(ask(work, 'ok'), { code: 'cancelled' })
})
