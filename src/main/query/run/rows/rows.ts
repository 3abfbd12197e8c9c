import type { Encoding } from '../../../../plan/task/encoding.ts'
import type { Part } from '../../../../plan/task/part.ts'
import type { Scheduler } from '../../../dispatch/scheduler.ts'
import type { Ticket } from '../../../dispatch/ticket.ts'
import { statementRows } from '../../../sql/duckdb/cursor.ts'
import type { PreparedStatement } from '../../../sql/duckdb/prepare-statement.ts'
import type { UnitRequest } from '../../plan/unit-request.ts'
import { inOrder } from '../../plan/unit-sequence.ts'
import type { OnAnswer } from '../../source/on-answer.ts'
import type { PreparedQuery } from '../prepare.ts'
import type { Holding } from './budget.ts'
import { finishedRows } from './finished-rows.ts'
import { orderedScan } from './ordered-scan.ts'
import { readAheadShare } from './read-ahead.ts'

/** What the rows of a prepared query are read with. */
export interface RowsOptions {
  /** Identifies the query in workers. */
  readonly id: string
  readonly encoding: Encoding
  readonly ticket: Ticket
  readonly scheduler: Scheduler
  readonly onAnswer: OnAnswer
  /** The most bytes of partials that main holds for the query. */
  readonly partialBytes: number
  /** The bytes that the query holds, which count towards the limit of all queries together. */
  readonly holding: Holding
  /** See `FinishedRowsOptions`. */
  readonly mergeBytes?: number
  /** Prepares a statement again that has lost its engine. */
  renew(statement: PreparedStatement): Promise<PreparedStatement>
  /** Called with the number of units that need not be read after all. */
  onPruned(units: number): void
  /** Called after each `cursorIdleMs` in which nobody has taken the next rows of a statement. */
  onIdle(): void
  /** How long a statement waits for a client that does not read. */
  readonly cursorIdleMs: number
}

/**
 * Reads the rows of a prepared query, in their order, as encoded parts. Closing the generator does not stop tasks:
 * `ticket.stop()` does.
 */
export function rowsOf(prepared: PreparedQuery, options: RowsOptions): AsyncGenerator<Part, void, undefined> {
  const { id, encoding, ticket, scheduler, onAnswer, onIdle } = options
  const { workers } = scheduler
  if ('lease' in prepared) {
    const { cursorIdleMs: idleMs, renew } = options
    return statementRows(prepared, renew, { workers, encoding, ticket, onAnswer, onIdle, idleMs })
  }
  const { reduced, fragment, units, skip } = prepared
  const readAheadBytes = (): number => readAheadShare(scheduler.active)
  if (fragment.kind !== 'rows') return finishedRows(prepared, { ...options, workers, readAheadBytes })
  const { files, limit, scan } = reduced
  const requestOf = (): UnitRequest => ({ scan, fragment, more: [] })
  const scanned = { files, units: inOrder(units), requestOf, skip, limit }
  return orderedScan({ ...scanned, id, encoding, ticket, workers, readAheadBytes, onAnswer })
}
