import { cpSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { MOVE_STEPS } from '../../src/main/catalog/steps.ts'
import { openMetricsDatabase } from '../../src/main/history/open-metrics.ts'
import { toRow } from '../../src/main/history/row.ts'
import { createMetricsStore } from '../../src/main/history/store.ts'
import { createMetricsWriter } from '../../src/main/history/writer.ts'
import { someMetrics } from '../metrics/metrics.ts'
import { faults } from '../metrics/shared-texts.ts'
import { undoMigrations } from './earlier-version.ts'
import { changeUntilKilled, locations, openInFolder } from './store.ts'

const METRICS = Array.from({ length: 50 }, () => someMetrics())

const OPTIONS = {
  retentionDays: 0,
  maximumRows: 0,
  maximumBytes: 0,
  log: {
    error(_details: object, message: string) {
      throw new Error(message)
    },
  },
}

/** A folder as a process of version 2 has left it when it was killed: some of the rows are only in the log. */
function olderFolder(t: Test): string {
  const folder = t.testdir()
  const [running, killed] = [join(folder, 'running'), join(folder, 'killed')]
  const database = openMetricsDatabase(join(running, 'catalog.db'))
  const writer = createMetricsWriter(database, OPTIONS)
  writer.write(METRICS.slice(0, 20).map(toRow))
  database.pragma('wal_checkpoint(TRUNCATE)')
  writer.write(METRICS.slice(20).map(toRow))
  undoMigrations(database)
  mkdirSync(killed)
  cpSync(running, killed, { recursive: true })
  writer.close()
  database.close()
  return killed
}

async function checkMoved(t: Test, folder: string): Promise<void> {
  const catalog = await openInFolder(folder)
  t.same(locations(catalog), {}, 'no table yet')
  const database = openMetricsDatabase(join(folder, 'metrics.db'))
  t.equal(database.pragma('integrity_check', { simple: true }), 'ok')
  t.same(faults(database), [])
  const store = createMetricsStore(database, OPTIONS)
  for (const metrics of METRICS) t.same(store.find(metrics.queryId), metrics)
  await store.close()
  database.close()
  await catalog.close()
  t.same(readdirSync(folder), ['catalog.db', 'metrics.db'], 'nothing else is left')
}

t.test('the rows are in the database of the metrics, and the catalog is another one', async (t) => {
  const folder = olderFolder(t)
  t.same(readdirSync(folder), ['catalog.db', 'catalog.db-shm', 'catalog.db-wal'])
  await checkMoved(t, folder)
  await checkMoved(t, folder)
})

for (const [name, step] of Object.entries(MOVE_STEPS))
  t.test(`a process that is killed at step ${step}, ${name}`, async (t) => {
    const folder = olderFolder(t)
    t.equal((await changeUntilKilled(folder, step)).signal, 'SIGKILL')
    await checkMoved(t, folder)
  })

t.test('where there are metrics already, none are lost', async (t) => {
  const folder = olderFolder(t)
  openMetricsDatabase(join(folder, 'metrics.db')).close()
  await t.rejects(openInFolder(folder), {
    code: 'internal',
    message:
      /catalog\.db: it has the metrics of an earlier version, and there is .*metrics\.db as well: move one of the two away/,
  })
  const database = openMetricsDatabase(join(folder, 'catalog.db'))
  const store = createMetricsStore(database, OPTIONS)
  for (const metrics of METRICS) t.same(store.find(metrics.queryId), metrics)
  await store.close()
  database.close()
})
