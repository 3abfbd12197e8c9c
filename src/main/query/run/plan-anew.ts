import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorCode, isServiceError } from '../../../plan/errors.ts'

/**
 * How long a query waits before it is planned anew, each time, by the error that says what has changed since it was bound. Where many clients
 * wait for workers, a file that is replaced seven times a second changes during two of three runs, and each run takes from the others; columns of
 * a table in another service change seldom, and each run asks that service. Milliseconds.
 */
const DELAYS_MS: Readonly<Partial<Record<ErrorCode, readonly number[]>>> = Object.freeze({
  file_changed: [0, 20, 40],
  table_changed: [0],
})

/** After so long a query is not planned anew, unless it has run only once. Milliseconds. */
const MOST_MS = 3000

/**
 * Runs a query whose promise rejects only before its first row has left. If a file or a table elsewhere had changed by then, it is run
 * again, with a plan of what is there now: once in any case, and for a file up to three times within three seconds. Then its error counts.
 */
export async function planAnew<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const begun = performance.now()
  for (let runs = 0; ; runs++) {
    try {
      return await run()
    } catch (error) {
      const delay = isServiceError(error) ? DELAYS_MS[error.code]?.[runs] : undefined
      if (delay === undefined || signal.aborted) throw error
      if (runs > 0 && performance.now() - begun > MOST_MS) throw error
      if (delay > 0) await sleep(delay, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
}
