import { statementLost } from '../../../plan/statement/statement-lost.ts'
import type { SqlClosedAnswer, SqlReadyAnswer, TrimmedAnswer } from '../../../plan/task/task.ts'
import type { PoolLimits } from '../pool-limits.ts'
import type { Scheduler } from '../scheduler.ts'
import { cancelled } from '../task-time.ts'
import type { Ticket } from '../ticket.ts'
import { createEngine, type Engine, hasLong, type LeaseState } from './engine.ts'
import { type Lease, openLease } from './lease.ts'
import { createLongStatements, LONG_MS } from './long-statements.ts'
import { lowerPriority, restorePriority } from './thread-priority.ts'

/**
 * The engines of DuckDB that run statements, each in a thread of its own. One is kept ready, and another is started when all have
 * long statements, or when a statement has waited for some time. An engine gets a new statement only when it has no task. So a
 * statement waits for another one's step only if both are open in one engine, and then begins again in another one. Long
 * statements never take the last engine.
 */
export interface Engines {
  /** Names of the scalar functions that a select entry may call. Starts an engine if none has been started yet. */
  functions(signal: AbortSignal): Promise<ReadonlySet<string>>
  /** Reserves an engine for one statement, and waits until one is free. Rejects with `cancelled`, or the error of a start. */
  lease(statement: StatementToRun, signal: AbortSignal): Promise<Lease>
  /** Starts an engine if there is none. */
  warmUp(): void
}

interface StatementToRun {
  readonly key: string
  readonly sql: string
  readonly ticket: Ticket
}

export interface EnginesOptions {
  /** The most engines at once. */
  readonly engines: number
  readonly limits: Pick<PoolLimits, 'statementMs' | 'taskMs'>
  /** Where the first engine leaves DuckDB for all others, which need not compile it. */
  readonly compiled: CompiledDuck
  /** Milliseconds after which an idle engine gives back memory. Absent: none does. */
  readonly trimMs?: number
  /** Called when an engine did not start, died, or did not close a statement. */
  readonly onFailure: (engine: number, error: unknown) => void
}

export interface CompiledDuck {
  /** Null: no engine has compiled it yet. */
  module: WebAssembly.Module | null
}

/** Statements open in one engine: each has a connection of DuckDB. */
const MAX_STATEMENTS = 32

/** A statement that has waited for so many milliseconds has another engine started. */
const WAIT_MS = 50

/** An engine that nobody has used for so many milliseconds ends, if it is not the only one. */
const IDLE_MS = 60_000

/** One whose memory has grown beyond so many bytes ends after a shorter time. */
const LARGE_BYTES = 256 << 20
const LARGE_IDLE_MS = 1000

interface Waiting {
  readonly grant: (engine: Engine) => void
  readonly reject: (error: unknown) => void
}

