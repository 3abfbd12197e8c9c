import type { SqliteDatabase } from '../sqlite/open-database.ts'
import { fromRow } from './row.ts'
import { prepareFind } from './table.ts'

/** The queries among which the longest are looked for: so many that finished last. */
const LAST = 4096

/** The most of them whose texts are restored, which takes 0.1 ms each. */
const MOST_RESTORED = 64

/** The longest of the last queries that read so many files or more, as JSON text: `most` different ones. Throws SQLite's errors. */
export function findLongestQueries(
  database: SqliteDatabase,
  leastFiles: number,
  most: number,
): readonly string[] {
  const find = prepareFind(database)
  const ids = database
    .prepare<[number, number], string>(
      `SELECT query_id FROM (SELECT query_id, execution_time_ms FROM query_metrics ORDER BY finished_at DESC LIMIT ?)
      ORDER BY execution_time_ms DESC LIMIT ?`,
    )
    .pluck()
  const queries = new Set<string>()
  for (const id of ids.all(LAST, MOST_RESTORED)) {
    if (queries.size === most) break
    const row = find(id)
    if (row === null) continue
    const { query, nodeMetrics } = fromRow(row)
    if ((nodeMetrics.metrics['files'] ?? 0) >= leastFiles) queries.add(query)
  }
  return [...queries]
}
