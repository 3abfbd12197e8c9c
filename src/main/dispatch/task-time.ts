import { ServiceError } from '../../plan/errors.ts'
import type { Task } from '../../plan/task/task.ts'
import type { Job } from './job.ts'

/** Estimated decoded bytes of a task that another may wait behind in its worker, or that may wait: some 15 ms of work. */
const FOLLOWED_BYTES = 8 << 20

/** Milliseconds a running statement gets to see its cancel flag. With the kill it stays under the 100 ms that we promise. */
const CANCEL_GRACE_MS = 60

/**
 * What `CANCEL_GRACE_MS` is for all other tasks, and for all that ran ahead of a query that has ended: they end by themselves,
 * nobody waits for them, and a kill costs other queries the statements and columns that the worker has.
 */
const LEAVE_GRACE_MS = 1000

/** How long a task may go on when its query is over. `isAwaited`: that was stopped before its end. Milliseconds. */
export function graceMs({ kind }: Task, isAwaited: boolean): number {
  const isOfStatement = kind === 'sql_prepare' || isRunning({ kind })
  return isAwaited && isOfStatement ? CANCEL_GRACE_MS : LEAVE_GRACE_MS
}

/** Whether the task runs a statement, which may go through all of its input before its first row. */
export function isRunning({ kind }: Pick<Task, 'kind'>): boolean {
  return kind === 'sql_open' || kind === 'sql_pull'
}

/**
 * Whether a job may wait in a worker behind others: nobody waits long for any of them. They are all quick, so that the loss of
 * the worker costs none of them more than another turn; or all of one query, and no other one waits.
 */
export function mayFollow<J extends Job & { readonly ticket: unknown }>(
  running: readonly J[],
  job: J,
  isAlone: boolean,
): boolean {
  if (running.length === 0 || areQuick([...running, job])) return true
  return isAlone && isSmall(job) && running.every((each) => each.ticket === job.ticket && isSmall(each))
}

export function areQuick(jobs: readonly Job[]): boolean {
  return jobs.every(({ quickMs }) => quickMs !== undefined)
}

function isSmall({ task, quickMs }: Job): boolean {
  if (quickMs !== undefined) return true
  if (task.kind !== 'scan') return task.kind === 'inspect'
  return [task, ...task.more].reduce((sum, { unit }) => sum + unit.decodedBytes, 0) <= FOLLOWED_BYTES
}

/** A statement takes its time each time it is asked; of a unit that takes so long the worker is taken to hang. */
export function tookTooLong(task: Task, limitMs: number): ServiceError {
  if (task.kind === 'sql_prepare')
    return new ServiceError('time_limit', `The statement could not be planned within ${limitMs / 1000} s.`)
  if (isRunning(task))
    return new ServiceError('time_limit', `The statement gave no row for ${limitMs / 1000} s.`)
  return new ServiceError(
    'worker_lost',
    `The worker took longer than ${limitMs} ms for one piece of the query.`,
  )
}

export function cancelled(): ServiceError {
  return new ServiceError('cancelled', 'The query was cancelled.')
}

export function workerLost(cause: unknown): ServiceError {
  return new ServiceError('worker_lost', 'The worker that ran the query died; try again.', { cause })
}
