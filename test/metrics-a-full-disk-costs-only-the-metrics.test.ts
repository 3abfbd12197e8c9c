import { join } from 'node:path'
import t from 'tap'
import { openCatalog } from '../src/main/catalog/open.ts'
import { createMetricsStore } from '../src/main/metrics/store.ts'
import { someMetrics } from './metrics/metrics.ts'

t.test('a database that cannot grow loses metrics with one line in the log for each commit', async (t) => {
  const catalog = openCatalog(join(t.testdir(), 'catalog.db'))
  const lines: object[] = []
  const store = createMetricsStore(catalog, {
    retentionDays: 0,
    maximumRows: 0,
    log: { error: (details) => lines.push(details) },
  })
  const pages = Number(catalog.pragma('page_count', { simple: true }))
  catalog.pragma(`max_page_count = ${pages}`)

  const lost = [1, 2, 3].map(() => someMetrics({ query: JSON.stringify('x'.repeat(10_000)) }))
  await Promise.all(lost.map((metrics) => store.record(metrics)))
  t.match(lines, [{ err: { code: 'SQLITE_FULL' }, lost: 3 }])
  t.equal(lines.length, 1)
  t.equal(store.find(lost[0]?.queryId ?? ''), null)

  catalog.pragma(`max_page_count = ${pages + 1000}`)
  const kept = someMetrics()
  await store.record(kept)
  t.same(store.find(kept.queryId), kept, 'metrics are kept again once there is room')
  t.equal(lines.length, 1)
  store.close()
  catalog.close()
})

t.test('a database that became read-only costs only the metrics', async (t) => {
  const catalog = openCatalog(join(t.testdir(), 'catalog.db'))
  const lines: object[] = []
  const store = createMetricsStore(catalog, {
    retentionDays: 0,
    maximumRows: 0,
    log: { error: (details) => lines.push(details) },
  })
  catalog.pragma('query_only = 1')
  await store.record(someMetrics())
  t.match(lines, [{ err: { code: 'SQLITE_READONLY' }, lost: 1 }])
  store.close()
  catalog.close()
})