export function createEngines(
  scheduler: Pick<Scheduler, 'active' | 'openEngines'>,
  { engines: count, limits, compiled, trimMs, onFailure }: EnginesOptions,
): Engines {
  const all = Array.from({ length: count }, (_, index) => createEngine(index))
  /** How many engines may have long statements at once. */
  const forLong = Math.max(1, count - 1)
  const long = createLongStatements()
  const waiting = { short: new Set<Waiting>(), long: new Set<Waiting>() } as const
  const slots = scheduler.openEngines({
    freed: () => grantSoon(),
    gone: (index) => lost(all[index] as Engine),
    onFailure,
  })
  let functions: ReadonlySet<string> | null = null
  let isStarting = false

  function startAnother(): void {
    const engine = all.find(({ phase }) => phase === 'none')
    if (isStarting || engine === undefined) return
    isStarting = true
    start(engine).then(
      () => {
        isStarting = false
        grant()
        startForWaiting()
      },
      (error: unknown) => {
        onFailure(engine.index, error)
        slots.end(engine.index, statementLost())
        isStarting = false
        if (all.every(({ phase }) => phase === 'none')) rejectWaiting(error)
      },
    )
  }

  /** Starts another engine if a statement waits that may have it. */
  function startForWaiting(): void {
    const mayBeLong = all.filter(hasLong).length < forLong
    if (waiting.short.size > 0 || (waiting.long.size > 0 && mayBeLong)) startAnother()
  }

  function startOne(): void {
    if (all.every(({ phase }) => phase === 'none')) startAnother()
  }

  async function start(engine: Engine): Promise<void> {
    engine.phase = 'starting'
    slots.start(engine.index)
    const { module } = compiled
    const ready = await slots.runInternal<SqlReadyAnswer>({ kind: 'sql_boot', module }, engine.index)
    compiled.module = ready.module
    functions ??= new Set(ready.functions)
    engine.threadId = ready.threadId
    engine.phase = 'ready'
    whenIdle(engine)
  }

  function rejectWaiting(error: unknown): void {
    for (const kind of Object.values(waiting)) {
      for (const each of kind) each.reject(error)
      kind.clear()
    }
  }

  /** The engine for a statement. Undefined: it has to wait. */
  function choose(isLong: boolean): Engine | undefined {
    const free = all.filter(
      ({ phase, index, leases, reservedFor }) =>
        phase === 'ready' && reservedFor === null && leases.size < MAX_STATEMENTS && slots.isFree(index),
    )
    const mayBeLowered = isLong || all.every(({ phase, isLowered }) => phase === 'none' || isLowered)
    const able = free.filter((engine) => (isLong ? mayRunLong(engine) : mayBeLowered || !engine.isLowered))
    // Long statements are put together, and others apart from them.
    const rank = (engine: Engine): number =>
      (hasLong(engine) === isLong ? 0 : MAX_STATEMENTS) + engine.leases.size
    return able.toSorted((a, b) => rank(a) - rank(b))[0]
  }

  function mayRunLong(engine: Engine): boolean {
    return engine.isLowered || hasLong(engine) || all.filter(hasLong).length < forLong
  }

  /** Gives engines to the statements that have waited for longest. */
  function grant(): void {
    for (const kind of [waiting.short, waiting.long]) {
      for (const each of kind) {
        const engine = choose(kind === waiting.long)
        if (engine === undefined) break
        kind.delete(each)
        each.grant(engine)
      }
    }
  }

  let isGrantDue = false
  /** A statement that goes on at once asks for its next task before this grants its engine to another. */
  function grantSoon(): void {
    if (isGrantDue) return
    isGrantDue = true
    setImmediate(() => {
      isGrantDue = false
      grant()
    })
  }

  function lease(statement: StatementToRun, engine: Engine, isLong: boolean): Lease {
    clearTimeout(engine.idle)
    clearTimeout(engine.untrimmed)
    const opened = openLease(statement, engine, isLong, limits, {
      asked: endReservation,
      worksOn,
      expectLong,
      released: release,
    })
    engine.leases.add(opened.state)
    engine.reservedFor = opened.state
    if (isLong) lower(engine)
    return opened.lease
  }

  function endReservation(state: LeaseState): void {
    if (state.engine.reservedFor === state) state.engine.reservedFor = null
  }

  /** A statement has worked for long, and still does. */
  function worksOn(state: LeaseState): void {
    if (state.isLost) return
    const { engine } = state
    const mayStay = state.isLong || mayRunLong(engine)
    state.isLong = true
    long.add(state.sql)
    if (mayStay) leave(engine)
    else if ([...engine.leases].every(({ haveRowsLeft }) => !haveRowsLeft))
      slots.end(engine.index, statementLost())
  }

  function expectLong(state: LeaseState): void {
    long.add(state.sql)
    if (state.isLost || (!state.isLong && !mayRunLong(state.engine))) throw statementLost()
    state.isLong = true
    leave(state.engine)
  }

  /** Leaves the processors and an engine to the others. */
  function leave(engine: Engine): void {
    lower(engine)
    if (all.every((each) => each.phase === 'none' || hasLong(each))) startAnother()
  }

  /** Leaves the processors to other queries, if there are any. */
  function lower(engine: Engine): void {
    if (engine.isLowered || engine.threadId === null || scheduler.active <= 1) return
    engine.isLowered = lowerPriority(engine.threadId)
  }

  function release(state: LeaseState): void {
    endReservation(state)
    if (state.isLost) return
    // One that is stopped while it works might still turn long.
    if (state.hasBegun && !state.isWorking && state.cpuMs < LONG_MS) long.remove(state.sql)
    void close(state)
  }

  /** The connection is free for another statement once the engine has closed this one. */
  async function close(state: LeaseState): Promise<void> {
    const { engine, key } = state
    try {
      const closed = await slots.runInternal<SqlClosedAnswer>({ kind: 'sql_close', key }, engine.index)
      engine.memoryBytes = closed.memoryBytes
    } catch (error) {
      if (!state.isLost) onFailure(engine.index, error)
    }
    engine.leases.delete(state)
    // Another thread may have its number by now.
    if (state.isLost) return
    if (engine.isLowered && !hasLong(engine)) restore(engine)
    grantSoon()
    whenIdle(engine)
  }

  /** A thread whose priority cannot be raised again ends with the statements that are open in it. */
  function restore(engine: Engine): void {
    if (engine.threadId !== null && restorePriority(engine.threadId)) engine.isLowered = false
    else if (engine.leases.size === 0) slots.end(engine.index, statementLost())
  }

  /** Ends an engine that is idle for long. */
  function whenIdle(engine: Engine): void {
    clearTimeout(engine.idle)
    clearTimeout(engine.untrimmed)
    if (engine.leases.size > 0 || engine.phase !== 'ready') return
    if (trimMs !== undefined) engine.untrimmed = setTimeout(() => void trim(engine), trimMs).unref()
    const isLarge = engine.memoryBytes > LARGE_BYTES
    engine.idle = setTimeout(
      () => {
        const isOnly = all.filter(({ phase }) => phase === 'ready').length === 1
        if (isLarge || !isOnly) slots.end(engine.index, statementLost())
      },
      isLarge ? LARGE_IDLE_MS : IDLE_MS,
    ).unref()
  }

  /** Has an engine give back memory. One that fails is gone, as under any task. */
  async function trim({ index }: Engine): Promise<void> {
    await slots.runInternal<TrimmedAnswer>({ kind: 'trim' }, index).catch(() => undefined)
  }

  function lost(engine: Engine): void {
    clearTimeout(engine.idle)
    clearTimeout(engine.untrimmed)
    engine.phase = 'none'
    for (const state of engine.leases) state.isLost = true
    all[engine.index] = createEngine(engine.index)
    startOne()
    // Fewer engines have long statements now.
    grantSoon()
  }

  /** Calls `grant` when an engine is free. */
  async function wait<T>(isLong: boolean, signal: AbortSignal, grant: (engine: Engine) => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const waits: Waiting = { grant: (engine) => resolve(grant(engine)), reject }
    const kind = isLong ? waiting.long : waiting.short
    const leave = (): void => {
      kind.delete(waits)
      reject(cancelled())
    }
    signal.addEventListener('abort', leave, { once: true })
    const patience = setTimeout(startForWaiting, WAIT_MS)
    kind.add(waits)
    startOne()
    try {
      return await promise
    } finally {
      clearTimeout(patience)
      signal.removeEventListener('abort', leave)
    }
  }

  return {
    async functions(signal) {
      if (signal.aborted) throw cancelled()
      return functions ?? wait(false, signal, () => functions ?? new Set())
    },
    async lease(statement, signal) {
      if (signal.aborted) throw cancelled()
      const isLong = long.has(statement.sql)
      const isFirst = (isLong ? waiting.long : waiting.short).size === 0
      const engine = isFirst ? choose(isLong) : undefined
      if (engine !== undefined) return lease(statement, engine, isLong)
      return wait(isLong, signal, (free) => lease(statement, free, isLong))
    },
    warmUp: startOne,
  }
}
