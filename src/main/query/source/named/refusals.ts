import { type ErrorCode, isServiceError, ServiceError } from '../../../../plan/errors.ts'
import type { Rights } from '../../../auth/rights/rights.ts'

/**
 * The error for a table or a view that the caller may not read, and for one that is not there: nobody learns which of them it is. It has no
 * place in the statement, and no hint.
 * @param name As the caller has written it.
 */
export function refusedTable(name: string): ServiceError {
  return new ServiceError(
    'permission_denied',
    `permission denied: SELECT on table ${JSON.stringify(name)}, or there is no such table`,
  )
}

/** Errors for what the caller may not read, or what is not there. */
export const REFUSALS: ReadonlySet<ErrorCode> = new Set(['permission_denied', 'unknown_table'])

/**
 * The error of a query that reads a view. Where rules have an effect, an error about what is below the view is one about the view: it
 * would tell what the view reads.
 * @param view As the caller has written its name. Null: the query names no view.
 */
export function errorBelow(view: string | null, { isEverything }: Rights, error: unknown): unknown {
  if (isEverything || view === null || !isServiceError(error)) return error
  if (error.code === 'path_unavailable')
    return new ServiceError(
      'path_unavailable',
      `A file system that the view ${JSON.stringify(view)} needs does not answer; ask again later.`,
    )
  return REFUSALS.has(error.code) ? refusedTable(view) : error
}

/** Reads a view, with such errors. */
export async function readingView<T>(
  view: string | null,
  rights: Rights,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw errorBelow(view, rights, error)
  }
}
