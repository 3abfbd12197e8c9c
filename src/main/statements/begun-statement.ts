import { randomUUID } from 'node:crypto'
import type { ServiceError } from '../../plan/errors.ts'
import type { Caller } from '../auth/caller.ts'
import { createFigures, type Figures } from '../history/figures.ts'
import type { QueryMetrics } from '../history/query-metrics.ts'
import { shortenedText } from '../history/shortened.ts'
import { jsonForMetrics, measuredMetrics } from '../query/run/metrics-record.ts'
import { logQuery, NOT_SHOWN, type QueryOutcome } from '../query/run/query-log.ts'
import { toServiceError } from '../query/run/to-service-error.ts'
import type { StatementNode } from '../sql/grammar/node.ts'
import { printStatement } from '../sql/grammar/print-statement.ts'
import { mentionsPassword } from '../sql/text/mentions-password.ts'
import type { StatementOptions } from './context.ts'
import { isCommand, isTableCommand } from './run-node.ts'

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
  // Where a query or a text stands in a statement, a statement with a password may stand by mistake.
  const hasQuery = !isCommand(node) || isTableCommand(node)
  const isShown = !hasQuery || !mentionsPassword(printed)
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

/** The metrics of a command that has just ended. `printed` is its text as its node prints it. */
export function commandMetrics(
  queryId: string,
  caller: Caller,
  printed: string,
  figures: Figures,
): QueryMetrics {
  const request = { sql: printed, output: null }
  const plan = [{ Plan: { 'Node Type': OPERATOR, Details: printed, Plans: [] } }]
  const planJson = jsonForMetrics(JSON.stringify(plan), plan)
  return {
    ...measuredMetrics(queryId, caller, figures),
    query: jsonForMetrics(JSON.stringify(request), request),
    filePaths: [],
    parsedPlan: planJson,
    optimizedPlan: planJson,
    nodeMetrics: { operator: OPERATOR, metrics: { output_rows: 0 }, children: [] },
  }
}

const OPERATOR = 'Command'
