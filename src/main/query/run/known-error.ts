import { isServiceError, ServiceError, toErrorData } from '../../../plan/errors.ts'
import { placeIn } from '../../../plan/place.ts'
import type { QueryRequest } from '../request/request.ts'

/** The error itself if it has a code, else an `internal` one with the error as its cause. */
export function knownError(error: unknown): ServiceError {
  if (isServiceError(error)) return error
  return new ServiceError('internal', toErrorData(error).message, { cause: error })
}

/**
 * `knownError`, with line and column if it is known where in the statement of the request the error is. `start` is where the
 * statement begins in the request's SQL. A JSON request has no such place, though DuckDB may run a statement for it.
 */
export function locatedError(error: unknown, request: QueryRequest, start: number): ServiceError {
  const known = knownError(error)
  const { code, message, at } = known
  if (request.kind !== 'sql' || at === undefined) return known
  return new ServiceError(code, `sql, ${placeIn(request.sql, start + at)}: ${message}`, { cause: known })
}
