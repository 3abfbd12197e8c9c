import { inspect } from 'node:util'
import type { Logger } from 'pino'
import { type ErrorData, isServiceError, toErrorData } from '../../../plan/errors.ts'
import type { Caller } from '../../auth/caller.ts'
import { sourceOf } from '../../auth/principal.ts'
import type { Figures } from '../../history/figures.ts'
import { mentionsPassword } from '../../sql/text/mentions-password.ts'
import { printNotices } from '../source/notices.ts'

/** A query that has ended, with success or without. */
export interface EndedQuery {
  readonly id: string
  readonly caller: Caller
  readonly figures: Figures
  readonly notices: ReadonlySet<string>
  readonly outcome: QueryOutcome
  /** The text of a statement that is no query. Absent: it is a query, whose text is in its metrics. */
  readonly statement?: string
  /** The error with which it failed. */
  readonly error?: unknown
}

export type QueryOutcome = 'done' | 'failed' | 'cancelled' | 'explained'

/** Writes one line to the log. An error of the service, not of the request, is a warning with its cause. */
export function logQuery(log: Logger, ended: EndedQuery): void {
  const { id, caller, figures, notices, outcome, statement, error } = ended
  const line = {
    query: id,
    user: caller.principal.name,
    userSource: sourceOf(caller.principal),
    outcome,
    ...(statement === undefined ? {} : { statement }),
    durationMs: Math.round(performance.now() - figures.startedAt),
    rows: figures.rows,
    bytes: figures.bytes,
    ...(notices.size === 0 ? {} : { notice: printNotices(notices) }),
    ...(error === undefined ? {} : loggedError(error)),
  }
  if (error !== undefined && (!isServiceError(error) || error.status >= 500))
    log.warn({ ...line, ...(mentionsPassword(inspect(error)) ? {} : { err: error }) }, 'query')
  else log.info(line, 'query')
}

/** An error may quote its query, in which there may be a statement with a password by mistake. */
function loggedError(error: unknown): ErrorData {
  const data = toErrorData(error)
  return mentionsPassword(data.message) ? { code: data.code, message: NOT_SHOWN } : data
}

/** Stands in place of a text that may have a password. */
export const NOT_SHOWN = 'not shown, because it may have a password or a secret'
