import { cutJson } from './cut-json.ts'
import { MAX_CHARACTERS, type NodeMetrics, type QueryMetrics, type StageTimes } from './query-metrics.ts'

/** A row of the table query_metrics (open-metrics.ts), with whole texts of at most `MAX_CHARACTERS`. */
export interface MetricsRow {
  readonly query_id: string
  readonly username: string
  readonly user_source: string
  readonly finished_at: number
  readonly query: string
  readonly input_rows: number
  readonly input_bytes: number
  readonly result_num_rows: number
  readonly result_size_in_bytes: number
  readonly execution_time_ms: number
  readonly file_paths: string
  readonly parsed_logical_plan: string
  readonly optimized_logical_plan: string
  readonly node_metrics: string
  readonly stage_times_ms: string
}

/** Stored in place of an optimized plan that equals the parsed one, because plans are most of a row. */
const AS_PARSED = 'null'

export function toRow(metrics: QueryMetrics): MetricsRow {
  const { parsedPlan, optimizedPlan } = metrics
  return {
    query_id: metrics.queryId,
    username: metrics.username,
    user_source: metrics.userSource,
    finished_at: metrics.finishedAt,
    query: cutJson(metrics.query, MAX_CHARACTERS),
    input_rows: metrics.inputRows,
    input_bytes: metrics.inputBytes,
    result_num_rows: metrics.resultRows,
    result_size_in_bytes: metrics.resultBytes,
    execution_time_ms: Math.round(metrics.executionMs),
    file_paths: pathsJson(metrics.filePaths),
    parsed_logical_plan: cutJson(parsedPlan, MAX_CHARACTERS),
    optimized_logical_plan: optimizedPlan === parsedPlan ? AS_PARSED : cutJson(optimizedPlan, MAX_CHARACTERS),
    node_metrics: JSON.stringify(metrics.nodeMetrics),
    stage_times_ms: JSON.stringify(metrics.stageTimes),
  }
}

/** The first paths as JSON, as many as fit in `MAX_CHARACTERS`. None is cut. */
function pathsJson(paths: readonly string[]): string {
  const fitting: string[] = []
  let characters = '[]'.length - ','.length
  for (const path of paths) {
    const json = JSON.stringify(path)
    characters += json.length + ','.length
    if (characters > MAX_CHARACTERS) break
    fitting.push(json)
  }
  return `[${fitting.join(',')}]`
}

export function fromRow(row: MetricsRow): QueryMetrics {
  return {
    queryId: row.query_id,
    username: row.username,
    userSource: row.user_source,
    finishedAt: row.finished_at,
    query: row.query,
    inputRows: row.input_rows,
    inputBytes: row.input_bytes,
    resultRows: row.result_num_rows,
    resultBytes: row.result_size_in_bytes,
    executionMs: row.execution_time_ms,
    filePaths: JSON.parse(row.file_paths) as string[],
    parsedPlan: row.parsed_logical_plan,
    optimizedPlan: optimizedPlan(row),
    nodeMetrics: JSON.parse(row.node_metrics) as NodeMetrics,
    stageTimes: JSON.parse(row.stage_times_ms) as StageTimes,
  }
}

/** The optimized plan of a row as JSON text. */
export function optimizedPlan({
  optimized_logical_plan: optimized,
  parsed_logical_plan: parsed,
}: MetricsRow) {
  return optimized === AS_PARSED ? parsed : optimized
}

/** The characters of a row's texts, which are most of its memory. */
export function rowSize(row: MetricsRow): number {
  return (
    row.query.length +
    row.file_paths.length +
    row.parsed_logical_plan.length +
    row.optimized_logical_plan.length +
    row.node_metrics.length +
    row.stage_times_ms.length
  )
}
