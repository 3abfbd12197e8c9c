/** Has workers that were idle for a while give back memory, once after they have worked. */
export interface Trims {
  /** The worker works. */
  began(worker: number): void
  /** The worker has nothing to do. */
  idle(worker: number): void
  close(): void
}

export interface TrimsOptions {
  readonly workers: number
  /** Milliseconds without work. */
  readonly idleMs: number
  /** Trims a worker. Must not reject. */
  trim(worker: number): Promise<void>
  /** Called when each worker has been trimmed since it has last worked. */
  onAllTrimmed(): void
}

interface IdleWorker {
  /** Whether it has worked since it was last trimmed. */
  hasWorked: boolean
  /** Null: it works. */
  idleSince: number | null
  /** Undefined: none is set. It is not set anew for each task, because there may be thousands in a second. */
  timer: NodeJS.Timeout | undefined
}

export function createTrims({ workers, idleMs, trim, onAllTrimmed }: TrimsOptions): Trims {
  const all = Array.from(
    { length: workers },
    (): IdleWorker => ({ hasWorked: false, idleSince: null, timer: undefined }),
  )
  let isTrimming = false

  function lookAfter(ms: number, index: number): void {
    const worker = all[index]
    if (worker !== undefined) worker.timer = setTimeout(() => void look(index), ms).unref()
  }

  async function look(index: number): Promise<void> {
    const worker = all[index]
    if (worker === undefined) return
    worker.timer = undefined
    if (worker.idleSince === null || !worker.hasWorked) return
    const leftMs = worker.idleSince + idleMs - performance.now()
    if (leftMs > 0 || isTrimming) {
      // One after the other, so that a query that comes finds the other workers free.
      lookAfter(Math.max(1, leftMs), index)
      return
    }
    isTrimming = true
    worker.hasWorked = false
    await trim(index)
    isTrimming = false
    if (all.every(({ hasWorked, idleSince }) => !hasWorked && idleSince !== null)) onAllTrimmed()
  }

  return {
    began(index) {
      const worker = all[index]
      if (worker === undefined) return
      worker.hasWorked = true
      worker.idleSince = null
    },
    idle(index) {
      const worker = all[index]
      if (worker === undefined) return
      worker.idleSince = performance.now()
      if (idleMs < Number.POSITIVE_INFINITY && worker.hasWorked && worker.timer === undefined)
        lookAfter(idleMs, index)
    },
    close() {
      for (const { timer } of all) clearTimeout(timer)
    },
  }
}
