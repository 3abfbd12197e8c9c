import { isServiceError, ServiceError } from '../../plan/errors.ts'
import type { AdvisedStatement } from './duck-advice.ts'

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

/** Aggregates that keep all values of a group until its end. */
const KEEPING_ALL = /\b(median|quantile(?:_cont|_disc)?|percentile_(?:cont|disc))"?\s*\(/i

/** What to write instead in a statement that has no memory left. Empty: nothing is known. */
export function memoryAdvice({ sql, definitions }: Pick<AdvisedStatement, 'sql' | 'definitions'>): string {
  const texts = [sql, ...definitions.map(({ query }) => query ?? '')]
  const name = texts.map((text) => KEEPING_ALL.exec(text)?.[1]).find((match) => match !== undefined)
  if (name === undefined) return ''
  const called = name.toLowerCase()
  const instead = `approx_quantile(x, ${called === 'median' ? '0.5' : 'q'})`
  return ` ${called} keeps all values until its group ends; ${instead} keeps a digest of them, which takes little memory.`
}
