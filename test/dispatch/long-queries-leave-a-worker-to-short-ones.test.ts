import t from 'tap'
import { createShare, createTurns, type Share, type Turns } from '../../src/main/dispatch/fair-share.ts'

/** A query that has run alone for so long. */
function longQuery(turns: Turns, from: number, to: number): Share {
  const share = createShare()
  turns.join(share)
  turns.began(share, 0, from)
  turns.ended(share, 0, to, false)
  return share
}

/** A query that comes, takes a millisecond and leaves. */
function shortQuery(turns: Turns, now: number): void {
  const share = createShare()
  turns.join(share)
  turns.began(share, 1, now - 1)
  turns.ended(share, 1, now, true)
  turns.left(share, now)
}

t.test('a lone long query may use all workers', async (t) => {
  const turns = createTurns(2)
  const long = longQuery(turns, 0, 500)
  turns.began(long, 0, 500)
  t.equal(turns.mayRunAt(long, 510), 510)
})

t.test('while there are short queries, long ones together leave a worker to them', async (t) => {
  const turns = createTurns(3)
  const [first, second] = [longQuery(turns, 0, 500), longQuery(turns, 0, 500)]
  shortQuery(turns, 500)
  t.equal(turns.mayRunAt(first, 500), 500)
  turns.began(first, 0, 500)
  turns.began(second, 1, 500)
  const later = turns.mayRunAt(first, 510)
  t.ok(later > 510, 'all but one are taken')
  t.ok(Number.isFinite(later), 'but not for ever')
  t.equal(turns.mayRunAt(createShare(), 510), 510, 'a new query may have the last one')
  turns.ended(second, 1, 520, false)
  t.equal(turns.mayRunAt(first, 520), 520)
  turns.began(second, 1, 520)
  t.equal(turns.mayRunAt(first, later), later, 'no short query came any more')
})

t.test('a query is long as soon as its tasks have run for long', async (t) => {
  const turns = createTurns(2)
  const share = createShare()
  turns.join(share)
  turns.began(share, 0, 0)
  shortQuery(turns, 10)
  t.equal(turns.mayRunAt(share, 10), 10)
  t.ok(turns.mayRunAt(share, 200) > 200)
})

t.test('a single worker is shared by all', async (t) => {
  const turns = createTurns(1)
  const long = longQuery(turns, 0, 500)
  shortQuery(turns, 500)
  t.equal(turns.mayRunAt(long, 500), 500)
})

t.test('a query that used no worker is not a short one', async (t) => {
  const turns = createTurns(2)
  const long = longQuery(turns, 0, 500)
  turns.left(createShare(), 500)
  turns.began(long, 0, 500)
  t.equal(turns.mayRunAt(long, 500), 500)
})
