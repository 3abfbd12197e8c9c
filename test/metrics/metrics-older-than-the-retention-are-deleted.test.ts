import { join } from 'node:path'
import t from 'tap'

import { openMetricsDatabase } from '../../src/main/history/open-metrics.ts'
import type { RetentionOptions } from '../../src/main/history/retention.ts'
import { createMetricsStore } from '../../src/main/history/store.ts'
import { until } from '../support/until.ts'
import { someMetrics } from './metrics.ts'

const DAY_MS = 86_400_000

t.test('metrics older than the retention go, younger ones stay, 0 days keep everything', async (t) => {
  const database = openMetricsDatabase(join(t.testdir(), 'metrics.db'))
  const log: RetentionOptions['log'] = { error: (_, message) => t.fail(message) }
  const count = (): number => Number(database.prepare('SELECT count(*) FROM query_metrics').pluck().get())

  const keepingAll = createMetricsStore(database, { retentionDays: 0, maximumRows: 0, maximumBytes: 0, log })
  const now = Date.now()
  const old = Array.from({ length: 450 }, () => someMetrics({ finishedAt: now - 31 * DAY_MS }))
  const young = Array.from({ length: 50 }, () => someMetrics({ finishedAt: now - 29 * DAY_MS }))
  await Promise.all([...old, ...young].map((metrics) => keepingAll.record(metrics)))
  await keepingAll.close()
  t.equal(count(), 500)

  const store = createMetricsStore(database, { retentionDays: 30, maximumRows: 0, maximumBytes: 0, log })
  await until('the others are deleted', () => count() <= 50)
  t.ok(young.every(({ queryId }) => store.find(queryId)))
  await store.close()
  database.close()
})
