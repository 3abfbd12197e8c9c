import { setImmediate as turn } from 'node:timers/promises'
import { fromErrorData, type ServiceError } from '../../../plan/errors.ts'
import { statementLost } from '../../../plan/statement/statement-lost.ts'
import type { Answer, SqlTask, TrimTask } from '../../../plan/task/task.ts'
import type { EnginePlacement, TaskOutcome } from '../queued-task.ts'
import { cancelled, TASK_GRACE_MS, tookTooLong, workerLost } from '../task-time.ts'
import { createSlot, type Slot, type SlotOptions } from '../workers/slot.ts'
import { openThreadClock, type ThreadClock, WALL_CLOCK } from './thread-clock.ts'

/**
 * The threads that run statements, each with one engine of DuckDB. They are slots of their own beside the workers: a statement may
 * keep its thread busy without end. An engine is addressed by its number, and has one task at a time; the others wait in their order.
 */
export interface EngineSlots {
  /** Starts the thread of an engine that has none. */
  start(engine: number): void
  /** Terminates the thread of an engine. The task that runs there rejects with `reason`, and the others with `statement_lost`. */
  end(engine: number, reason: ServiceError): void
  /** Whether the engine has no task. */
  isFree(engine: number): boolean
  /** Runs a task of the service itself ahead of those of statements. Rejects as `Ticket.run` does. */
  runInternal<A extends Exclude<Answer, { kind: 'failed' }>>(
    task: SqlTask | TrimTask,
    engine: number,
  ): Promise<A>
}

export interface EngineEvents {
  /** The engine has no task any more. */
  freed(engine: number): void
  /** The thread is gone, and all statements in it. */
  gone(engine: number): void
  onFailure(engine: number, error: Error): void
}

/** The part that tickets use. An owner is the query that has asked for a task. */
export interface OwnedEngineSlots extends EngineSlots {
  run(owner: object, task: SqlTask, placement: EnginePlacement): Promise<TaskOutcome<Answer>>
  /** Rejects the tasks of a query that have not begun with `cancelled`. */
  withdraw(owner: object): void
  /**
   * Terminates the engines in which a task of the query still runs when it has used `graceMs` of a CPU, or after `TASK_GRACE_MS`. The
   * task rejects with `cancelled`.
   */
  endLate(owner: object, graceMs: number): void
  close(): Promise<void>
}

/** Tasks that wait for one that has run for so many milliseconds reject, if their statements can begin again in another engine. */
const STEP_MS = 50

interface EngineTask {
  readonly owner: object
  readonly task: SqlTask | TrimTask
  /** Null: it is of the service itself. */
  readonly placement: EnginePlacement | null
  readonly askedAt: number
  readonly resolve: (outcome: TaskOutcome<Answer>) => void
  readonly reject: (error: unknown) => void
}

interface Thread {
  readonly slot: Slot
  clock: ThreadClock
  running: EngineTask | null
  readonly waiting: EngineTask[]
  /** Whether it was terminated on purpose. */
  isEnded: boolean
}

/** The owner of tasks of the service itself. */
const SERVICE = Object.freeze({})

