import type { TransferListItem } from 'node:worker_threads'
import { Piscina } from 'piscina'
import type { Product } from '../../plan/product.ts'
import { type Answer, type Task, taskBuffers } from '../../plan/task/task.ts'
import type { PoolLimits } from './pool-limits.ts'

/**
 * One worker thread with identity: a Piscina of exactly one thread. One shared Piscina cannot send work to the worker
 * that holds its columns : its load balancer is asked while a task is queued, and freezes when no worker is free.
 */
export interface Slot {
  readonly index: number
  /**
   * A task that is run while another one runs waits in the worker, where it begins as soon as that has ended. Rejects when the
   * worker dies, is killed or does not boot; errors of the task itself are answers.
   */
  run(task: Task): Promise<Answer>
  /** Terminates the worker under its tasks; another one takes its place. */
  kill(reason: Error): void
  close(): Promise<void>
}

/**
 * MiB of a worker's heap that new objects may fill before they are collected. By default that grows with time: after 80 000
 * small queries a heap of 20 to 40 MB in use takes 145 MB; with this 52 MB, at the same speed.
 */
const YOUNG_MEGABYTES = 24

/** With the worker at once. Not told to Piscina by a signal each: a task with one is alone in its worker. */
const TASKS = 2

/** Milliseconds between attempts to boot a worker whose boot failed: doubles up to the last. */
const BOOT_BACKOFF_MS = [100, 200, 400, 800, 1600, 3200, 5000] as const

export interface SlotEvents {
  onBootFailure(error: Error): void
  /** The worker is gone, whether it had tasks or not; before any of those rejects. */
  onGone(): void
}

/** What a worker is started with. */
export interface SlotOptions {
  /** Its module. */
  readonly entry: URL
  readonly limits: PoolLimits
  readonly product: Product
}

export function createSlot(index: number, { entry, limits, product }: SlotOptions, events: SlotEvents): Slot {
  const { coreBytes, sqlBytes, columnBytes } = limits
  /** Rejects each task that is with the worker. */
  const running = new Set<(reason: unknown) => void>()
  let failures = 0
  let closed = false
  let pool = boot()

  function boot(): Piscina<Task, Answer> {
    const created = new Piscina<Task, Answer>({
      filename: entry.href,
      name: 'run',
      minThreads: 1,
      maxThreads: 1,
      concurrentTasksPerWorker: TASKS,
      idleTimeout: Number.POSITIVE_INFINITY,
      recordTiming: false,
      // With 'sync', the default, a worker sleeps between tasks and wakes later: 7 % of a scan of 50 units.
      atomics: 'disabled',
      workerData: { coreBytes, sqlBytes, columnBytes, product },
      resourceLimits: {
        maxOldGenerationSizeMb: limits.heapMegabytes,
        maxYoungGenerationSizeMb: YOUNG_MEGABYTES,
      },
    })
    created.on('workerDestroy', () => {
      if (!closed && created === pool) events.onGone()
    })
    // Piscina stops replacing workers after a failed boot and lets tasks wait for ever; a new pool does not.
    created.on('error', (error: Error) => {
      if (closed || created !== pool) return
      events.onBootFailure(error)
      giveUp(error)
      const delay = BOOT_BACKOFF_MS[Math.min(failures++, BOOT_BACKOFF_MS.length - 1)]
      setTimeout(() => {
        if (closed || created !== pool) return
        pool = boot()
        void created.destroy()
      }, delay).unref()
    })
    return created
  }

  function giveUp(reason: Error): void {
    for (const reject of running) reject(reason)
    running.clear()
  }

  return {
    index,
    run(task) {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>()
      running.add(reject)
      pool
        .run(task, { transferList: transferred(task) })
        .then((answer) => {
          failures = 0
          resolve(answer)
        }, reject)
        .finally(() => running.delete(reject))
      return promise
    },
    kill(reason) {
      events.onGone()
      giveUp(reason)
      const killed = pool
      pool = boot()
      void killed.destroy()
    },
    async close() {
      closed = true
      await pool.destroy()
    },
  }
}

/** What a task hands over rather than copies. */
function transferred(task: Task): TransferListItem[] {
  const isAssisted = task.kind === 'sql_open' && task.assistance !== null
  return isAssisted ? [task.assistance.port] : taskBuffers(task)
}
