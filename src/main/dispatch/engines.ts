import { ServiceError } from '../../plan/errors.ts'
import type { SqlClosedAnswer, SqlReadyAnswer } from '../../plan/task/task.ts'
import type { Scheduler } from './scheduler.ts'

/**
 * Chooses the workers that run SQL statements. DuckDB is started in as few workers as the load needs, and never in the last of
 * several: DuckDB keeps its worker busy while it computes the next rows, and other queries need a worker meanwhile.
 */
export interface Engines {
  /** Names of the scalar functions that a select entry may call. Starts DuckDB if no worker has it. */
  functions(signal: AbortSignal): Promise<ReadonlySet<string>>
  /**
   * Reserves a connection for one statement. Waits until a worker has one free and DuckDB has started there. Rejects with
   * `cancelled`, or with the error of the start.
   */
  lease(key: string, signal: AbortSignal): Promise<Lease>
  /** The worker is gone: DuckDB has to be started again in the one that takes its place. */
  lost(worker: number): void
  /** Starts DuckDB in one worker if no worker has it. */
  warmUp(): void
}

/** The right of one statement to a connection in one worker, until it is released. */
export interface Lease {
  readonly worker: number
  /** Ends the statement in its worker and frees the connection. */
  release(): void
}

/** Statements open in one worker: each has a connection of DuckDB. */
const MAX_STATEMENTS = 32

/** `onFailure` is called when DuckDB did not start in a worker, or a statement did not end. */
export function createEngines(
  scheduler: Pick<Scheduler, 'workers' | 'runInternal'>,
  onFailure: (worker: number, error: unknown) => void,
): Engines {
  interface Engine {
    /** Statements that have a lease. */
    statements: number
    ready: Promise<SqlReadyAnswer> | null
  }
  const engines: Engine[] = Array.from({ length: Math.max(1, scheduler.workers - 1) }, () => ({
    statements: 0,
    ready: null,
  }))
  const waiting: (() => void)[] = []

  function boot(worker: number): Promise<SqlReadyAnswer> {
    const engine = engines[worker] as Engine
    if (engine.ready !== null) return engine.ready
    const ready = scheduler.runInternal<SqlReadyAnswer>({ kind: 'sql_boot' }, worker)
    engine.ready = ready
    ready.catch((error: unknown) => {
      onFailure(worker, error)
      if (engine.ready === ready) engine.ready = null
    })
    return ready
  }

  /** The worker with the fewest statements of those that have DuckDB. If all have some, DuckDB is started in one more. */
  function choose(): number {
    const started = engines.flatMap(({ ready }, worker) => (ready === null ? [] : [worker]))
    const load = (worker: number) => engines[worker]?.statements ?? 0
    const [best] = started.toSorted((a, b) => load(a) - load(b))
    if (best !== undefined && load(best) === 0) return best
    const next = engines.findIndex(({ ready }) => ready === null)
    if (next >= 0) void boot(next).catch(() => {})
    return best ?? next
  }

  /** The connection is free for another statement once the worker has closed this one. */
  async function release(worker: number, key: string): Promise<void> {
    try {
      await scheduler.runInternal<SqlClosedAnswer>({ kind: 'sql_close', key }, worker)
    } catch (error) {
      onFailure(worker, error)
    }
    const engine = engines[worker] as Engine
    engine.statements--
    waiting.shift()?.()
  }

  /** Counts the statement before anything is awaited, so that two leases never take the same free connection. */
  async function reserve(signal: AbortSignal): Promise<number> {
    for (;;) {
      signal.throwIfAborted()
      const worker = choose()
      const engine = engines[worker] as Engine
      if (engine.statements < MAX_STATEMENTS) {
        engine.statements++
        return worker
      }
      await connectionFreed(signal)
    }
  }

  /** Resolves when a statement has ended, or the signal is aborted. */
  function connectionFreed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        signal.removeEventListener('abort', abandon)
        resolve()
      }
      const abandon = (): void => {
        waiting.splice(waiting.indexOf(done), 1)
        resolve()
      }
      waiting.push(done)
      signal.addEventListener('abort', abandon, { once: true })
    })
  }

  return {
    async functions(signal) {
      signal.throwIfAborted()
      const { functions } = await boot(choose())
      return new Set(functions)
    },
    async lease(key, signal) {
      const worker = await reserve(signal)
      let isHeld = true
      const lease: Lease = {
        worker,
        release() {
          if (isHeld) void release(worker, key)
          isHeld = false
        },
      }
      try {
        await boot(worker)
        signal.throwIfAborted()
        return lease
      } catch (error) {
        lease.release()
        if (error instanceof ServiceError) throw error
        throw new ServiceError('cancelled', 'The query was cancelled.', { cause: error })
      }
    },
    lost(worker) {
      const engine = engines[worker]
      if (engine) engine.ready = null
    },
    warmUp() {
      if (engines.every(({ ready }) => ready === null)) void boot(0).catch(() => {})
    },
  }
}
