import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type CrawlerRun, endInterruptedRuns } from '../../src/main/history/crawler-runs.ts'
import { openMetricsDatabase } from '../../src/main/history/open-metrics.ts'
import { createMetricsStore } from '../../src/main/history/store.ts'

function openStore(t: Test, path: string) {
  const errors: string[] = []
  const database = openMetricsDatabase(path)
  endInterruptedRuns(database)
  const log = { error: (_: object, message: string) => void errors.push(message) }
  const store = createMetricsStore(database, { retentionDays: 0, maximumRows: 0, maximumBytes: 0, log })
  const close = async () => {
    await store.close()
    database.close()
    t.same(errors, [])
  }
  return { store, close }
}

function run(crawler: string, index: number, more: Partial<CrawlerRun> = {}): CrawlerRun {
  return {
    id: `${crawler} ${index}`,
    crawler,
    trigger: 'schedule',
    isDry: false,
    startedAt: 1000 + index,
    endedAt: null,
    state: 'running',
    folders: 0,
    files: 0,
    tables: 0,
    report: null,
    error: null,
    ...more,
  }
}

t.test('a hundred of each, the latest first, before they are committed and afterwards', async (t) => {
  const path = join(t.testdir(), 'metrics.db')
  const { store, close } = openStore(t, path)
  const ended = { state: 'done', endedAt: 5000, tables: 3, report: '{}' } as const
  for (let index = 0; index < 120; index++) {
    store.recordRun(run('a', index))
    store.recordRun(run('a', index, ended))
    if (index % 3 === 0) store.recordRun(run('b', index, ended))
  }
  t.same(store.listRuns('b')[0], run('b', 117, ended))
  t.same(store.listRuns('a')[0], run('a', 119, ended))
  await close()
  const again = openStore(t, path)
  const runs = again.store.listRuns('a')
  t.same([runs.length, runs[0], runs[99]], [100, run('a', 119, ended), run('a', 20, ended)])
  t.equal(again.store.listRuns('b').length, 40)
  t.equal(again.store.listRuns(null).length, 140)
  t.same(again.store.listRuns('c'), [])
  await again.close()
})

t.test('a run that a restart has ended says so', async (t) => {
  const path = join(t.testdir(), 'metrics.db')
  const { store, close } = openStore(t, path)
  store.recordRun(run('a', 1, { files: 7 }))
  store.recordRun(run('a', 2, { state: 'failed', endedAt: 2000, error: 'no folder' }))
  await close()
  const again = openStore(t, path)
  t.same(again.store.listRuns('a'), [
    run('a', 2, { state: 'failed', endedAt: 2000, error: 'no folder' }),
    run('a', 1, {
      files: 7,
      state: 'interrupted',
      error: 'The service ended while the crawler ran, and was started again.',
    }),
  ])
  await again.close()
})
