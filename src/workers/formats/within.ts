import { isServiceError, ServiceError } from '../../plan/errors.ts'
import type { Store } from '../store/store.ts'

/**
 * Says where it was that something was wrong with a file. What the language throws for numbers that cannot be
 * (a position outside a buffer, an impossible length) is the file's fault too.
 */
export function within<T>(place: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (cause instanceof RangeError)
      throw new ServiceError('unreadable_file', `${place}: the file is damaged (${cause.message})`, { cause })
    if (isServiceError(cause) && (cause.code === 'unreadable_file' || cause.code === 'memory_limit'))
      throw new ServiceError(cause.code, `${place}: ${cause.message}`, { cause })
    throw cause
  }
}

/** Errors about the file name it and its format; if it has changed meanwhile, that is the error. */
export function ofFile<T>(store: Store, format: string, work: () => T): T {
  try {
    return within(unreadable(store.file.path, format), work)
  } catch (error) {
    if (isServiceError(error) && error.code === 'unreadable_file') store.verify()
    throw error
  }
}

export function unreadable(path: string, format: string): string {
  return `"${path}" cannot be read as ${format}`
}
