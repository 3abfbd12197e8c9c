import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openMetricsDatabase } from '../../src/main/history/open-metrics.ts'
import { toRow } from '../../src/main/history/row.ts'
import { createMetricsStore } from '../../src/main/history/store.ts'
import { createMetricsWriter } from '../../src/main/history/writer.ts'
import { someMetrics } from './metrics.ts'
import { faults } from './shared-texts.ts'

/** A writer over a database of its own, with the lines that it logs. */
function openWriter(t: Test) {
  const database = openMetricsDatabase(join(t.testdir(), 'metrics.db'))
  const lines: object[] = []
  const options = {
    retentionDays: 0,
    maximumRows: 0,
    maximumBytes: 0,
    log: { error: (details: object) => lines.push(details) },
  }
  const writer = createMetricsWriter(database, options)
  const store = createMetricsStore(database, options)
  t.teardown(async () => {
    await store.close()
    writer.close()
    database.close()
  })
  return { database, lines, writer, store }
}

t.test('a database that cannot grow loses metrics with one line in the log for each commit', async (t) => {
  const { database, lines, writer, store } = openWriter(t)
  const pages = Number(database.pragma('page_count', { simple: true }))
  database.pragma(`max_page_count = ${pages}`)

  const lost = [1, 2, 3].map(() => someMetrics({ query: JSON.stringify('x'.repeat(10_000)) }))
  writer.write(lost.map(toRow))
  t.match(lines, [{ err: { code: 'SQLITE_FULL' }, lost: 3 }])
  t.equal(lines.length, 1)
  t.equal(store.find(lost[0]?.queryId ?? ''), null)
  t.same(faults(database), [], 'no text is shared by what was lost')

  database.pragma(`max_page_count = ${pages + 1000}`)
  const kept = someMetrics()
  writer.write([toRow(kept)])
  t.same(store.find(kept.queryId), kept, 'metrics are kept again once there is room')
  t.equal(lines.length, 1)
})

t.test('a database that became read-only costs only the metrics', async (t) => {
  const { database, lines, writer } = openWriter(t)
  database.pragma('query_only = 1')
  writer.write([toRow(someMetrics())])
  t.match(lines, [{ err: { code: 'SQLITE_READONLY' }, lost: 1 }])
})

t.test('a thread that dies costs only the metrics that it had', async (t) => {
  const database = openMetricsDatabase(join(t.testdir(), 'metrics.db'))
  const lines: object[] = []
  const log = { error: (details: object) => lines.push(details) }
  const entry = new URL('./dying-writer.ts', import.meta.url)
  const store = createMetricsStore(
    database,
    { retentionDays: 0, maximumRows: 0, maximumBytes: 0, log },
    entry,
  )
  for (let attempt = 1; attempt <= 2; attempt++) {
    const lost = someMetrics()
    await store.record(lost)
    t.match(lines.splice(0), [{ err: /dead/ }, { lost: 1 }])
    t.equal(store.find(lost.queryId), null)
  }
  await store.close()
  database.close()
})
