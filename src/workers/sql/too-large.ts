import { isServiceError, ServiceError } from '../../plan/errors.ts'

/**
 * What ends DuckDB under a statement that is too large for it: the thread's stack is used up, or memory that it takes for
 * granted is not there, or more than an address of 32 bits can tell was wanted. Anything else stays as it is.
 */
export function asTooLarge(thrown: unknown): unknown {
  const error = firstOf(thrown)
  if (error instanceof RangeError && error.message.includes('call stack'))
    return new ServiceError('invalid_sql', 'The statement is nested too deeply.', { cause: error })
  const isTrap = error instanceof WebAssembly.RuntimeError
  const isUnallocated = isServiceError(error) && /allocation failure|yyjson failed/.test(error.message)
  if (!isTrap && !(isUnallocated && error.code === 'internal')) return thrown
  return new ServiceError(
    'memory_limit',
    'The statement, or a value that it makes, is too large for DuckDB.',
    {
      cause: error,
    },
  )
}

/** What ends with a block is ended after an error too, and in an instance that has failed that fails as well. */
function firstOf(thrown: unknown): unknown {
  return thrown instanceof SuppressedError ? firstOf(thrown.suppressed) : thrown
}
