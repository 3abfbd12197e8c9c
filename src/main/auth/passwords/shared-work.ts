import { unlessAborted } from '../../../plan/unless-aborted.ts'

/** Work that is done once for all who ask for the same at the same time. */
export interface SharedWork<T> {
  /** Whether others wait for it, so that `run` would begin nothing. */
  isRunning(key: string): boolean
  /** The signal of the work is aborted when all have left. Rejects with the reason of the client's signal when that is aborted. */
  run(key: string, work: (signal: AbortSignal) => Promise<T>, client: AbortSignal): Promise<T>
}

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

  async function run(
    key: string,
    work: (signal: AbortSignal) => Promise<T>,
    client: AbortSignal,
  ): Promise<T> {
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

  return { isRunning: (key) => running.has(key), run }
}
