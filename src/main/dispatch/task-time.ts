import { ServiceError } from '../../plan/errors.ts'
import type { Task } from '../../plan/task/task.ts'
import type { PoolLimits } from './pool-limits.ts'
import type { QueuedTask } from './queued-task.ts'

/** A task of at most so many decoded bytes, as estimated, is small: some 15 ms of work. */
const SMALL_BYTES = 8 << 20

/**
 * Milliseconds of CPU time that a stopped statement gets to see its cancel flag before its engine is terminated. This included, it
 * stays under the 100 ms within which a query has to stop.
 */
export const STATEMENT_GRACE_MS = 60

/**
 * The same for all other tasks, and for tasks left over when a query ends. They end by themselves and nobody waits for them,
 * while other queries would lose the worker's cached columns, or the engine's statements.
 */
export const TASK_GRACE_MS = 1000

/** Whether the task runs a statement. */
function isRunning({ kind }: Pick<Task, 'kind'>): boolean {
  return kind === 'sql_open' || kind === 'sql_pull'
}

/**
 * Whether a task may be sent to a worker that runs others, to wait there. It may if all of them are quick: if the worker is
 * lost they are run again. It may also if all are small and of one query, and no other query waits (`isAlone`).
 */
export function mayFollow<J extends QueuedTask & { readonly ticket: unknown }>(
  running: readonly J[],
  queued: J,
  isOnlyQuery: boolean,
): boolean {
  if (running.length === 0 || areQuick([...running, queued])) return true
  return (
    isOnlyQuery && isSmall(queued) && running.every((each) => each.ticket === queued.ticket && isSmall(each))
  )
}

export function areQuick(queuedTasks: readonly QueuedTask[]): boolean {
  return queuedTasks.every(({ quickMs }) => quickMs !== undefined)
}

function isSmall({ task, quickMs }: QueuedTask): boolean {
  if (quickMs !== undefined) return true
  if (task.kind !== 'scan') return task.kind === 'inspect'
  return [task, ...task.more].reduce((sum, { unit }) => sum + unit.decodedBytes, 0) <= SMALL_BYTES
}

/** The error of a task beyond its time limit. A statement may be slow by itself. With any other task the worker hangs. */
export function tookTooLong(
  task: Task,
  { taskMs, statementMs }: Pick<PoolLimits, 'taskMs' | 'statementMs'>,
): ServiceError {
  if (task.kind === 'sql_prepare')
    return new ServiceError('time_limit', `The statement could not be planned within ${taskMs / 1000} s.`)
  if (isRunning(task)) return workedTooLong(statementMs)
  return new ServiceError(
    'worker_lost',
    `The worker took longer than ${taskMs} ms for one piece of the query.`,
  )
}

/** The error of a statement that has worked for as long as all of its tasks together may take. */
export function workedTooLong(limitMs: number): ServiceError {
  return new ServiceError(
    'time_limit',
    `The statement has worked for ${limitMs / 1000} s without coming to its end; ask for less, or raise SERVICE_STATEMENT_TIMEOUT_SECS.`,
  )
}

export function cancelled(): ServiceError {
  return new ServiceError('cancelled', 'The query was cancelled.')
}

export function workerLost(cause: unknown): ServiceError {
  return new ServiceError('worker_lost', 'The worker that ran the query died; try again.', { cause })
}
