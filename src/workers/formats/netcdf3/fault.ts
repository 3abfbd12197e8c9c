import { ServiceError } from '../../../plan/errors.ts'

/** An error about the content of a file. Callers of the reader add the file's name. */
export function fault(what: string): ServiceError {
  return new ServiceError('unreadable_file', what)
}
