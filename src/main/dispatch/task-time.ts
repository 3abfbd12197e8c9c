import { ServiceError } from '../../plan/errors.ts'
import type { Task } from '../../plan/task.ts'

/** Estimated decoded bytes of a task that another may wait behind in its worker, or that may wait: some 15 ms of work. */
const FOLLOWED_BYTES = 8 << 20

export function isOfStatement({ kind }: Task): boolean {
  return kind === 'sql_prepare' || isRunning({ kind })
}

/** Whether the task runs a statement, which may go through all of its input before its first row. */
export function isRunning({ kind }: Pick<Task, 'kind'>): boolean {
  return kind === 'sql_open' || kind === 'sql_pull'
}

/** Whether a task may wait in a worker behind another one of its query: both are over so soon that nobody waits long for them. */
export function mayFollow(first: Task, second: Task): boolean {
  return isSmall(first) && isSmall(second)
}

function isSmall(task: Task): boolean {
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
