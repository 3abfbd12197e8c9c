import type { Caller } from '../auth/caller.ts'
import { sourceOf } from '../auth/principal.ts'

/**
 * The time of a query by stage, in milliseconds with a fraction. Workers run in parallel, so the stages may add up to more
 * than the query took.
 */
export interface StageTimes {
  /** Waiting for a worker. */
  readonly queue: number
  readonly open: number
  readonly read: number
  readonly inflate: number
  readonly decode: number
  readonly filter: number
  readonly group: number
  readonly sort: number
  readonly encode: number
  /** Waiting for the client to read. */
  readonly client: number
}

/** Metrics of one operator of the plan and of those below it; values are integers. */
export interface NodeMetrics {
  readonly operator: string
  readonly metrics: Readonly<Record<string, number>>
  readonly children: readonly NodeMetrics[]
}

/**
 * The most characters of a request, of a plan and of the paths that are stored. A request may have 2 MiB, and its plan more; a
 * plan of 1000 columns has about this many.
 */
export const MAX_CHARACTERS = 1 << 16

/** The most files whose paths are stored. A query may read a million. */
export const MAX_PATHS = 1000

/** The metrics of a finished query, as they are stored (docs/reference/http.md). */
export interface QueryMetrics {
  readonly queryId: string
  readonly username: string
  /** What vouches for the name, as `sourceOf` gives it. The same name from another source is another user. */
  readonly userSource: string
  /** Milliseconds since 1970. */
  readonly finishedAt: number
  /** The normalised request. As JSON text, because its integers may be larger than a double can hold. */
  readonly query: string
  readonly inputRows: number
  /** Bytes read from files. */
  readonly inputBytes: number
  readonly resultRows: number
  /** Bytes of the answer's body. */
  readonly resultBytes: number
  readonly executionMs: number
  /** The paths of the files that it read, at most `MAX_PATHS`. */
  readonly filePaths: readonly string[]
  /** Plans as JSON text, in the form of the answers of explain-query. */
  readonly parsedPlan: string
  readonly optimizedPlan: string
  readonly nodeMetrics: NodeMetrics
  readonly stageTimes: StageTimes
}

/** The body of `GET /api/query/metrics/{id}` (docs/reference/http.md). */
export function metricsJson(metrics: QueryMetrics): string {
  const members: Readonly<Record<string, string>> = {
    input_rows: JSON.stringify(metrics.inputRows),
    input_bytes: JSON.stringify(metrics.inputBytes),
    result_num_rows: JSON.stringify(metrics.resultRows),
    result_size_in_bytes: JSON.stringify(metrics.resultBytes),
    file_paths: JSON.stringify(metrics.filePaths),
    execution_time_ms: JSON.stringify(metrics.executionMs),
    query: metrics.query,
    query_id: JSON.stringify(metrics.queryId),
    username: JSON.stringify(metrics.username),
    finished_at: JSON.stringify(new Date(metrics.finishedAt)),
    parsed_logical_plan: metrics.parsedPlan,
    optimized_logical_plan: metrics.optimizedPlan,
    node_metrics: JSON.stringify(metrics.nodeMetrics),
    stage_times_ms: JSON.stringify(metrics.stageTimes),
  }
  return `{${Object.entries(members)
    .map(([name, json]) => `"${name}":${json}`)
    .join(',')}}`
}

/**
 * Whether a caller may see the metrics of a query: the user who ran it may, and the super-user. All anonymous callers are one
 * user. For everybody else the id does not exist (docs/reference/http.md).
 */
export function mayRead(metrics: QueryMetrics, caller: Caller): boolean {
  const { isSuperUser, principal } = caller
  return isSuperUser || (principal.name === metrics.username && sourceOf(principal) === metrics.userSource)
}
