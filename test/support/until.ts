import { setTimeout } from 'node:timers/promises'

/** Milliseconds between two looks. */
const EVERY_MS = 5

/** Milliseconds: longer than a busy machine takes for anything, shorter than what a test file may take. */
const GIVE_UP_MS = 60_000

/**
 * Looks until a condition holds of which no event tells, and gives what it found. Throws, with what was waited for, if that
 * takes a minute.
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = performance.now() + GIVE_UP_MS
  for (;;) {
    const found = await condition()
    if (isFound(found)) return found
    if (performance.now() > deadline) throw new Error(`In a minute it did not come to this: ${what}.`)
    // Time itself: the condition is looked at every so often.
    await setTimeout(EVERY_MS)
  }
}

function isFound<T>(found: T): found is Exclude<T, false | null | undefined> {
  return found !== false && found !== null && found !== undefined
}
