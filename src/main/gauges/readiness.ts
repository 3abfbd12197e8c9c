/** Whether the service can run queries (`/api/ready`), as opposed to whether its process answers (`/api/health`). */
export interface Readiness {
  /** Resolves when each worker has started or failed to start. */
  started(): Promise<void>
  /** A worker that was replaced has failed to start. It counts as missing until it answers. */
  workerFailed(worker: number): void
  /** From now on the service is not ready. */
  stop(): void
  /** Why no query can run, in one sentence. Null: queries can run. */
  notReady(): string | null
}

/** Milliseconds between attempts to have an answer of a worker that failed to start. Its slot starts it again. */
const RETRY_MS = 1000

/**
 * @param start Resolves when a worker answers; rejects when it has failed to start.
 * @param isStoreUsable Whether the databases of the catalog and the metrics can be used.
 */
export function createReadiness(
  workers: number,
  start: (worker: number) => Promise<unknown>,
  isStoreUsable: () => boolean,
): Readiness {
  const up = new Set<number>()
  let isStopping = false

  async function wait(worker: number): Promise<void> {
    try {
      await start(worker)
      up.add(worker)
    } catch {
      if (!isStopping) setTimeout(wait, RETRY_MS, worker).unref()
    }
  }

  return {
    async started() {
      await Promise.all(Array.from({ length: workers }, (_, worker) => wait(worker)))
    },
    workerFailed(worker) {
      if (up.delete(worker)) void wait(worker)
    },
    stop() {
      isStopping = true
    },
    notReady() {
      if (isStopping) return 'The service is stopping.'
      if (up.size === 0) return 'No worker has started.'
      return isStoreUsable() ? null : 'The catalog or the metrics cannot be read.'
    },
  }
}
