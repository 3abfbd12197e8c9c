import { isServiceError, ServiceError } from '../../plan/errors.ts'
import type { ReadContext } from '../formats/provider.ts'
import type { WorkerState } from './worker-state.ts'

/** Runs `work`. If memory runs out, frees what is cached and runs it again: no query must fail because of caches. */
export function withMemory<T>(
  state: WorkerState,
  { stopwatch }: Pick<ReadContext, 'stopwatch'>,
  work: () => T,
): T {
  try {
    return work()
  } catch (error) {
    if (!isShort(error) || !state.reclaim(Number.POSITIVE_INFINITY, stopwatch)) throw error
    return work()
  }
}

/**
 * Runs work that may need all groups, or all rows of a sort, in memory. A `memory_limit` error says what to do.
 */
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
