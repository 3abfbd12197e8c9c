/**
 * Work that gives way: it yields after every few microseconds, and between any two steps other work may be done. Main
 * plans so what grows with the number of files.
 */
export type Steps<T> = Generator<undefined, T, undefined>

/** Items of a list that are worked on between two looks at the clock: some 50 microseconds. */
export const STEP_ITEMS = 64

/** Milliseconds that work may keep the event loop for in one turn; a plan is made in two or three such works. */
const SLICE_MS = 1.5

/** How time goes by, and how a turn of the event loop ends. */
export interface Clock {
  now(): number
  nextTurn(): Promise<void>
}

const CLOCK: Clock = Object.freeze({
  now: () => performance.now(),
  nextTurn: () => new Promise<void>((resolve) => setImmediate(resolve)),
})

/** All of the work at once. */
export function allSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** The work in slices, each in a turn of its own. Small work is done when this returns, and is no promise. */
export function inSlices<T>(steps: Steps<T>, clock: Clock = CLOCK): T | Promise<T> {
  const first = slice(steps, clock)
  return first.done ? first.value : rest(steps, clock)
}

async function rest<T>(steps: Steps<T>, clock: Clock): Promise<T> {
  for (;;) {
    await clock.nextTurn()
    const next = slice(steps, clock)
    if (next.done) return next.value
  }
}

function slice<T>(steps: Steps<T>, clock: Clock): IteratorResult<undefined, T> {
  const end = clock.now() + SLICE_MS
  for (;;) {
    const step = steps.next()
    if (step.done || clock.now() >= end) return step
  }
}
