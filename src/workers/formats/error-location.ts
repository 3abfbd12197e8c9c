import { isServiceError, ServiceError } from '../../plan/errors.ts'
import type { Store } from '../store/store.ts'

/**
 * Runs `work` and puts the location in front of the message of an error that it throws about the file (`unreadable_file`,
 * `memory_limit`). A `RangeError` becomes an `unreadable_file` too: it is what JavaScript throws for a position outside a
 * buffer or an impossible length, and those numbers come from the file.
 */
export function locateErrors<T>(location: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (cause instanceof RangeError)
      throw new ServiceError('unreadable_file', `${location}: the file is damaged (${cause.message})`, {
        cause,
      })
    if (isServiceError(cause) && (cause.code === 'unreadable_file' || cause.code === 'memory_limit'))
      throw new ServiceError(cause.code, `${location}: ${cause.message}`, { cause })
    throw cause
  }
}

/**
 * As `locateErrors`, with the file and its format as the location. Throws `file_changed` instead of an `unreadable_file` if
 * the file is no longer the version that was planned.
 */
export function locateErrorsInFile<T>(store: Store, format: string, work: () => T): T {
  try {
    return locateErrors(unreadable(store.file.path, format), work)
  } catch (error) {
    if (isServiceError(error) && error.code === 'unreadable_file') store.verify()
    throw error
  }
}

/** How messages name a file that cannot be read as the format. */
export function unreadable(path: string, format: string): string {
  return `"${path}" cannot be read as ${format}`
}
