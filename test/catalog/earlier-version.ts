import { join } from 'node:path'
import { openMetricsDatabase } from '../../src/main/history/open-metrics.ts'
import type { SqliteDatabase } from '../../src/main/sqlite/open-database.ts'

/** Makes the file of the catalog of version 2 in a folder: it has metrics, and no definitions. */
export function makeEarlierVersion(folder: string): void {
  const database = openMetricsDatabase(join(folder, 'catalog.db'))
  undoMigrations(database)
  database.close()
}

/** Takes back what a database of metrics has got since version 2. */
export function undoMigrations(database: SqliteDatabase): void {
  database.exec('ALTER TABLE query_metrics DROP COLUMN user_source; DROP TABLE crawler_runs')
  database.pragma('user_version = 2')
}
