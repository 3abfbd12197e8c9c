import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import { placeIn } from '../../../plan/place.ts'

/** Why the core declines a query, which DuckDB then runs. */
export interface Reason {
  /** What the core does not run. */
  readonly what: string
  /** Where that is in the statement, in UTF-16 units from its beginning. Null: not at one position, or not known. */
  readonly at: number | null
  /** The name that no column has. Absent: it is another reason. */
  readonly column?: string
}

/** Declines the query for the core: DuckDB either runs it or reports what is wrong with it. Always throws. */
export function decline(what: string, at: number | null = null, column?: string): never {
  const reason: Reason = { what, at, ...(column !== undefined && { column }) }
  throw new ServiceError('not_supported', what, { cause: reason })
}

/** What the core has made of a query, or why it has declined it. */
export type Declinable<T> = { readonly done: T } | { readonly reason: Reason }

/** The result of work that may call `decline`. Other errors are thrown on. */
export function orDeclined<T>(work: () => T): Declinable<T> {
  try {
    return { done: work() }
  } catch (error) {
    if (isServiceError(error) && isReason(error.cause)) return { reason: error.cause }
    throw error
  }
}

/** As `orDeclined`, for work that waits. */
export async function orDeclinedLater<T>(work: () => Promise<T>): Promise<Declinable<T>> {
  try {
    return { done: await work() }
  } catch (error) {
    return orDeclined(() => {
      throw error
    })
  }
}

function isReason(cause: unknown): cause is Reason {
  return typeof cause === 'object' && cause !== null && 'what' in cause && 'at' in cause
}

/** The most characters of a reason that are printed. */
const MOST_CHARS = 200

/** A reason with its position in the statement, as EXPLAIN prints it: `a join (line 2, column 7)`. */
export function printReason({ what, at }: Reason, sql: string): string {
  return at === null ? shorten(what) : `${shorten(what)} (${placeIn(sql, at)})`
}

function shorten(text: string): string {
  return text.length <= MOST_CHARS ? text : `${text.slice(0, MOST_CHARS)}…`
}
