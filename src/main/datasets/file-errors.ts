import { isServiceError, ServiceError } from '../../plan/errors.ts'

const MISSING: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'])

/** Whether a failed call says that there is nothing at that path. */
export function isMissing(error: unknown): boolean {
  return MISSING.has((error as NodeJS.ErrnoException).code)
}

/** `unreadable_file`, with the path as the user knows it: the system's own message has the absolute one. */
export function cannotOpen(path: string, cause: unknown): ServiceError {
  if (isServiceError(cause)) return cause
  const { code = 'unknown error' } = cause as NodeJS.ErrnoException
  return new ServiceError('unreadable_file', `${path} cannot be opened (${code}).`, { cause })
}