/** `onAnswer` is called for each answer of a statement. */
export function createEngineSlots(
  options: SlotOptions,
  events: EngineEvents,
  onAnswer: (engine: number, answer: Answer) => void,
): OwnedEngineSlots {
  const threads = new Map<number, Thread>()
  const closing = new Set<Promise<void>>()
  let isClosed = false

  function start(engine: number): void {
    if (isClosed || threads.has(engine)) return
    const slot = createSlot(engine, options, {
      // The task that starts DuckDB rejects with the same error.
      onBootFailure: () => {},
      onGone: () => remove(engine, thread),
    })
    const thread: Thread = { slot, clock: WALL_CLOCK, running: null, waiting: [], isEnded: false }
    threads.set(engine, thread)
  }

  /** Forgets a thread that is gone or about to go. The task that runs there is settled by its slot. */
  function remove(engine: number, thread: Thread): void {
    if (threads.get(engine) !== thread) return
    threads.delete(engine)
    thread.clock.close()
    rejectWaiting(thread, statementLost, () => true)
    // Not at once: Piscina hangs if it is destroyed while it is replacing a thread that has died.
    const closed = turn().then(thread.slot.close)
    closing.add(closed)
    void closed.finally(() => closing.delete(closed))
    if (!isClosed) events.gone(engine)
  }

  /** Does nothing if the engine has another thread by now. */
  function endThread(engine: number, thread: Thread, reason: ServiceError): void {
    if (threads.get(engine) !== thread) return
    thread.isEnded = true
    thread.running?.reject(reason)
    remove(engine, thread)
  }

  function add(engine: number, queued: EngineTask): void {
    const thread = threads.get(engine)
    if (thread === undefined) {
      queued.reject(statementLost())
      return
    }
    if (queued.placement === null) thread.waiting.unshift(queued)
    else thread.waiting.push(queued)
    if (thread.running === null) void runNext(engine, thread)
  }

  /** Runs the tasks that wait for a thread, one after the other. */
  async function runNext(engine: number, thread: Thread): Promise<void> {
    for (;;) {
      const queued = thread.waiting.shift()
      if (queued === undefined) break
      thread.running = queued
      await runOne(engine, thread, queued)
      thread.running = null
    }
    if (threads.get(engine) === thread) events.freed(engine)
  }

  async function runOne(engine: number, thread: Thread, queued: EngineTask): Promise<void> {
    const { task, placement } = queued
    const startedAt = performance.now()
    const limitMs =
      task.kind === 'trim' || placement === null
        ? options.limits.taskMs
        : placement.statement.began(task, thread.clock)
    const deadline = setTimeout(() => endThread(engine, thread, tookTooLong(task, options.limits)), limitMs)
    const step = placement && setTimeout(() => moveOthers(thread), STEP_MS)
    try {
      const answer = await thread.slot.run(task)
      placement?.statement.ended(performance.now() - startedAt)
      if (answer.kind === 'sql_ready') thread.clock = openThreadClock(answer.threadId)
      onAnswer(engine, answer)
      if (answer.kind === 'failed') queued.reject(fromErrorData(answer.error))
      else queued.resolve({ answer, worker: engine, queueMs: startedAt - queued.askedAt })
    } catch (error) {
      placement?.statement.ended(performance.now() - startedAt)
      queued.reject(workerLost(error))
      if (!thread.isEnded) events.onFailure(engine, error as Error)
      remove(engine, thread)
    } finally {
      clearTimeout(deadline)
      if (step !== null) clearTimeout(step)
    }
  }

  /** The task that runs goes on for long: what waits for it begins again elsewhere, if it can. */
  function moveOthers(thread: Thread): void {
    rejectWaiting(thread, statementLost, ({ placement }) => placement?.statement.mayBeginAgain() === true)
  }

  /** Terminates an engine if it still runs its task, or another of the same query, after the grace time. */
  function endUnlessDone(engine: number, thread: Thread, graceMs: number): void {
    const owner = thread.running?.owner
    const latest = performance.now() + TASK_GRACE_MS
    const cpuBefore = thread.clock.ms()
    const look = (): void => {
      if (threads.get(engine) !== thread || thread.running?.owner !== owner) return
      // On a busy machine the thread may not have run since.
      const leftMs = graceMs - (thread.clock.ms() - cpuBefore)
      if (leftMs > 0 && performance.now() < latest) lookAfter(leftMs)
      else endThread(engine, thread, cancelled())
    }
    // If the main thread is late itself, the answer may have arrived: `setImmediate` has it handled first.
    const lookAfter = (ms: number): unknown => setTimeout(() => setImmediate(look), Math.max(ms, 5)).unref()
    lookAfter(graceMs)
  }

  function ask(
    owner: object,
    task: SqlTask | TrimTask,
    engine: number,
    placement: EnginePlacement | null,
  ): Promise<TaskOutcome<Answer>> {
    return new Promise((resolve, reject) => {
      add(engine, { owner, task, placement, askedAt: performance.now(), resolve, reject })
    })
  }

  return {
    start,
    end(engine, reason) {
      const thread = threads.get(engine)
      if (thread !== undefined) endThread(engine, thread, reason)
    },
    isFree(engine) {
      const thread = threads.get(engine)
      return thread !== undefined && thread.running === null && thread.waiting.length === 0
    },
    async runInternal<A extends Exclude<Answer, { kind: 'failed' }>>(
      task: SqlTask | TrimTask,
      engine: number,
    ): Promise<A> {
      const { answer } = await ask(SERVICE, task, engine, null)
      return answer as A
    },
    run: (owner, task, placement) => ask(owner, task, placement.engine, placement),
    withdraw(owner) {
      for (const thread of threads.values())
        rejectWaiting(thread, cancelled, (queued) => queued.owner === owner)
    },
    endLate(owner, graceMs) {
      for (const [engine, thread] of threads) {
        if (thread.running?.owner === owner) endUnlessDone(engine, thread, graceMs)
      }
    },
    async close() {
      isClosed = true
      for (const [engine, thread] of threads) {
        thread.isEnded = true
        remove(engine, thread)
      }
      await Promise.all(closing)
    },
  }
}

/**
 * Rejects those tasks that wait for a thread which `isMeant` chooses. Each query that ends comes here, mostly without any: an error is
 * made only for a task, since its stack costs 60 µs.
 */
function rejectWaiting(
  { waiting }: Thread,
  reason: () => ServiceError,
  isMeant: (queued: EngineTask) => boolean,
): void {
  for (const queued of waiting.filter(isMeant)) {
    waiting.splice(waiting.indexOf(queued), 1)
    queued.reject(reason())
  }
}
