import type { Catalog } from '../catalog/open.ts'
import { type RetentionOptions, startRetention } from './retention.ts'
import type { MetricsRow } from './row.ts'
import { prepareInsert } from './table.ts'
import { createTexts } from './texts.ts'

/** Writes metrics into the database, and deletes those that are no longer kept. */
export interface MetricsWriter {
  /** Commits the rows in one transaction; what cannot be written (full disk, file made read-only) is a line in the log. */
  write(rows: readonly MetricsRow[]): void
  /** Stops the background work; the database stays open. */
  close(): void
}

export function createMetricsWriter(catalog: Catalog, options: RetentionOptions): MetricsWriter {
  const insert = prepareInsert(catalog)
  const texts = createTexts(catalog)
  const insertAll = catalog.transaction((rows: readonly MetricsRow[]) => {
    const batch = texts.batch()
    for (const row of rows) insert(row, batch)
    batch.end()
  })
  const retention = startRetention(catalog, texts, options)
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
