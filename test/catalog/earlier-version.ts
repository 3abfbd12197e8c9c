import { join } from 'node:path'
import { openMetricsDatabase } from '../../src/main/history/open-metrics.ts'

/** Makes the file of the catalog of version 2 in a folder: it has metrics, and no definitions. */
export function makeEarlierVersion(folder: string): void {
  const database = openMetricsDatabase(join(folder, 'catalog.db'))
  database.exec('ALTER TABLE query_metrics DROP COLUMN user_source')
  database.pragma('user_version = 2')
  database.close()
}
