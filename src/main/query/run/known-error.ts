import { isServiceError, ServiceError, toErrorData } from '../../../plan/errors.ts'
import { placeIn } from '../../../plan/place.ts'
import { positionInRequest, type Statement } from '../../sql/gate/gate.ts'

/** The error itself if it has a code, else an `internal` one with the error as its cause. */
export function knownError(error: unknown): ServiceError {
  if (isServiceError(error)) return error
  return new ServiceError('internal', toErrorData(error).message, { cause: error })
}

/**
 * `knownError`, with line and column if it is known where in the statement the error is. `sql` is the request from which the
 * statement was read. A JSON request has no such place, though DuckDB may run a statement for it.
 */
export function locatedError(error: unknown, sql: string, statement: Statement): ServiceError {
  const known = knownError(error)
  const { code, message, at } = known
  if (at === undefined) return known
  const place = placeIn(sql, positionInRequest(sql, statement, at))
  return new ServiceError(code, `sql, ${place}: ${message}`, { cause: known })
}
