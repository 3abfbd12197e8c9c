import t from 'tap'
import { createCaller } from '../../src/main/auth/caller.ts'
import { type Principal, sourceOf } from '../../src/main/auth/principal.ts'
import { EVERYTHING } from '../../src/main/auth/rights/rights.ts'
import { mayRead, metricsJson } from '../../src/main/history/query-metrics.ts'
import { ANYBODY, SUPER_CALLER } from '../support/callers.ts'
import { someMetrics } from './metrics.ts'

t.test('the body has the fields that clients know, and the stage times', async (t) => {
  const metrics = someMetrics({ finishedAt: Date.UTC(2026, 7, 22, 10, 11, 12, 114) })
  const json = metricsJson(metrics)
  t.same(JSON.parse(json), {
    input_rows: 5000,
    input_bytes: 81_920,
    result_num_rows: 12,
    result_size_in_bytes: 640,
    file_paths: ['observations/2024-01.parquet'],
    execution_time_ms: 4,
    query: { select: ['time'], limit: 18_446_744_073_709_552_000 },
    query_id: metrics.queryId,
    username: 'anonymous',
    finished_at: '2026-08-22T10:11:12.114Z',
    parsed_logical_plan: [{ Plan: { 'Node Type': 'TableScan', Plans: [], Output: ['time'] } }],
    optimized_logical_plan: [{ Plan: { 'Node Type': 'TableScan', Plans: [], Output: ['time'] } }],
    node_metrics: { operator: 'Scan', metrics: { output_rows: 12 }, children: [] },
    stage_times_ms: {
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
  })
  t.match(json, '"limit":18446744073709551615', 'integers of the request stay exact')
})

t.test('metrics are seen by the user who ran the query and by the super-user', async (t) => {
  const metrics = someMetrics({ username: 'anonymous' })
  t.ok(mayRead(metrics, ANYBODY))
  t.ok(mayRead(metrics, SUPER_CALLER))
  t.notOk(mayRead(someMetrics({ username: 'service-admin' }), ANYBODY))
})

t.test('a user of the same name from another source is another user', async (t) => {
  const principals: readonly Principal[] = [
    { source: 'anonymous', name: 'anonymous' },
    { source: 'stored', name: 'anonymous' },
    { source: 'configuration', name: 'anonymous' },
    { source: 'token', issuer: 'https://a.example', name: 'anonymous' },
    { source: 'token', issuer: 'https://b.example', name: 'anonymous' },
    { source: 'token', issuer: 'https://a.example', name: 'other' },
  ]
  for (const owner of principals) {
    const metrics = someMetrics({ username: owner.name, userSource: sourceOf(owner) })
    for (const principal of principals)
      t.equal(mayRead(metrics, createCaller(principal, false, EVERYTHING)), principal === owner)
    t.ok(mayRead(metrics, SUPER_CALLER))
  }
})
