import type { Plan } from '../../../plan/plan.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import type { Caller } from '../../auth/caller.ts'
import { sourceOf } from '../../auth/principal.ts'
import type { Figures } from '../../history/figures.ts'
import { MAX_CHARACTERS, MAX_PATHS, type QueryMetrics } from '../../history/query-metrics.ts'
import { shorten } from '../../history/shortened.ts'
import { explain, filesOf } from '../explain/explain.ts'
import { nodeMetrics } from '../explain/node-metrics.ts'

/** The metrics of a query that has just ended. `request` is what `jsonForMetrics` returns. */
export function metricsRecord(
  queryId: string,
  caller: Caller,
  request: string,
  plan: Plan,
  figures: Figures,
): QueryMetrics {
  const files = filesOf(plan)
  const explained = explain(plan)
  const planJson = jsonForMetrics(JSON.stringify(explained), explained)
  return {
    ...measuredMetrics(queryId, caller, figures),
    query: request,
    filePaths: firstPaths(files),
    parsedPlan: planJson,
    optimizedPlan: planJson,
    nodeMetrics: nodeMetrics(plan, figures, explained[0].Plan),
  }
}

function firstPaths(files: readonly FileRef[]): readonly string[] {
  const paths: string[] = []
  for (const { path, fetched } of files) {
    if (paths.length === MAX_PATHS) break
    if (fetched === undefined) paths.push(path)
  }
  return paths
}

/** What was measured of a query or a command that has just ended. */
export function measuredMetrics(
  queryId: string,
  caller: Caller,
  figures: Figures,
): Omit<QueryMetrics, 'query' | 'filePaths' | 'parsedPlan' | 'optimizedPlan' | 'nodeMetrics'> {
  return {
    queryId,
    username: caller.principal.name,
    userSource: sourceOf(caller.principal),
    finishedAt: Date.now(),
    inputRows: figures.rowsScanned,
    inputBytes: figures.bytesRead,
    resultRows: figures.rows,
    resultBytes: figures.bytes,
    executionMs: performance.now() - figures.startedAt,
    stageTimes: {
      queue: toMicroseconds(figures.queueMs),
      open: toMicroseconds(figures.openMs),
      read: toMicroseconds(figures.readMs),
      inflate: toMicroseconds(figures.inflateMs),
      decode: toMicroseconds(figures.decodeMs),
      filter: toMicroseconds(figures.filterMs),
      group: toMicroseconds(figures.groupMs),
      sort: toMicroseconds(figures.sortMs),
      encode: toMicroseconds(figures.encodeMs),
      client: toMicroseconds(figures.clientMs),
    },
  }
}

/** The JSON of a value as metrics keep it: that of the shortened value if `json` is longer than they keep. */
export function jsonForMetrics(json: string, value: unknown): string {
  return json.length <= MAX_CHARACTERS ? json : JSON.stringify(shorten(value))
}

/** Rounds milliseconds to whole microseconds. */
function toMicroseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
