import t from 'tap'
import { createHashQueue, type HashLane, type HashQueue } from '../../src/main/auth/passwords/hash-queue.ts'
import { fc } from '../support/generate.ts'

const { signal } = new AbortController()

/** Work that ends when it is told. */
interface Work {
  readonly ended: Promise<string>
  readonly isBegun: () => boolean
  end(): void
}

function work(queue: HashQueue, name: string, lane?: HashLane, client: AbortSignal = signal): Work {
  const gate = Promise.withResolvers<string>()
  let isBegun = false
  const ended = queue.run(
    () => {
      isBegun = true
      return gate.promise
    },
    client,
    lane,
  )
  ended.catch(() => {})
  return { ended, isBegun: () => isBegun, end: () => gate.resolve(name) }
}

/** Places do not rest. */
const atOnce = (call: () => void): (() => void) => {
  call()
  return () => {}
}

/** Everything that can happen without further events has happened. */
const turned = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

t.test('the others wait, in their order; known ones go first', async (t) => {
  const queue = createHashQueue({ running: 1, waiting: 4, later: atOnce })
  const all = [
    work(queue, 'a'),
    work(queue, 'b'),
    work(queue, 'c', 'untrusted'),
    work(queue, 'd', 'trusted'),
    work(queue, 'e', 'trusted'),
  ]
  const [a, b, c, d, e] = all as [Work, Work, Work, Work, Work]
  const begun: Work[] = []
  for (const each of [a, d, e, b, c]) {
    await turned()
    begun.push(each)
    for (const other of all) t.equal(other.isBegun(), begun.includes(other))
    each.end()
    await each.ended
  }
})

t.test('as many run as may, and one more does not', async (t) => {
  const queue = createHashQueue({ running: 2, waiting: 4, later: atOnce })
  const [a, b, c] = [work(queue, 'a'), work(queue, 'b'), work(queue, 'c')] as [Work, Work, Work]
  await turned()
  t.same(
    [a, b, c].map((each) => each.isBegun()),
    [true, true, false],
  )
  b.end()
  t.equal(await b.ended, 'b')
  await turned()
  t.equal(c.isBegun(), true)
  a.end()
  c.end()
  t.same(await Promise.all([a.ended, c.ended]), ['a', 'c'])
})

t.test('one more than may wait is refused at once, and known ones are not kept out', async (t) => {
  const queue = createHashQueue({ running: 1, waiting: 2, later: atOnce })
  const first = work(queue, 'first')
  const waiting = [work(queue, 'a'), work(queue, 'b')]
  await t.rejects(work(queue, 'c').ended, { code: 'overloaded', status: 503 })
  const known = [work(queue, 'd', 'trusted'), work(queue, 'e', 'trusted')]
  await t.rejects(work(queue, 'f', 'trusted').ended, { code: 'overloaded' })
  for (const each of [first, ...known, ...waiting]) each.end()
  await Promise.all([first, ...known, ...waiting].map(({ ended }) => ended))
  const again = work(queue, 'again')
  again.end()
  t.equal(await again.ended, 'again', 'there is room again')
})

t.test('who leaves while waiting frees the place, and begins nothing', async (t) => {
  const queue = createHashQueue({ running: 1, waiting: 1, later: atOnce })
  const first = work(queue, 'first')
  const client = new AbortController()
  const left = work(queue, 'left', 'untrusted', client.signal)
  await t.rejects(work(queue, 'refused').ended, { code: 'overloaded' })
  client.abort(new Error('gone'))
  await t.rejects(left.ended, /gone/)
  const stays = work(queue, 'stays')
  first.end()
  stays.end()
  t.equal(await stays.ended, 'stays')
  t.equal(left.isBegun(), false)
  await t.rejects(work(queue, 'late', 'untrusted', client.signal).ended, /gone/)
})

t.test('a place rests after a hash if others wait, but not for those who are known', async (t) => {
  const rests = new Set<() => void>()
  const later = (call: () => void, ms: number): (() => void) => {
    t.ok(ms >= 0 && ms <= 100, 'for as long as the hash took, and no longer than a moment')
    rests.add(call)
    return () => rests.delete(call)
  }
  const queue = createHashQueue({ running: 1, waiting: 1, later })
  const alone = work(queue, 'alone')
  alone.end()
  await alone.ended
  t.equal(rests.size, 0, 'nobody waits')
  const first = work(queue, 'first')
  const waiting = work(queue, 'waiting')
  first.end()
  await first.ended
  await turned()
  t.equal(waiting.isBegun(), false)
  t.equal(rests.size, 1)
  t.equal(queue.hasRoom('untrusted'), false)
  await t.rejects(work(queue, 'refused').ended, { code: 'overloaded' })
  const known = work(queue, 'trusted', 'trusted')
  await turned()
  t.equal(known.isBegun(), true)
  t.equal(rests.size, 0, 'the rest is over')
  const also = work(queue, 'also', 'trusted')
  known.end()
  await known.ended
  await turned()
  t.same([also.isBegun(), waiting.isBegun(), rests.size], [true, false, 0])
  also.end()
  await also.ended
  const [over] = rests
  over?.()
  await turned()
  t.equal(waiting.isBegun(), true)
  waiting.end()
  t.equal(await waiting.ended, 'waiting')
})

t.test('work that fails ends its own turn alone', async (t) => {
  const queue = createHashQueue({ running: 1, waiting: 2, later: atOnce })
  const failing = queue.run(() => Promise.reject(new Error('no memory')), signal)
  const throwing = queue.run(() => {
    throw new Error('at once')
  }, signal)
  const last = work(queue, 'last')
  last.end()
  await t.rejects(failing, /no memory/)
  await t.rejects(throwing, /at once/)
  t.equal(await last.ended, 'last')
})

t.test('whatever comes, ends and leaves in whatever order, all turns are given and none twice', async (t) => {
  const step = fc.constantFrom('come', 'trusted', 'leave', 'end', 'rest', 'turn')
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(step, { maxLength: 60 }),
      async (most, steps) => {
        const rests = new Set<() => void>()
        const later = (call: () => void): (() => void) => {
          rests.add(call)
          return () => rests.delete(call)
        }
        const endRest = (): void => {
          const [over] = rests
          if (over === undefined) return
          rests.delete(over)
          over()
        }
        const queue = createHashQueue({ running: most, waiting: 5, later })
        const works: (Work & { client: AbortController; isOver: boolean })[] = []
        const running = () => works.filter((each) => each.isBegun() && !each.isOver)
        for (const [index, each] of steps.entries()) {
          if (each === 'come' || each === 'trusted') {
            const client = new AbortController()
            const lane = each === 'trusted' ? 'trusted' : 'untrusted'
            works.push({ ...work(queue, String(index), lane, client.signal), client, isOver: false })
          } else if (each === 'leave') works.at(index % works.length)?.client.abort(new Error('gone'))
          else if (each === 'end') {
            const [first] = running()
            if (first === undefined) continue
            first.isOver = true
            first.end()
            await first.ended
          } else if (each === 'rest') endRest()
          else await turned()
          if (running().length > most) throw new Error(`${running().length} run`)
        }
        for (const each of works) each.end()
        // Each of them rests once at most.
        for (const _ of works) {
          await turned()
          endRest()
        }
        await Promise.allSettled(works.map(({ ended }) => ended))
        endRest()
        const again = Array.from({ length: most }, () => work(queue, 'again'))
        await turned()
        return again.every((each) => {
          each.end()
          return each.isBegun()
        })
      },
    ),
  )
  t.pass('all turns were given back')
})
