import { isServiceError } from '../../../plan/errors.ts'

/**
 * Runs a query whose promise rejects only before its first row has left. If a file was replaced by then (`file_changed`), it is run once
 * more, with a plan of the files as they are now. If that fails too, its error counts.
 */
export async function planAnew<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'file_changed' || signal.aborted) throw error
    return await run()
  }
}
