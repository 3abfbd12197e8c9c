import { ANSWER_BYTES, READ_AHEAD_BYTES } from '../../../../plan/limits.ts'
import type { Encoding } from '../../../../plan/task/encoding.ts'
import type { Part } from '../../../../plan/task/part.ts'
import type { Scheduler } from '../../../dispatch/scheduler.ts'
import type { Ticket } from '../../../dispatch/ticket.ts'
import type { SortSizes } from '../../../output/sort/sort-options.ts'
import type { TempFolder } from '../../../output/temp/temp-folder.ts'
import { statementRows } from '../../duckdb/cursor.ts'
import type { PreparedStatement } from '../../duckdb/prepare-statement.ts'
import type { OnAnswer } from '../../source/on-answer.ts'
import type { PreparedQuery } from '../options.ts'
import { batchedUnits } from './batched-units.ts'
import type { Holding } from './budget.ts'
import { finishedRows } from './finished-rows.ts'
import { orderedScan } from './ordered-scan.ts'
import { relayedRows } from './relayed-rows.ts'

/** What the rows of a prepared query are read with. */
export interface RowsOptions {
  /** Identifies the query in workers. */
  readonly id: string
  readonly encoding: Encoding
  readonly ticket: Ticket
  readonly scheduler: Scheduler
  readonly onAnswer: OnAnswer
  /** Called with the rows and the bytes of what is passed on as another service has made it. */
  readonly onRelayed?: (rows: number, bytes: number) => void
  /** The most bytes of fragments that main holds for the query. */
  readonly heldBytes: number
  /** The bytes that the query holds, which count towards the limit of all queries together. */
  readonly holding: Holding
  /** See `FinishedRowsOptions`. */
  readonly mergeBytes?: number
  readonly sortBytes?: number
  readonly sizes?: SortSizes
  readonly tempFolder: TempFolder
  /** Called with the bytes of each sorted run that is written there. */
  readonly onRunWritten?: (bytes: number) => void
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
  if (prepared.relay !== undefined) {
    const { cursorIdleMs: idleMs, onRelayed } = options
    return relayedRows(prepared.relay, {
      encoding,
      ...(onRelayed !== undefined && { onRelayed }),
      onIdle,
      idleMs,
      rowsOf: (batches, key) => rowsOf(batches, { ...options, id: `${id}/${key}` }),
    })
  }
  const { reduced, fragment, skip } = prepared
  const readAheadBytes = (): number => readAheadShare(scheduler.active)
  if (fragment.kind !== 'rows') return finishedRows(prepared, { ...options, workers, readAheadBytes })
  const { files, limit } = reduced
  const scanned = { ...batchedUnits(prepared), files, skip, limit }
  return orderedScan({ ...scanned, id, encoding, ticket, workers, readAheadBytes, onAnswer })
}

/** Bytes that all queries together may hold decoded ahead. They are divided equally among the queries. */
const TOTAL_READ_AHEAD_BYTES = 256 << 20

/** The bytes that one of `active` queries may decode ahead: at least those of one answer. */
function readAheadShare(active: number): number {
  return Math.max(ANSWER_BYTES, Math.min(READ_AHEAD_BYTES, TOTAL_READ_AHEAD_BYTES / Math.max(1, active)))
}
