import { statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

import { openMetricsDatabase } from '../../src/main/history/open-metrics.ts'
import { createMetricsStore } from '../../src/main/history/store.ts'
import { until } from '../support/until.ts'
import { someMetrics } from './metrics.ts'

const KEPT = 500

t.test('the last metrics stay, those before them go, and the file grows no more', async (t) => {
  const path = join(t.testdir(), 'metrics.db')
  const database = openMetricsDatabase(path)
  const log = { error: (_: object, message: string) => t.fail(message) }
  const count = (): number => Number(database.prepare('SELECT count(*) FROM query_metrics').pluck().get())
  const store = createMetricsStore(database, { retentionDays: 0, maximumRows: KEPT, maximumBytes: 0, log })
  const addSome = async () => {
    const added = Array.from({ length: 1500 }, () => someMetrics())
    await Promise.all(added.map((metrics) => store.record(metrics)))
    await until('the others are deleted', () => count() <= KEPT)
    return added
  }
  const fileBytes = (): number => {
    database.pragma('wal_checkpoint(TRUNCATE)')
    return statSync(path).size
  }
  await addSome()
  // From now on there are some to be deleted when others come.
  await addSome()
  const bytes = fileBytes()
  for (let round = 0; round < 3; round++) {
    const added = await addSome()
    t.equal(count(), KEPT)
    t.ok(added.slice(-KEPT).every(({ queryId }) => store.find(queryId)))
  }
  // An index of random keys is filled more or less well.
  t.ok(fileBytes() <= 1.1 * bytes)
  await store.close()
  database.close()
})
