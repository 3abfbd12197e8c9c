import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorCode, isServiceError } from '../../../plan/errors.ts'

/** Errors of what has changed since the query was bound: a file, or the columns of a table in another service. */
const CHANGED: ReadonlySet<ErrorCode> = new Set(['file_changed', 'table_changed'])

/**
 * How long a query waits before it is planned anew, each time. Where many clients wait for workers, a file that is replaced seven times a second
 * changes during two of three runs, and each run takes from the others. Milliseconds.
 */
const DELAYS_MS = Object.freeze([0, 20, 40])

/** After so long a query is not planned anew, unless it has run only once. Milliseconds. */
const MOST_MS = 3000

/**
 * Runs a query whose promise rejects only before its first row has left. If a file or a table elsewhere had changed by then, it is run
 * again, with a plan of what is there now: once in any case, and up to three times within three seconds. Then its error counts.
 */
export async function planAnew<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const begun = performance.now()
  for (const [runs, delay] of DELAYS_MS.entries()) {
    try {
      return await run()
    } catch (error) {
      if (!isServiceError(error) || !CHANGED.has(error.code) || signal.aborted) throw error
      if (runs > 0 && performance.now() - begun > MOST_MS) throw error
      if (delay > 0) await sleep(delay, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
  return await run()
}
