import { randomUUID } from 'node:crypto'
import type { QueryMetrics } from '../../src/main/history/query-metrics.ts'

/** Metrics of some query, with a new id. */
export function someMetrics(changes: Partial<QueryMetrics> = {}): QueryMetrics {
  return {
    queryId: randomUUID(),
    username: 'anonymous',
    userSource: 'anonymous',
    finishedAt: Date.now(),
    query: '{"select":["time"],"limit":18446744073709551615}',
    inputRows: 5000,
    inputBytes: 81_920,
    resultRows: 12,
    resultBytes: 640,
    executionMs: 4,
    filePaths: ['observations/2024-01.parquet'],
    parsedPlan: '[{"Plan":{"Node Type":"TableScan","Plans":[],"Output":["time"]}}]',
    optimizedPlan: '[{"Plan":{"Node Type":"TableScan","Plans":[],"Output":["time"]}}]',
    nodeMetrics: { operator: 'Scan', metrics: { output_rows: 12 }, children: [] },
    stageTimes: {
      queue: 0.25,
      open: 1,
      read: 0.5,
      inflate: 0.5,
      decode: 1.5,
      filter: 0,
      group: 0,
      sort: 0,
      encode: 0.25,
      client: 0,
    },
    ...changes,
  }
}
