import { isServiceError, ServiceError } from '../../plan/errors.ts'
import type { ReadContext } from '../formats/provider.ts'
import type { WorkerState } from './worker-state.ts'

/** Does work, and once more where memory is short: what is kept from query to query must not be why one fails. */
export function withRoom<T>(
  state: WorkerState,
  { stopwatch }: Pick<ReadContext, 'stopwatch'>,
  work: () => T,
): T {
  try {
    return work()
  } catch (error) {
    if (!isShort(error) || !state.makeRoom(Number.POSITIVE_INFINITY, stopwatch)) throw error
    return work()
  }
}

/** Does work that may need all groups, or all sorted rows, at once; says of a `memory_limit` what to do. */
export function withAdvice<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (!isShort(cause)) throw cause
    const advice =
      'set a limit, filter more, group by columns of fewer values, or raise SERVICE_WORKER_MEMORY_MB'
    throw new ServiceError(
      'memory_limit',
      `The query needs more at once than one worker may take (${cause.message}); ${advice}.`,
      { cause },
    )
  }
}

function isShort(error: unknown): error is ServiceError {
  return isServiceError(error) && error.code === 'memory_limit'
}
