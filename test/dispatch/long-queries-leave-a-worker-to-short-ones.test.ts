import t from 'tap'
import {
  createFairShares,
  createShare,
  type FairShares,
  type Share,
} from '../../src/main/dispatch/fair-share.ts'

/** A query that has run alone from one time to another. Milliseconds. */
function longQuery(fairShares: FairShares, from: number, to: number): Share {
  const share = createShare()
  fairShares.join(share)
  fairShares.began(share, 0, from)
  fairShares.ended(share, 0, to, false)
  return share
}

/** A query that comes, takes a millisecond and leaves. */
function shortQuery(fairShares: FairShares, now: number): void {
  const share = createShare()
  fairShares.join(share)
  fairShares.began(share, 1, now - 1)
  fairShares.ended(share, 1, now, true)
  fairShares.leave(share, now)
}

t.test('a lone long query may use all workers', async (t) => {
  const fairShares = createFairShares(2)
  const long = longQuery(fairShares, 0, 500)
  fairShares.began(long, 0, 500)
  t.equal(fairShares.mayRunAt(long, 510), 510)
})

t.test('while there are short queries, long ones together leave a worker to them', async (t) => {
  const fairShares = createFairShares(3)
  const [first, second] = [longQuery(fairShares, 0, 500), longQuery(fairShares, 0, 500)]
  shortQuery(fairShares, 500)
  t.equal(fairShares.mayRunAt(first, 500), 500)
  fairShares.began(first, 0, 500)
  fairShares.began(second, 1, 500)
  const later = fairShares.mayRunAt(first, 510)
  t.ok(later > 510, 'all but one are taken')
  t.ok(Number.isFinite(later), 'but not for ever')
  t.equal(fairShares.mayRunAt(createShare(), 510), 510, 'a new query may have the last one')
  fairShares.ended(second, 1, 520, false)
  t.equal(fairShares.mayRunAt(first, 520), 520)
  fairShares.began(second, 1, 520)
  t.equal(fairShares.mayRunAt(first, later), later, 'no short query came any more')
})

t.test('a query is long as soon as its tasks have run for long', async (t) => {
  const fairShares = createFairShares(2)
  const share = createShare()
  fairShares.join(share)
  fairShares.began(share, 0, 0)
  shortQuery(fairShares, 10)
  t.equal(fairShares.mayRunAt(share, 10), 10)
  t.ok(fairShares.mayRunAt(share, 200) > 200)
})

t.test('a single worker is shared by all', async (t) => {
  const fairShares = createFairShares(1)
  const long = longQuery(fairShares, 0, 500)
  shortQuery(fairShares, 500)
  t.equal(fairShares.mayRunAt(long, 500), 500)
})

t.test('a query that used no worker is not a short one', async (t) => {
  const fairShares = createFairShares(2)
  const long = longQuery(fairShares, 0, 500)
  fairShares.leave(createShare(), 500)
  fairShares.began(long, 0, 500)
  t.equal(fairShares.mayRunAt(long, 500), 500)
})
