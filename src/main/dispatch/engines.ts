import { ServiceError } from '../../plan/errors.ts'
import type { SqlClosedAnswer, SqlReadyAnswer } from '../../plan/task/task.ts'
import type { Scheduler } from './scheduler.ts'

/**
 * Which workers run statements: those with DuckDB in them, and as few of them as the load needs. Of several workers the
 * last never does: a statement keeps its worker for as long as a piece of it takes, and other queries go past it.
 */
export interface Engines {
  /** Scalar functions that a select entry may call. Starts DuckDB if it runs nowhere. */
  functions(signal: AbortSignal): Promise<ReadonlySet<string>>
  /** A place for one statement. Waits for a worker that has room, and for DuckDB to start in it. */
  lease(key: string, signal: AbortSignal): Promise<Lease>
  /** Forgets what a worker held that is gone. */
  lost(worker: number): void
  /** Starts DuckDB in one worker if it runs in none. */
  warmUp(): void
}

/** A statement's worker, until it is given back. */
export interface Lease {
  readonly worker: number
  /** Ends the statement in its worker, and frees the place. */
  release(): void
}

/** Statements open in one worker: each holds a connection of DuckDB. */
const MOST_STATEMENTS = 32

/** `onFailure` learns of a worker in which DuckDB did not start, or a statement did not end. */
export function createEngines(
  scheduler: Pick<Scheduler, 'workers' | 'runOwn'>,
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
    const ready = scheduler.runOwn<SqlReadyAnswer>({ kind: 'sql_boot' }, worker)
    engine.ready = ready
    ready.catch((error: unknown) => {
      onFailure(worker, error)
      if (engine.ready === ready) engine.ready = null
    })
    return ready
  }

  /** The started worker with the fewest statements; another one is started while all of them have some. */
  function choose(): number {
    const started = engines.flatMap(({ ready }, worker) => (ready === null ? [] : [worker]))
    const load = (worker: number) => engines[worker]?.statements ?? 0
    const [best] = started.toSorted((a, b) => load(a) - load(b))
    if (best !== undefined && load(best) === 0) return best
    const next = engines.findIndex(({ ready }) => ready === null)
    if (next >= 0) void boot(next).catch(() => {})
    return best ?? next
  }

  /** The place is free once the worker has given the statement's connection back. */
  async function release(worker: number, key: string): Promise<void> {
    try {
      await scheduler.runOwn<SqlClosedAnswer>({ kind: 'sql_close', key }, worker)
    } catch (error) {
      onFailure(worker, error)
    }
    const engine = engines[worker] as Engine
    engine.statements--
    waiting.shift()?.()
  }

  /** Takes a place at once: leases that are asked for together do not see the same one free. */
  async function claimPlace(signal: AbortSignal): Promise<number> {
    for (;;) {
      signal.throwIfAborted()
      const worker = choose()
      const engine = engines[worker] as Engine
      if (engine.statements < MOST_STATEMENTS) {
        engine.statements++
        return worker
      }
      await placeFreed(signal)
    }
  }

  /** Resolves when a statement has ended, or the signal is aborted. */
  function placeFreed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        waiting.splice(waiting.indexOf(done), 1)
        resolve()
      }
      waiting.push(done)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  return {
    async functions(signal) {
      signal.throwIfAborted()
      const { functions } = await boot(choose())
      return new Set(functions)
    },
    async lease(key, signal) {
      const worker = await claimPlace(signal)
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
