import type { Logger } from 'pino'
import { isServiceError, toErrorData } from '../../../plan/errors.ts'
import type { Caller } from '../../auth/caller.ts'
import type { Figures } from '../../metrics/figures.ts'

/** A query that has ended, however it did. */
export interface EndedQuery {
  readonly id: string
  readonly caller: Caller
  readonly figures: Figures
  readonly outcome: QueryOutcome
  /** Why it failed. */
  readonly error?: unknown
}

export type QueryOutcome = 'done' | 'failed' | 'cancelled' | 'explained'

/** One line a query; an error of ours is a warning with its cause. */
export function logQuery(log: Logger, { id, caller, figures, outcome, error }: EndedQuery): void {
  const line = {
    query: id,
    user: caller.principal.name,
    outcome,
    durationMs: Math.round(performance.now() - figures.startedAt),
    rows: figures.rows,
    bytes: figures.bytes,
    ...(error === undefined ? {} : toErrorData(error)),
  }
  if (error !== undefined && (!isServiceError(error) || error.status >= 500))
    log.warn({ ...line, err: error }, 'query')
  else log.info(line, 'query')
}
