import { isServiceError } from '../../../plan/errors.ts'

/**
 * Reads statistics or an index, which only serve to read fewer rows. Null if they are damaged (`unreadable_file`): the query
 * then reads the rows that they might have ruled out.
 */
export function unlessDamaged<T>(read: () => T | null): T | null {
  try {
    return read()
  } catch (error) {
    if (isServiceError(error) && error.code === 'unreadable_file') return null
    throw error
  }
}
