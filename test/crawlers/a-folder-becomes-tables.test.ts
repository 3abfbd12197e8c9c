import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startCrawledService } from './crawling.ts'

const service = await startCrawledService(t)
const { put, ask, run, define, lines, state, datasets } = service
put('obs/a.csv', 'n\n1\n2\n')
put('obs/README.md', 'no table')
put('By Year/year=2023/a.csv', 'n\n3\n')
put('By Year/year=2024/a.csv', 'n\n4\n')
put('other/obs/a.csv', 'n;m\n5;6\n')
put('top.csv', 'k\n7\n')
await service.settle()

const DONE = {
  updated: [],
  skipped: [],
  failed: [],
  skipped_files: 0,
  vanished: [],
  unread: [],
  dry_run: false,
}
const NAMES = ['all_crawler', 'by_year', 'obs_csv', 'obs']

t.test('by one crawler over all of it', async (t) => {
  await define('All Crawler')
  const dry = await run('All Crawler', '?dry_run=true')
  t.same(await ask('GET', '/api/tables'), { status: 200, text: '["default"]' })
  const report = await run('All Crawler')
  t.same(report, { ...DONE, crawler: 'All Crawler', discovered: 4, created: report.created })
  t.same(report.created.toSorted(), NAMES.toSorted())
  t.same(dry, { ...report, dry_run: true })
  t.same(JSON.parse((await ask('GET', '/api/tables')).text), ['default', ...NAMES].toSorted())
  t.same(await lines('SELECT year, n FROM by_year ORDER BY n'), ['year,n', '2023,3', '2024,4'])
  t.same(await lines('SELECT k FROM all_crawler'), ['k', '7'])
  t.same(await lines('SELECT n FROM obs ORDER BY n'), ['n', '1', '2'])
})

t.test('by a crawler of one folder, with options', async (t) => {
  await define('part', {
    target_prefix: 'other/',
    table_naming: 'crawler_prefixed',
    format_filter: ['csv'],
    options: { delimiter: ';' },
  })
  t.same(await state('RUN CRAWLER part'), [
    {
      ...{
        crawler: 'part',
        discovered: 1n,
        created: '["part_obs"]',
        updated: '[]',
        skipped: '[]',
        failed: '[]',
      },
      ...{ skipped_files: 0n, vanished: '[]', unread: '[]', dry_run: false },
    },
  ])
  t.same(await lines('SELECT n, m FROM part_obs'), ['n,m', '5,6'])
  await define('none', { format_filter: ['parquet'] })
  t.same(await run('none'), { ...DONE, crawler: 'none', discovered: 0, created: [] })
})

t.test('what changes in the folder is in the tables after the next run', async (t) => {
  put('new/a.csv', 'z\n1\n')
  put('obs/b.csv', 'n,extra\n9,8\n')
  renameSync(join(datasets, 'By Year'), join(datasets, 'by-month'))
  rmSync(join(datasets, 'top.csv'))
  await service.settle()
  const { created, updated, vanished } = await run('All Crawler')
  t.same(created.toSorted(), ['by_month', 'new'])
  t.same(updated.toSorted(), ['obs', 'obs_csv'])
  t.same(vanished.toSorted(), ['all_crawler', 'by_year'])
  t.same(await lines('SELECT n, extra FROM obs WHERE extra > 0'), ['n,extra', '9,8'])
})

t.test('runs can be looked at, also after a restart', async (t) => {
  const { text } = await ask('GET', '/api/admin/crawlers/All%20Crawler/runs')
  const runs = JSON.parse(text) as readonly Readonly<Record<string, unknown>>[]
  t.equal(runs.length, 3)
  const ended = { crawler: 'All Crawler', trigger: 'request', state: 'done', error: null }
  t.match(runs[0], {
    ...ended,
    dry_run: false,
    files: 7,
    tables: 4,
    report: { created: ['by_month', 'new'] },
  })
  t.match(runs[2], { ...ended, dry_run: true, files: 6, tables: 4 })
  for (const each of runs) t.type(each['duration_ms'], 'number')
  const sql = 'SELECT crawler, state, tables FROM service.system.crawler_runs ORDER BY started_at, run_id'
  const listed = await lines(sql)
  t.equal(listed.length, 6)
  t.same(listed.slice(0, 2), ['crawler,state,tables', 'All Crawler,done,4'])
  const { dataDir } = service
  await service.close()
  const next = await startCrawledService(t, { dataDir })
  t.same((await next.ask('GET', '/api/admin/crawlers/All%20Crawler/runs')).text, text)
  t.same((await next.run('All Crawler')).updated.toSorted(), ['by_month', 'new', 'obs', 'obs_csv'])
})
