import type { Catalog } from '../catalog/open.ts'
import { type Deleted, prepareDelete } from './table.ts'
import type { Texts } from './texts.ts'

/** The part of pino's logger that is needed here. */
export interface ErrorLog {
  error(details: object, message: string): void
}

export interface RetentionOptions {
  /** Metrics older than this are deleted; 0 keeps them for ever. */
  readonly retentionDays: number
  /** Of more than these the oldest are deleted, a little later; 0 keeps any number. */
  readonly maximumRows: number
  /** When the database has more, the oldest are deleted, a little later; 0 lets it have any number. */
  readonly maximumBytes: number
  readonly log: ErrorLog
}

export interface Retention {
  /** So many rows have been added. */
  added(rows: number): void
  stop(): void
}

const DAY_MS = 86_400_000

const PASS_EVERY_MS = 3_600_000

/** After so many new rows it is looked again whether there are too many. */
const PASS_EVERY_ROWS = 1000

/** Rows deleted in one go: a few milliseconds in which none are written. */
const DELETED_AT_ONCE = 200

/** Between two goes, for what is to be written. */
const PAUSE_MS = 50

/**
 * Makes what deletes a few of the metrics that are no longer kept, with the texts that nobody else refers to, in one transaction,
 * and gives their number; 0: there are none left. It throws SQLite's errors.
 */
export function prepareDeletion(
  catalog: Catalog,
  texts: Texts,
  { retentionDays, maximumRows, maximumBytes }: Omit<RetentionOptions, 'log'>,
): () => number {
  const deleteOld = prepareDelete(catalog, 'SELECT rowid FROM query_metrics WHERE finished_at < ? LIMIT ?')
  // Rows are numbered as they are added.
  const deleteFirst = prepareDelete(
    catalog,
    `SELECT rowid FROM query_metrics
      WHERE rowid <= (SELECT max(rowid) FROM query_metrics) - ? ORDER BY rowid LIMIT ?`,
  )
  const usedBytes = catalog
    .prepare<[], number>(
      `SELECT (page_count - freelist_count) * page_size
      FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
    )
    .pluck()
  const released = ({ rows, references }: Deleted): number => {
    texts.release(references)
    return rows
  }
  const deleteSome = catalog.transaction((): number => {
    const old = retentionDays === 0 ? 0 : Date.now() - retentionDays * DAY_MS
    const rows = released(deleteOld(old, DELETED_AT_ONCE))
    if (rows > 0) return rows
    if (maximumBytes > 0 && (usedBytes.get() ?? 0) > maximumBytes)
      return released(deleteFirst(0, DELETED_AT_ONCE))
    return maximumRows === 0 ? 0 : released(deleteFirst(maximumRows, DELETED_AT_ONCE))
  })
  return deleteSome.immediate
}

/**
 * Deletes metrics, a few at a time: now, every hour, and after many new ones. Their pages of the file are used again. Holds no
 * process open.
 */
export function startRetention(catalog: Catalog, texts: Texts, options: RetentionOptions): Retention {
  const deleteSome = prepareDeletion(catalog, texts, options)
  let addedRows = 0
  let timer: NodeJS.Timeout
  const pass = (): void => {
    addedRows = 0
    let rows = 0
    try {
      rows = deleteSome()
    } catch (error) {
      options.log.error({ err: error }, 'old query metrics could not be deleted')
    }
    schedule(rows > 0 ? PAUSE_MS : PASS_EVERY_MS)
  }
  const schedule = (ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(pass, ms).unref()
  }
  schedule(PAUSE_MS)
  return {
    added(rows) {
      const before = addedRows
      addedRows += rows
      if (before < PASS_EVERY_ROWS && addedRows >= PASS_EVERY_ROWS) schedule(PAUSE_MS)
    },
    stop: () => clearTimeout(timer),
  }
}
