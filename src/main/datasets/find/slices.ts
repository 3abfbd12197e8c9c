import { setImmediate } from 'node:timers/promises'

/** Items handled in one turn of the event loop: one to two milliseconds of it. */
const SLICE = 4096

/** Yields the items in slices, and lets the event loop serve other requests in between. Throws the reason of the signal. */
export async function* inSlices<T>(
  items: readonly T[],
  signal: AbortSignal,
  size = SLICE,
): AsyncGenerator<readonly T[], void> {
  for (let i = 0; i < items.length; i += size) {
    if (i > 0) await setImmediate()
    signal.throwIfAborted()
    yield items.slice(i, i + size)
  }
}
