import t from 'tap'
import { createFairShares, createShare } from '../../src/main/dispatch/fair-share.ts'

/** Runs queries that always have tasks, one at a time. Returns how many tasks of each were run. */
function serve(costs: readonly number[], tasksToServe: number): number[] {
  const fairShares = createFairShares(1)
  const queries = costs.map((cost) => ({ cost, share: createShare(), served: 0 }))
  for (const { share } of queries) fairShares.join(share)
  let now = 0
  for (let i = 0; i < tasksToServe; i++) {
    const next = queries.reduce((best, each) =>
      fairShares.compare(each.share, best.share) < 0 ? each : best,
    )
    fairShares.began(next.share, 0, now)
    now += next.cost
    fairShares.ended(next.share, 0, now, false)
    next.served++
  }
  return queries.map(({ served }) => served)
}

t.test('queries get equal parts of the time, whatever their tasks take', async (t) => {
  t.same(serve([10, 10], 100), [50, 50])
  const [small = 0, large = 0] = serve([1, 20], 210)
  t.ok(Math.abs(small - 20 * large) <= 20, `${small} tasks of 1 ms, ${large} of 20 ms`)
})

t.test('a new query is before those that have had their part, and gets no more than that', async (t) => {
  const fairShares = createFairShares(1)
  const old = createShare()
  fairShares.join(old)
  fairShares.began(old, 0, 0)
  fairShares.ended(old, 0, 1000, false)
  const fresh = createShare()
  fairShares.join(fresh)
  t.ok(fairShares.compare(fresh, old) < 0)
  fairShares.began(fresh, 0, 1000)
  fairShares.ended(fresh, 0, 1010, false)
  t.ok(fairShares.compare(old, fresh) < 0, 'the seconds before it came are not made up for')
})

t.test('a long query is not starved by short ones that keep coming', async (t) => {
  const fairShares = createFairShares(1)
  const long = createShare()
  fairShares.join(long)
  let now = 0
  let served = 0
  let short = createShare()
  fairShares.join(short)
  for (let i = 0; i < 1000; i++) {
    const next = fairShares.compare(long, short) < 0 ? long : short
    fairShares.began(next, 0, now)
    now += next === long ? 20 : 1
    fairShares.ended(next, 0, now, next === short)
    if (next === long) {
      served++
      continue
    }
    fairShares.leave(short, now)
    short = createShare()
    fairShares.join(short)
  }
  t.ok(served > 10, `served ${served} times`)
})
