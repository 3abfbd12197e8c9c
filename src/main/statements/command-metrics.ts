import type { Caller } from '../auth/caller.ts'
import type { Figures } from '../history/figures.ts'
import type { QueryMetrics } from '../history/query-metrics.ts'
import { jsonForMetrics, measuredMetrics } from '../query/run/metrics-record.ts'

/** The metrics of a command that has just ended. `printed` is its text as its node prints it. */
export function commandMetrics(
  queryId: string,
  caller: Caller,
  printed: string,
  figures: Figures,
): QueryMetrics {
  const request = { sql: printed, output: null }
  const plan = [{ Plan: { 'Node Type': OPERATOR, Details: printed, Plans: [] } }]
  const planJson = jsonForMetrics(JSON.stringify(plan), plan)
  return {
    ...measuredMetrics(queryId, caller, figures),
    query: jsonForMetrics(JSON.stringify(request), request),
    filePaths: [],
    parsedPlan: planJson,
    optimizedPlan: planJson,
    nodeMetrics: { operator: OPERATOR, metrics: { output_rows: 0 }, children: [] },
  }
}

const OPERATOR = 'Command'
