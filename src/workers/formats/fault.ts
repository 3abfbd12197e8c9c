import { ServiceError } from '../../plan/errors.ts'

/** An error about the content of a file. Callers add the name of the file, and of the array. */
export function fault(what: string, options?: ErrorOptions): ServiceError {
  return new ServiceError('unreadable_file', what, options)
}
