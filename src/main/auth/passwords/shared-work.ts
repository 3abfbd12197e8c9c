import { unlessAborted } from '../../../plan/unless-aborted.ts'

/**
 * Runs work once for all who ask for the same at the same time. Its signal is aborted when all of them have left. Rejects with the
 * reason of a client's signal when that is aborted.
 */
export type SharedWork<T> = (
  key: string,
  work: (signal: AbortSignal) => Promise<T>,
  client: AbortSignal,
) => Promise<T>

interface Running<T> {
  readonly ended: Promise<T>
  readonly stop: AbortController
  clients: number
}

export function createSharedWork<T>(): SharedWork<T> {
  const running = new Map<string, Running<T>>()

  function begin(key: string, work: (signal: AbortSignal) => Promise<T>): Running<T> {
    const stop = new AbortController()
    const begun = { ended: work(stop.signal), stop, clients: 0 }
    running.set(key, begun)
    return begun
  }

  return async (key, work, client) => {
    client.throwIfAborted()
    const joined = running.get(key) ?? begin(key, work)
    joined.clients++
    try {
      return await unlessAborted(joined.ended, client)
    } finally {
      joined.clients--
      if (joined.clients === 0) {
        // Who asks from now on must not join work that is being stopped.
        running.delete(key)
        joined.stop.abort(client.reason)
      }
    }
  }
}
