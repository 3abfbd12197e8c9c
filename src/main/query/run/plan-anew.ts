import { type ErrorCode, isServiceError } from '../../../plan/errors.ts'

/** Errors of what has changed since the query was bound: a file, or the columns of a table in another service. */
const CHANGED: ReadonlySet<ErrorCode> = new Set(['file_changed', 'table_changed'])

/**
 * Runs a query whose promise rejects only before its first row has left. If a file or a table elsewhere had changed by then, it is run once
 * more, with a plan of what is there now. If that fails too, its error counts.
 */
export async function planAnew<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!isServiceError(error) || !CHANGED.has(error.code) || signal.aborted) throw error
    return await run()
  }
}
