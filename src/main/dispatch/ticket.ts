import type { Answer, CoreTask, SqlTask } from '../../plan/task/task.ts'
import type { EnginePlacement, Placement, TaskOutcome } from './queued-task.ts'
import type { Work } from './workers/affinity.ts'

/** An admitted query: runs its tasks in the worker pool. */
export interface Ticket {
  /** The query's cancel flag, one 32-bit word that its tasks read. */
  readonly cancel: SharedArrayBuffer
  /** Whether its tasks read and fill the workers' caches. */
  readonly caching: boolean
  /** Whether its tasks report the objects of folders that they read. It is turned off when the report is no longer needed. */
  readonly objects: { areWanted: boolean }
  /**
   * Runs a task when the query's fair share allows it, on a worker by `placement`. Without one, a unit goes preferably to a
   * worker that has decoded it before. Rejects with the error of a failed answer, `worker_lost`, `time_limit`, or `cancelled`.
   */
  run<A extends Exclude<Answer, { kind: 'failed' }>>(
    task: CoreTask,
    placement?: Placement,
  ): Promise<TaskOutcome<A>>
  /** Runs a task of a statement in an engine. Rejects as `run`, and with `statement_lost` if it has to begin again. */
  runStatement<A extends Exclude<Answer, { kind: 'failed' }>>(
    task: SqlTask,
    placement: EnginePlacement,
  ): Promise<TaskOutcome<A>>
  /** Whether a task is quick. Many quick tasks may be requested at once, as they go to a worker in one message. */
  isQuick(work: Omit<Work, 'caching'>): boolean
  /**
   * A ticket for a task that other queries wait for too: it does not end with this one. It is no open query.
   */
  forOthersToo(): SharedTicket
  /** Waits for such a task. Rejects with its error, or `cancelled` as soon as this query ends. */
  waitFor<T>(shared: Promise<T>): Promise<T>
  /** Cancels queued tasks at once and running ones at their next check of the flag. If that comes late, the worker is killed. */
  stop(): void
  /** Calls once the query's admission ends; at once if it has ended. */
  whenReleased(work: () => void): void
  /** Ends the query's admission. Tasks that still run are cancelled as by `stop`, with more time before a worker is killed. */
  release(): void
}

/** Runs a task that several queries wait for. Who knows that none does any more has to stop it. */
export type SharedTicket = Pick<Ticket, 'cancel' | 'run' | 'stop'>
