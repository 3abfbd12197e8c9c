import t from 'tap'
import { createShare, createTurns } from '../../src/main/dispatch/fair-share.ts'

/** Serves queries that always have something to run, one at a time; how often each had its turn. */
function serve(costs: readonly number[], turnsToServe: number): number[] {
  const turns = createTurns(1)
  const queries = costs.map((cost) => ({ cost, share: createShare(), served: 0 }))
  for (const { share } of queries) turns.join(share)
  let now = 0
  for (let i = 0; i < turnsToServe; i++) {
    const next = queries.reduce((best, each) => (turns.compare(each.share, best.share) < 0 ? each : best))
    turns.began(next.share, 0, now)
    now += next.cost
    turns.ended(next.share, 0, now, false)
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
  const turns = createTurns(1)
  const old = createShare()
  turns.join(old)
  turns.began(old, 0, 0)
  turns.ended(old, 0, 1000, false)
  const fresh = createShare()
  turns.join(fresh)
  t.ok(turns.compare(fresh, old) < 0)
  turns.began(fresh, 0, 1000)
  turns.ended(fresh, 0, 1010, false)
  t.ok(turns.compare(old, fresh) < 0, 'the seconds before it came are not made up for')
})

t.test('a long query is not starved by short ones that keep coming', async (t) => {
  const turns = createTurns(1)
  const long = createShare()
  turns.join(long)
  let now = 0
  let served = 0
  let short = createShare()
  turns.join(short)
  for (let i = 0; i < 1000; i++) {
    const next = turns.compare(long, short) < 0 ? long : short
    turns.began(next, 0, now)
    now += next === long ? 20 : 1
    turns.ended(next, 0, now, next === short)
    if (next === long) {
      served++
      continue
    }
    turns.left(short, now)
    short = createShare()
    turns.join(short)
  }
  t.ok(served > 10, `served ${served} times`)
})
