import { isServiceError } from '../../../plan/errors.ts'

/** What a file says besides its rows, to read fewer of them; null where that is damaged: then all are read. */
export function reliable<T>(read: () => T | null): T | null {
  try {
    return read()
  } catch (error) {
    if (isServiceError(error) && error.code === 'unreadable_file') return null
    throw error
  }
}
