import type { TransferListItem } from 'node:worker_threads'
import { Piscina } from 'piscina'
import type { Product } from '../../../plan/product.ts'
import { packTask, type SentTask } from '../../../plan/task/packed-task.ts'
import { type Answer, type Task, taskBuffers } from '../../../plan/task/task.ts'
import { isUndoRequest, type UndoRequest } from '../../../plan/task/undo-request.ts'
import { fileOf } from '../../threads/built-files.ts'
import type { PoolLimits } from '../pool-limits.ts'

/**
 * One worker thread that can be addressed: a Piscina of exactly one thread. A shared Piscina cannot send a task to the worker
 * that holds its columns: it asks its load balancer when a task is queued, and hangs if that chooses no worker because all
 * are busy.
 */
export interface Slot {
  readonly index: number
  /**
   * Sends a task to the worker. If another one runs there, it waits in the worker and begins when that has ended. Rejects when
   * the worker dies, is killed or does not boot. Errors of the task itself are answers.
   */
  run(task: Task): Promise<Answer>
  /** Terminates the worker under its tasks; another one takes its place. */
  kill(reason: Error): void
  close(): Promise<void>
}

/**
 * MiB of a worker's young generation. By default it grows with time: after 80 000 small queries a heap with 20 to 40 MB in
 * use takes 145 MB. With this limit it takes 52 MB, at the same speed.
 */
const YOUNG_MEGABYTES = 24

/**
 * Tasks that Piscina may have sent to the worker at once: the one that runs and the next. They are cancelled by a shared flag
 * and not by an AbortSignal, because Piscina gives a task with a signal a worker of its own.
 */
const TASKS = 2

/** Milliseconds between attempts to boot a worker whose boot failed: doubles up to the last. */
const BOOT_BACKOFF_MS = [100, 200, 400, 800, 1600, 3200, 5000] as const

export interface SlotEvents {
  onBootFailure(error: Error): void
  /** The worker is gone, whether it had tasks or not. Called before its tasks reject. */
  onGone(): void
}

/** What a worker is started with. */
export interface SlotOptions {
  /** Its module. */
  readonly entry: URL
  readonly limits: PoolLimits
  readonly product: Product
  /** The memory of the table of statistics of chunks, which all threads share. Absent: there is none. */
  readonly chunkTable?: SharedArrayBuffer
  /** Called when a thread waits for the annex to undo a filter. Absent: the thread is the annex. */
  readonly onUndo?: (request: UndoRequest) => void
}

export function createSlot(index: number, options: SlotOptions, events: SlotEvents): Slot {
  const { entry, limits, product, chunkTable, onUndo } = options
  const { coreBytes, sqlBytes, columnBytes, maxChunkBytes } = limits
  /** The `reject` of each task that the worker has. */
  const running = new Set<(reason: unknown) => void>()
  let failures = 0
  let closed = false
  let pool = boot()

  function boot(): Piscina<SentTask, Answer> {
    const created = new Piscina<SentTask, Answer>({
      filename: fileOf(entry).href,
      name: 'run',
      minThreads: 1,
      maxThreads: 1,
      concurrentTasksPerWorker: TASKS,
      idleTimeout: Number.POSITIVE_INFINITY,
      recordTiming: false,
      // With the default, 'sync', a worker sleeps between tasks and takes time to wake: 7 % of a scan of 50 units.
      atomics: 'disabled',
      workerData: { coreBytes, sqlBytes, columnBytes, maxChunkBytes, product, chunkTable },
      resourceLimits: {
        maxOldGenerationSizeMb: limits.heapMegabytes,
        maxYoungGenerationSizeMb: YOUNG_MEGABYTES,
      },
    })
    created.on('message', (message: unknown) => {
      if (isUndoRequest(message)) onUndo?.(message)
    })
    created.on('workerDestroy', () => {
      if (!closed && created === pool) events.onGone()
    })
    // After a failed boot Piscina starts no other worker, and tasks would wait for ever. A new pool takes its place.
    created.on('error', (error: Error) => {
      if (closed || created !== pool) return
      events.onBootFailure(error)
      rejectAll(error)
      const delay = BOOT_BACKOFF_MS[Math.min(failures++, BOOT_BACKOFF_MS.length - 1)]
      setTimeout(() => {
        if (closed || created !== pool) return
        pool = boot()
        void created.destroy()
      }, delay).unref()
    })
    return created
  }

  function rejectAll(reason: Error): void {
    for (const reject of running) reject(reason)
    running.clear()
  }

  return {
    index,
    run(task) {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>()
      running.add(reject)
      pool
        .run(packTask(task), { transferList: transfer(task) })
        .then((answer) => {
          failures = 0
          resolve(answer)
        }, reject)
        .finally(() => running.delete(reject))
      return promise
    },
    kill(reason) {
      events.onGone()
      rejectAll(reason)
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

/** The buffers and ports of a task that are transferred to the worker rather than copied. */
function transfer(task: Task): TransferListItem[] {
  const isAssisted = task.kind === 'sql_open' && task.assistance !== null
  return isAssisted ? [task.assistance.port] : taskBuffers(task)
}
