import { randomUUID } from 'node:crypto'
import type { ServiceError } from '../../plan/errors.ts'
import type { Caller } from '../auth/caller.ts'
import { createFigures } from '../history/figures.ts'
import { shortenedText } from '../history/shortened.ts'
import { logQuery, NOT_SHOWN, type QueryOutcome } from '../query/run/query-log.ts'
import { toServiceError } from '../query/run/to-service-error.ts'
import type { StatementNode } from '../sql/grammar/node.ts'
import { printStatement } from '../sql/grammar/print-statement.ts'
import { mentionsPassword } from '../sql/text/mentions-password.ts'
import { commandMetrics } from './command-metrics.ts'
import type { StatementOptions } from './context.ts'
import { isAccountCommand } from './run-node.ts'

/** A statement that has begun. Log and metrics keep what its node prints, not the text that was sent. */
export interface BegunStatement {
  readonly id: string
  /** The statement as its node prints it. */
  readonly printed: string
  /** Ends a command, with so many bytes of answer. */
  done(bytes: number): void
  /** Ends the statement with an error, and returns that as it is answered. */
  fail(error: unknown): ServiceError
}

export function beginStatement(
  { log, metrics }: Pick<StatementOptions, 'log' | 'metrics'>,
  node: StatementNode,
  caller: Caller,
): BegunStatement {
  const id = randomUUID()
  const printed = printStatement(node)
  // Where a query stands in a statement, a statement with a password may stand by mistake.
  const isShown = isAccountCommand(node) || !mentionsPassword(printed)
  const statement = isShown ? shortenedText(printed) : NOT_SHOWN
  const figures = createFigures()
  const end = (outcome: QueryOutcome, error?: unknown): void =>
    logQuery(log, { id, caller, figures, notices: NO_NOTICES, outcome, statement, error })
  return {
    id,
    printed,
    done(bytes) {
      figures.bytes = bytes
      // The answer does not wait until its metrics are committed.
      metrics.record(commandMetrics(id, caller, printed, figures))
      end('done')
    },
    fail(error) {
      const serviceError = toServiceError(error)
      if (serviceError.code === 'cancelled') end('cancelled')
      else end('failed', serviceError)
      return serviceError
    },
  }
}

const NO_NOTICES: ReadonlySet<string> = new Set()
