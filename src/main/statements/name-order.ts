import { unlessAborted } from '../../plan/unless-aborted.ts'

/**
 * Does what is to be done on the same names one after the other, in the order in which it comes. If the signal is aborted while it waits,
 * rejects at once and does nothing.
 */
export type NameOrder = <T>(keys: readonly string[], signal: AbortSignal, act: () => Promise<T>) => Promise<T>

export function createNameOrder(): NameOrder {
  /** When all that has come so far on a name has ended. */
  const ends = new Map<string, Promise<void>>()
  return async (keys, signal, act) => {
    const before = Promise.all(keys.map((key) => ends.get(key)))
    const done = Promise.withResolvers<void>()
    const end = before.then(() => done.promise)
    for (const key of keys) ends.set(key, end)
    void end.then(() => {
      for (const key of keys) if (ends.get(key) === end) ends.delete(key)
    })
    try {
      await unlessAborted(before, signal)
      return await act()
    } finally {
      done.resolve()
    }
  }
}
