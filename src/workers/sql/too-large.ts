import { isServiceError, ServiceError } from '../../plan/errors.ts'
import type { AdvisedStatement } from './duck-advice.ts'
import { memoryAdvice } from './memory-advice.ts'

/**
 * The `ServiceError` for a failure of DuckDB because a statement is too large: the stack of the thread is used up, an
 * allocation has failed that DuckDB does not check, or a size is beyond 32 bits. Any other error is returned as it is.
 */
export function asTooLarge(
  thrown: unknown,
  statement: Pick<AdvisedStatement, 'sql' | 'definitions'>,
): unknown {
  const error = firstOf(thrown)
  if (error instanceof RangeError && error.message.includes('call stack'))
    return new ServiceError('invalid_sql', 'The statement is nested too deeply.', { cause: error })
  const isTrap = error instanceof WebAssembly.RuntimeError
  const isUnallocated = isServiceError(error) && /allocation failure|yyjson failed/.test(error.message)
  if (!isTrap && !(isUnallocated && error.code === 'internal')) return thrown
  return new ServiceError(
    'memory_limit',
    `The statement, or a value that it makes, is too large for DuckDB.${memoryAdvice(statement)}`,
    {
      cause: error,
    },
  )
}

/** The original error. After a failure of DuckDB, disposing of its objects fails too, and suppresses the error before it. */
function firstOf(thrown: unknown): unknown {
  return thrown instanceof SuppressedError ? firstOf(thrown.suppressed) : thrown
}
