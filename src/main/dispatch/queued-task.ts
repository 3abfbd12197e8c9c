import type { Answer, SqlTask, Task } from '../../plan/task/task.ts'
import type { ThreadClock } from './engines/thread-clock.ts'

/** Where a task should run: on one of some workers unless all are busy for longer than `patienceMs`, or on one worker only. */
export type Placement =
  | { readonly prefer: readonly number[]; readonly patienceMs: number }
  | { readonly only: number }

/** The engine in which a task of a statement runs. */
export interface EnginePlacement {
  readonly engine: number
  readonly statement: EngineStatement
}

/** A statement as the scheduler sees it while it runs the tasks. */
interface EngineStatement {
  /** A task begins in a thread with this clock. Returns how many milliseconds it may take. */
  began(task: SqlTask, clock: ThreadClock): number
  ended(ms: number): void
  /** Whether its tasks may be rejected with `statement_lost`, because no row of it has left. */
  mayBeginAgain(): boolean
}

export interface TaskOutcome<A> {
  readonly answer: A
  readonly worker: number
  /** Milliseconds from the request until the worker began. */
  readonly queueMs: number
}

/** A task that was requested, and the functions that settle the request. */
export interface QueuedTask {
  readonly task: Task
  readonly placement: Placement | undefined
  /** Milliseconds that the task takes, if it is known to be quick (`Affinity.quickMs`). */
  readonly quickMs: number | undefined
  /** When it was requested, by `performance.now()`. */
  readonly askedAt: number
  readonly resolve: (outcome: TaskOutcome<Answer>) => void
  readonly reject: (error: unknown) => void
}

/** The tasks that go to a worker in one message. */
export type QueuedTasks<J extends QueuedTask> = readonly [J, ...J[]]

/**
 * Whether a task may run on the worker now, rather than wait for a preferred one. It waits for one that is `idle` although its patience has
 * passed: that worker is given it in this turn, which may be late because main was busy.
 */
export function isPlacedOn(
  { placement, askedAt }: QueuedTask,
  worker: number,
  idle: readonly number[],
  now: number,
): boolean {
  if (placement === undefined) return true
  if ('only' in placement) return placement.only === worker
  const { prefer, patienceMs } = placement
  return (
    prefer.includes(worker) || (now >= askedAt + patienceMs && !prefer.some((each) => idle.includes(each)))
  )
}
