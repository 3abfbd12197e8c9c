import { isServiceError, ServiceError } from '../../../plan/errors.ts'

/** The one error for paths under rules, whether they may not be read or lead to nothing: who may not read a file is not told of it. */
export function refusalOf(paths: readonly string[]): ServiceError {
  return new ServiceError(
    'permission_denied',
    `permission denied: SELECT on path ${print(paths)}, or no file matches`,
  )
}

/**
 * The error of a search under rules as the caller gets it: without anything of what is there. `isGranted`: all that may be found may be read, and so may be
 * known.
 */
export function hideUnderRules(error: unknown, paths: readonly string[], isGranted: boolean): unknown {
  if (!isServiceError(error)) return error
  switch (error.code) {
    case 'no_files':
    case 'invalid_path':
      return refusalOf(paths)
    case 'unreadable_file':
    case 'file_changed':
      return isGranted ? error : refusalOf(paths)
    case 'path_unavailable':
      return isGranted ? error : unavailable(paths)
    default:
      return error
  }
}

/** `path_unavailable` without the names of files. */
function unavailable(paths: readonly string[]): ServiceError {
  return new ServiceError(
    'path_unavailable',
    `The file system of ${print(paths)} does not answer; ask again later.`,
  )
}

function print(paths: readonly string[]): string {
  return paths.map((path) => JSON.stringify(path)).join(', ')
}
