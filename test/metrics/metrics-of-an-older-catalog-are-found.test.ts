import { join } from 'node:path'
import Database from 'better-sqlite3'
import t from 'tap'
import { METRICS_MIGRATIONS, openMetricsDatabase } from '../../src/main/history/open-metrics.ts'
import { prepareDeletion } from '../../src/main/history/retention.ts'
import { toRow } from '../../src/main/history/row.ts'
import { createMetricsStore } from '../../src/main/history/store.ts'
import { createTexts } from '../../src/main/history/texts.ts'
import { someMetrics } from './metrics.ts'
import { faults } from './shared-texts.ts'

t.test('metrics of version 1 are found as they were, and deleted among those that come', async (t) => {
  const path = join(t.testdir(), 'metrics.db')
  const older = new Database(path)
  older.exec(METRICS_MIGRATIONS.steps[0] ?? '')
  older.pragma('user_version = 1')
  const finishedAt = Date.now() - 40 * 86_400_000
  const before = [
    ...[1, 2].map(() => someMetrics({ finishedAt })),
    someMetrics({ finishedAt, username: 'service-admin', userSource: 'configuration' }),
  ]
  const insert = older.prepare(`INSERT INTO query_metrics VALUES (
    @query_id, @username, @finished_at, @query, @input_rows, @input_bytes, @result_num_rows, @result_size_in_bytes,
    @execution_time_ms, @file_paths, @parsed_logical_plan, @optimized_logical_plan, @node_metrics, @stage_times_ms)`)
  for (const metrics of before) {
    const { user_source: _, ...row } = toRow(metrics)
    insert.run(row)
  }
  older.close()

  const database = openMetricsDatabase(path)
  const log = { error: (_: object, message: string) => t.fail(message) }
  const options = { retentionDays: 0, maximumRows: 0, maximumBytes: 0, log }
  const store = createMetricsStore(database, options)
  const since = [1, 2, 3].map(() => someMetrics())
  await Promise.all(since.map((metrics) => store.record(metrics)))
  for (const metrics of [...before, ...since]) t.same(store.find(metrics.queryId), metrics)
  await store.close()

  const deleteSome = prepareDeletion(database, createTexts(database), { ...options, retentionDays: 30 })
  t.equal(deleteSome(), before.length)
  for (const metrics of since) t.same(store.find(metrics.queryId), metrics)
  t.same(faults(database), [])
  database.close()
})
