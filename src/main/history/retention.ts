import { startRepeatedJob } from '../jobs/repeated-job.ts'
import type { SqliteDatabase } from '../sqlite/open-database.ts'
import { type Deleted, prepareDelete } from './table.ts'
import type { Texts } from './texts.ts'

/** The part of pino's logger that is used here. */
interface ErrorLog {
  error(details: object, message: string): void
}

export interface RetentionOptions {
  /** Metrics older than this are deleted. 0: they are kept for ever. */
  readonly retentionDays: number
  /** When there are more rows, the oldest are deleted soon after. 0: any number is kept. */
  readonly maximumRows: number
  /** When the database has more bytes, the oldest rows are deleted soon after. 0: it may have any number. */
  readonly maximumBytes: number
  readonly log: ErrorLog
}

export interface Retention {
  /** To be called when rows were added, with their number. */
  added(rows: number): void
  stop(): void
}

const DAY_MS = 86_400_000

const PASS_EVERY_MS = 3_600_000

/** After so many new rows the limits are checked again. */
const PASS_EVERY_ROWS = 1000

/** Rows deleted in one transaction. It takes a few milliseconds, in which no rows are written. */
const ROWS_PER_DELETION = 200

/** Milliseconds between two deletions, in which rows are written. */
const PAUSE_MS = 50

/**
 * Prepares a function that deletes some of the metrics beyond the limits, and the texts that no other metrics refer to, in one
 * transaction. It returns the number of rows deleted, 0 if there are none left, and throws SQLite's errors.
 */
export function prepareDeletion(
  database: SqliteDatabase,
  texts: Texts,
  { retentionDays, maximumRows, maximumBytes }: Omit<RetentionOptions, 'log'>,
): () => number {
  const deleteOld = prepareDelete(database, 'SELECT rowid FROM query_metrics WHERE finished_at < ? LIMIT ?')
  // Row ids increase in the order of insertion.
  const deleteFirst = prepareDelete(
    database,
    `SELECT rowid FROM query_metrics
      WHERE rowid <= (SELECT max(rowid) FROM query_metrics) - ? ORDER BY rowid LIMIT ?`,
  )
  const usedBytes = database
    .prepare<[], number>(
      `SELECT (page_count - freelist_count) * page_size
      FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
    )
    .pluck()
  const released = ({ rows, references }: Deleted): number => {
    texts.release(references)
    return rows
  }
  const deleteSome = database.transaction((): number => {
    const old = retentionDays === 0 ? 0 : Date.now() - retentionDays * DAY_MS
    const rows = released(deleteOld(old, ROWS_PER_DELETION))
    if (rows > 0) return rows
    if (maximumBytes > 0 && (usedBytes.get() ?? 0) > maximumBytes)
      return released(deleteFirst(0, ROWS_PER_DELETION))
    return maximumRows === 0 ? 0 : released(deleteFirst(maximumRows, ROWS_PER_DELETION))
  })
  return deleteSome.immediate
}

/**
 * Deletes metrics beyond the limits, a few at a time: now, every hour, and after many new rows. SQLite uses their pages of the
 * file again. It does not keep the process running.
 */
export function startRetention(database: SqliteDatabase, texts: Texts, options: RetentionOptions): Retention {
  const deleteSome = prepareDeletion(database, texts, options)
  let addedRows = 0
  const job = startRepeatedJob({
    step() {
      addedRows = 0
      try {
        return deleteSome() > 0
      } catch (error) {
        options.log.error({ err: error }, 'old query metrics could not be deleted')
        return false
      }
    },
    pauseMs: PAUSE_MS,
    intervalMs: PASS_EVERY_MS,
  })
  return {
    added(rows) {
      const before = addedRows
      addedRows += rows
      if (before < PASS_EVERY_ROWS && addedRows >= PASS_EVERY_ROWS) job.runSoon()
    },
    stop: job.stop,
  }
}
