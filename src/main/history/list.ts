import { setImmediate } from 'node:timers/promises'
import { SYSTEM_RELATIONS } from '../../plan/statement/system-relations.ts'
import type { SqliteDatabase } from '../sqlite/open-database.ts'
import { fromRow, type MetricsRow, optimizedPlan } from './row.ts'
import { type FiguresRow, prepareFind, preparePage, TEXTS } from './table.ts'

/** Lists the metrics of all queries, as `system.query_metrics` has them. */
export interface MetricsList {
  /**
   * The rows, some at a time: first those that are committed, in the order in which they were. Rows for which `mayPass` is false
   * are left out; it gets the values that are not JSON. Values that are not wanted may be null. Throws SQLite's error when the
   * database cannot be read.
   */
  list(
    isWanted: (column: string) => boolean,
    mayPass: (values: Readonly<Record<string, string | number>>) => boolean,
    signal: AbortSignal,
  ): AsyncGenerator<readonly MetricsValues[], void>
}

/** The values of a row, one for each column of the relation. */
type MetricsValues = readonly (string | number | null)[]

const COLUMNS = SYSTEM_RELATIONS.filter(({ name }) => name === 'query_metrics').flatMap(({ columns }) =>
  columns.fields.map(({ name }) => name),
)

/** Rows that are read in one turn of the event loop. To restore the texts of a row takes 0.1 ms. */
const ROWS_AT_ONCE = 32

/** The queries among which the longest are looked for: so many that finished last. */
const LAST = 4096

/** The most of them whose texts are restored. */
const MOST_RESTORED = 64

/** `pending` are the rows that are not committed yet, by their ids. */
export function createMetricsList(
  database: SqliteDatabase,
  pending: ReadonlyMap<string, MetricsRow>,
): MetricsList {
  const pageAfter = preparePage(database, ROWS_AT_ONCE)
  const find = prepareFind(database)
  return {
    async *list(isWanted, mayPass, signal) {
      // Those that are committed in the meantime are not listed twice.
      const uncommitted = new Map(pending)
      const areTextsWanted = TEXTS.some(isWanted)
      for (let page = pageAfter(0); page.length > 0; page = pageAfter(page.at(-1)?.rowid ?? 0)) {
        const passing = page.filter((row) => !uncommitted.has(row.query_id) && mayPass({ ...row }))
        // A row may have been deleted since.
        yield passing.flatMap((row) => {
          const whole = areTextsWanted ? find(row.query_id) : row
          return whole === null ? [] : [valuesOf(whole)]
        })
        await setImmediate()
        signal.throwIfAborted()
      }
      yield [...uncommitted.values()].filter((row) => mayPass({ ...row })).map(valuesOf)
    },
  }
}

function valuesOf(row: MetricsRow | FiguresRow): MetricsValues {
  const values: Readonly<Record<string, string | number>> =
    'query' in row ? { ...row, optimized_logical_plan: optimizedPlan(row) } : { ...row }
  return COLUMNS.map((name) => values[name] ?? null)
}

/**
 * The longest of the last queries that read so many files or more, as JSON text: `most` different ones. It leaves the event loop turns between.
 * Throws SQLite's errors, and the signal's reason.
 */
export async function findLongestQueries(
  database: SqliteDatabase,
  leastFiles: number,
  most: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const find = prepareFind(database)
  const ids = database
    .prepare<[number, number], string>(
      `SELECT query_id FROM (SELECT query_id, execution_time_ms FROM query_metrics ORDER BY finished_at DESC LIMIT ?)
      ORDER BY execution_time_ms DESC LIMIT ?`,
    )
    .pluck()
  const queries = new Set<string>()
  for (const [index, id] of ids.all(LAST, MOST_RESTORED).entries()) {
    if (queries.size === most) break
    if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) {
      await setImmediate()
      signal.throwIfAborted()
    }
    const row = find(id)
    if (row === null) continue
    const { query, nodeMetrics } = fromRow(row)
    if ((nodeMetrics.metrics['files'] ?? 0) >= leastFiles) queries.add(query)
  }
  return [...queries]
}
