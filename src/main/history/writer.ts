import type { SqliteDatabase } from '../sqlite/open-database.ts'
import { type RetentionOptions, startRetention } from './retention.ts'
import type { MetricsRow } from './row.ts'
import { prepareInsert } from './table.ts'
import { createTexts } from './texts.ts'

/** Writes metrics into the database, and deletes those beyond the limits. */
export interface MetricsWriter {
  /** Commits rows in one transaction. If that fails, because the disk is full for instance, they are lost with a line in the log. */
  write(rows: readonly MetricsRow[]): void
  /** Stops the deletions. The database stays open. */
  close(): void
}

export function createMetricsWriter(database: SqliteDatabase, options: RetentionOptions): MetricsWriter {
  const insert = prepareInsert(database)
  const texts = createTexts(database)
  const insertAll = database.transaction((rows: readonly MetricsRow[]) => {
    const batch = texts.batch()
    for (const row of rows) insert(row, batch)
    batch.end()
  })
  const retention = startRetention(database, texts, options)
  return {
    write(rows) {
      try {
        insertAll.immediate(rows)
        retention.added(rows.length)
      } catch (error) {
        options.log.error({ err: error, lost: rows.length }, 'query metrics could not be written')
      }
    },
    close: retention.stop,
  }
}
