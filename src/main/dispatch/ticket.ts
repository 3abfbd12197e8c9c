import type { Answer, Task } from '../../plan/task/task.ts'
import type { Work } from './affinity.ts'
import type { Placement, TaskOutcome } from './job.ts'

/** One query's place in the pool. */
export interface Ticket {
  /** The query's cancel flag, for its tasks. */
  readonly cancel: SharedArrayBuffer
  /** The same of what is kept between queries. */
  readonly caching: boolean
  /**
   * Runs a task when it is the query's turn: on a preferred worker unless they stay busy for longer than the patience,
   * on no other one at all, or, of a unit, best where it was decoded last. Rejects with the error of a failed answer,
   * `worker_lost`, or `cancelled`.
   */
  run<A extends Exclude<Answer, { kind: 'failed' }>>(
    task: Task,
    placement?: Placement,
  ): Promise<TaskOutcome<A>>
  /** Whether a task is quick, so that many may be asked for at once: they go to the workers together. */
  isQuick(work: Omit<Work, 'caching'>): boolean
  /** Stops the query's work: queued tasks at once, running ones at their next check, or with their worker. */
  stop(): void
  /** Gives the place back. Tasks that still run end at their next check; one that looks stuck loses its worker. */
  release(): void
}
