import t, { type Test } from 'tap'
import { createTrims } from '../../src/main/dispatch/workers/trims.ts'

/** Trims of two workers that are idle for the shortest time, and what was trimmed, in its order. */
function trims(t: Test, hold: Promise<void> = Promise.resolve()) {
  const trimmed: number[] = []
  const all = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const made = createTrims({
    workers: 2,
    idleMs: 1,
    async trim(worker) {
      trimmed.push(worker)
      begun.resolve()
      await hold
    },
    onAllTrimmed: all.resolve,
  })
  // The timers of trims keep no process running.
  const alive = setInterval(() => {}, 1000)
  t.teardown(() => {
    clearInterval(alive)
    made.close()
  })
  return { trimmed, begun: begun.promise, all: all.promise, ...made }
}

t.test('each worker that has worked, once, and then main', async (t) => {
  const { trimmed, all, began, idle } = trims(t)
  for (const worker of [0, 1]) {
    began(worker)
    idle(worker)
  }
  await all
  t.strictSame(trimmed.toSorted(), [0, 1])
})

t.test('none that works, and main waits for it', async (t) => {
  const { trimmed, all, begun, began, idle } = trims(t)
  began(0)
  began(1)
  idle(1)
  await begun
  t.strictSame(trimmed, [1])
  idle(0)
  await all
  t.strictSame(trimmed, [1, 0])
})

t.test('one after the other', async (t) => {
  const hold = Promise.withResolvers<void>()
  const { trimmed, all, begun, began, idle } = trims(t, hold.promise)
  for (const worker of [0, 1]) {
    began(worker)
    idle(worker)
  }
  await begun
  t.equal(trimmed.length, 1)
  hold.resolve()
  await all
  t.equal(trimmed.length, 2)
})
