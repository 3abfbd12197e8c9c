import { isServiceError, ServiceError } from '../../../plan/errors.ts'

/** What the core does not run, and where it stands in the statement. */
export interface Reason {
  readonly what: string
  /** In UTF-16 units; null: it stands nowhere. */
  readonly at: number | null
}

/** Says that the statement is DuckDB's, which accepts it, or knows what is wrong with it. */
export function leave(what: string, at: number | null = null): never {
  throw new ServiceError('not_supported', what, { cause: { what, at } satisfies Reason })
}

export type Outcome<T> = { readonly done: T } | { readonly reason: Reason }

/** The outcome of work that may `leave`. */
export function orReason<T>(work: () => T): Outcome<T> {
  try {
    return { done: work() }
  } catch (error) {
    if (isServiceError(error) && isReason(error.cause)) return { reason: error.cause }
    throw error
  }
}

function isReason(cause: unknown): cause is Reason {
  return typeof cause === 'object' && cause !== null && 'what' in cause && 'at' in cause
}

/** Characters of a reason that are printed. */
const MOST_CHARS = 200

/** `a join (line 2, column 7)`. */
export function printReason({ what, at }: Reason, sql: string): string {
  if (at === null) return shortened(what)
  const before = sql.slice(0, at)
  const column = at - before.lastIndexOf('\n')
  return `${shortened(what)} (line ${before.split('\n').length}, column ${column})`
}

function shortened(text: string): string {
  return text.length <= MOST_CHARS ? text : `${text.slice(0, MOST_CHARS)}…`
}
