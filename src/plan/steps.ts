/**
 * Cooperative work: a generator that yields every few microseconds, so that it can be interrupted. The main thread uses it for
 * planning that takes longer the more files there are.
 */
export type Steps<T> = Generator<undefined, T, undefined>

/** Items of a list that are handled in one step, in some 50 microseconds. */
export const STEP_ITEMS = 64

/** The most milliseconds for which work runs in one turn of the event loop. Making a plan is two or three such works. */
const SLICE_MS = 1.5

/** The time, and the turns of the event loop. Tests replace it. */
export interface Clock {
  now(): number
  nextTurn(): Promise<void>
}

const CLOCK: Clock = Object.freeze({
  now: () => performance.now(),
  nextTurn: () => new Promise<void>((resolve) => setImmediate(resolve)),
})

/** A slice of a loop in an async function. The loop asks before each item whether the slice is over. */
export interface Slice {
  isOver(): boolean
  /** Begins a new slice in another turn of the event loop. */
  next(): Promise<void>
}

export function createSlice(clock: Clock = CLOCK): Slice {
  let items = 0
  let end = clock.now() + SLICE_MS
  return {
    isOver: () => ++items % STEP_ITEMS === 0 && clock.now() >= end,
    async next() {
      await clock.nextTurn()
      end = clock.now() + SLICE_MS
    },
  }
}

/** Whether something is true of all items, which are tested in slices. */
export async function isTrueOfAll<T>(items: readonly T[], isTrue: (item: T) => boolean): Promise<boolean> {
  const slice = createSlice()
  for (const item of items) {
    if (slice.isOver()) await slice.next()
    if (!isTrue(item)) return false
  }
  return true
}

/** Runs all of the work without interruption. */
export function runToEnd<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Runs work in slices, each in its own turn of the event loop. The result is a promise only if one slice was not enough. */
export function runInSlices<T>(steps: Steps<T>, clock: Clock = CLOCK): T | Promise<T> {
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
