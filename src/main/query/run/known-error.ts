import { isServiceError, ServiceError, toErrorData } from '../../../plan/errors.ts'

/** The error itself if it has a code, else an `internal` one with the error as its cause. */
export function knownError(error: unknown): ServiceError {
  if (isServiceError(error)) return error
  return new ServiceError('internal', toErrorData(error).message, { cause: error })
}
