import { setImmediate } from 'node:timers/promises'

/** Items handled in one turn of the event loop: one or two milliseconds of it. */
const SLICE = 4096

/** The items, a slice at a time, other requests having their turn in between. Throws the reason of the signal. */
export async function* inSlices<T>(
  items: readonly T[],
  signal: AbortSignal,
): AsyncGenerator<readonly T[], void> {
  for (let i = 0; i < items.length; i += SLICE) {
    if (i > 0) await setImmediate()
    signal.throwIfAborted()
    yield items.slice(i, i + SLICE)
  }
}
