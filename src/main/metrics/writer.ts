import type { Catalog } from '../catalog/open.ts'
import { type RetentionOptions, startRetention } from './retention.ts'
import type { MetricsRow } from './row.ts'

/** Writes metrics into the database, and deletes those that are no longer kept. */
export interface MetricsWriter {
  /** Commits the rows in one transaction; what cannot be written (full disk, file made read-only) is a line in the log. */
  write(rows: readonly MetricsRow[]): void
  /** Stops the background work; the database stays open. */
  close(): void
}

export function createMetricsWriter(catalog: Catalog, options: RetentionOptions): MetricsWriter {
  const insert = catalog.prepare<[MetricsRow]>(`INSERT INTO query_metrics VALUES (
    @query_id, @username, @finished_at, @query, @input_rows, @input_bytes, @result_num_rows, @result_size_in_bytes,
    @execution_time_ms, @file_paths, @parsed_logical_plan, @optimized_logical_plan, @node_metrics, @stage_times_ms)`)
  const insertAll = catalog.transaction((rows: readonly MetricsRow[]) => {
    for (const row of rows) insert.run(row)
  })
  const retention = startRetention(catalog, options)
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
