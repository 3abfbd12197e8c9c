import type { Catalog } from '../catalog/open.ts'
import type { NodeMetrics, QueryMetrics, StageTimes } from './query-metrics.ts'
import { type RetentionOptions, startRetention } from './retention.ts'

export interface MetricsStore {
  /**
   * Resolves once the metrics are committed, so that a client that waits for it before it sees the end of its answer
   * finds them. All that is recorded in one turn of the event loop is one transaction, and under load in some more. Never
   * rejects: metrics that cannot be written (full disk, file made read-only) are lost with a line in the log.
   */
  record(metrics: QueryMetrics): Promise<void>
  /** Throws SQLite's error when the database cannot be read. */
  find(queryId: string): QueryMetrics | null
  /** Commits what is waiting and stops the background work; the database stays open. */
  close(): void
}

/**
 * Milliseconds between transactions after one of so many rows: it costs as much as five, so under load more answers share
 * one, while a lone client does not wait.
 */
const COMMIT_GAP = Object.freeze({ ms: 4, rows: 4 })

/** File paths kept of one query: a query may read a million files, and its metrics are written for every answer. */
const KEPT_PATHS = 1000

/** A row of the table query_metrics (catalog/migrations.ts). */
interface Row {
  query_id: string
  username: string
  finished_at: number
  query: string
  input_rows: number
  input_bytes: number
  result_num_rows: number
  result_size_in_bytes: number
  execution_time_ms: number
  file_paths: string
  parsed_logical_plan: string
  optimized_logical_plan: string
  node_metrics: string
  stage_times_ms: string
}

interface Waiting {
  readonly row: Row
  readonly done: () => void
}

export function createMetricsStore(catalog: Catalog, options: RetentionOptions): MetricsStore {
  const { log } = options
  const insert = catalog.prepare<[Row]>(`INSERT INTO query_metrics VALUES (
    @query_id, @username, @finished_at, @query, @input_rows, @input_bytes, @result_num_rows, @result_size_in_bytes,
    @execution_time_ms, @file_paths, @parsed_logical_plan, @optimized_logical_plan, @node_metrics, @stage_times_ms)`)
  const select = catalog.prepare<[string], Row>('SELECT * FROM query_metrics WHERE query_id = ?')
  const insertAll = catalog.transaction((rows: readonly Waiting[]) => {
    for (const { row } of rows) insert.run(row)
  })
  const retention = startRetention(catalog, options)
  let waiting: Waiting[] = []
  let nextCommitAt = Number.NEGATIVE_INFINITY

  const commit = (): void => {
    const rows = waiting
    if (rows.length === 0) return
    waiting = []
    try {
      insertAll.immediate(rows)
      retention.added(rows.length)
    } catch (error) {
      log.error({ err: error, lost: rows.length }, 'query metrics could not be written')
    }
    if (rows.length >= COMMIT_GAP.rows) nextCommitAt = performance.now() + COMMIT_GAP.ms
    for (const { done } of rows) done()
  }

  return {
    record: (metrics) =>
      new Promise((done) => {
        if (waiting.push({ row: toRow(metrics), done }) > 1) return
        const gap = nextCommitAt - performance.now()
        if (gap > 0) setTimeout(commit, gap)
        else setImmediate(commit)
      }),
    find(queryId) {
      const row = select.get(queryId)
      return row === undefined ? null : fromRow(row)
    },
    close() {
      retention.stop()
      commit()
    },
  }
}

function toRow(metrics: QueryMetrics): Row {
  return {
    query_id: metrics.queryId,
    username: metrics.username,
    finished_at: metrics.finishedAt,
    query: metrics.query,
    input_rows: metrics.inputRows,
    input_bytes: metrics.inputBytes,
    result_num_rows: metrics.resultRows,
    result_size_in_bytes: metrics.resultBytes,
    execution_time_ms: Math.round(metrics.executionMs),
    file_paths: JSON.stringify(metrics.filePaths.slice(0, KEPT_PATHS)),
    parsed_logical_plan: metrics.parsedPlan,
    optimized_logical_plan: metrics.optimizedPlan,
    node_metrics: JSON.stringify(metrics.nodeMetrics),
    stage_times_ms: JSON.stringify(metrics.stageTimes, toMicroseconds),
  }
}

/** Milliseconds of a JSON member, cut to whole microseconds. */
function toMicroseconds(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1000) / 1000 : value
}

function fromRow(row: Row): QueryMetrics {
  return {
    queryId: row.query_id,
    username: row.username,
    finishedAt: row.finished_at,
    query: row.query,
    inputRows: row.input_rows,
    inputBytes: row.input_bytes,
    resultRows: row.result_num_rows,
    resultBytes: row.result_size_in_bytes,
    executionMs: row.execution_time_ms,
    filePaths: JSON.parse(row.file_paths) as string[],
    parsedPlan: row.parsed_logical_plan,
    optimizedPlan: row.optimized_logical_plan,
    nodeMetrics: JSON.parse(row.node_metrics) as NodeMetrics,
    stageTimes: JSON.parse(row.stage_times_ms) as StageTimes,
  }
}
