import t from 'tap'
import type { CrawledGroup } from '../../src/main/crawlers/walk/crawl-request.ts'
import { csvGroup, type Report, startCrawledService, walkedGroups } from './crawling.ts'

let groups: readonly CrawledGroup[] = []
const service = await startCrawledService(t, { walk: async () => walkedGroups(groups, { skippedFiles: 3 }) })
const { put, run, define, lines, state, ask } = service

/** A report in which nothing is but what is given. */
function report(crawler: string, more: Partial<Report>): Report {
  const { created = [], updated = [], skipped = [], failed = [] } = more
  const discovered = [created, updated, skipped, failed].reduce((sum, { length }) => sum + length, 0)
  return {
    ...{ crawler, discovered, created, updated, skipped, failed },
    ...{ skipped_files: 3, vanished: [], unread: [], dry_run: false },
    ...more,
  }
}

put('obs/a.csv', 'n\n1\n2\n')
put('x/obs/a.csv', 'n\n7\n')
put('other/a.csv', 'm\n9\n')
put('bad/a.csv', 'n\n"1\n')
await service.settle()

t.test('it makes a table of each group, and brings its own up to date', async (t) => {
  await define('all')
  groups = [csvGroup('obs'), csvGroup('other')]
  t.same(await run('all'), report('all', { created: ['obs', 'other'] }))
  t.same(await lines('SELECT sum(n) AS n FROM obs'), ['n', '3'])
  t.same(await run('all'), report('all', { updated: ['obs', 'other'] }))
})

t.test('a table of which nothing has changed is not written, and its answer stays kept', async (t) => {
  const asked = () => service.query({ from: 'obs', select: ['n'] })
  const idOf = async () => {
    const answer = await asked()
    await answer.arrayBuffer()
    return answer.headers.get('x-service-query-id')
  }
  await idOf()
  const before = await idOf()
  t.same(await run('all'), report('all', { updated: ['obs', 'other'] }))
  t.equal(await idOf(), before)
})

t.test('new columns are those of the table after the next run', async (t) => {
  put('other/b.csv', 'm,k\n1,2\n')
  await service.settle()
  t.same(await run('all'), report('all', { updated: ['obs', 'other'] }))
  t.same(await lines('SELECT m, k FROM other ORDER BY m'), ['m,k', '1,2', '9,'])
})

t.test('a new folder takes no name from a table', async (t) => {
  groups = [csvGroup('x/obs'), csvGroup('obs'), csvGroup('other')]
  t.same(await run('all'), report('all', { created: ['obs_csv'], updated: ['obs', 'other'] }))
  t.same(await lines('SELECT n FROM obs_csv'), ['n', '7'])
  t.same(await lines('SELECT sum(n) AS n FROM obs'), ['n', '3'])
})

t.test('tables of which no file is left stay, and are named', async (t) => {
  groups = [csvGroup('other')]
  t.same(await run('all'), report('all', { updated: ['other'], vanished: ['obs', 'obs_csv'] }))
  groups = [csvGroup('x/y/obs'), csvGroup('obs'), csvGroup('other')]
  put('x/y/obs/a.csv', 'n\n5\n')
  await service.settle()
  t.same(
    await run('all'),
    report('all', { created: ['obs_csv_2'], updated: ['obs', 'other'], vanished: ['obs_csv'] }),
    'nor does their name go to others',
  )
})

t.test('what cannot become a table is a line of the report, and the rest goes on', async (t) => {
  groups = [csvGroup('bad', { format: 'PARQUET', location: 'bad/*.csv' }), csvGroup('other')]
  const { failed, updated } = await run('all')
  t.equal(failed.length, 1)
  t.match(failed[0], ['bad', /bad\/a\.csv/])
  t.same(updated, ['other'])
  t.type(await lines('SELECT * FROM bad'), 'string', 'there is no such table')
})

t.test('a dry run says what a run would do, and does nothing', async (t) => {
  groups = [csvGroup('obs'), csvGroup('new')]
  put('new/a.csv', 'n\n1\n')
  await service.settle()
  t.same(
    await run('all', '?dry_run=true'),
    report('all', {
      created: ['new'],
      updated: ['obs'],
      vanished: ['obs_csv', 'obs_csv_2', 'other'],
      dry_run: true,
    }),
  )
  t.match(await state('RUN CRAWLER "all" DRY'), [{ created: '["new"]', dry_run: true }])
  t.type(await lines('SELECT * FROM new'), 'string')
  t.equal((await ask('POST', '/api/admin/crawlers/all/run?dry_run=maybe')).status, 400)
})

t.test('what a statement replaces is no longer its own, and what is refreshed is', async (t) => {
  groups = [csvGroup('obs'), csvGroup('other')]
  t.same(await state('REFRESH other'), [])
  t.same(await state("SET EXTENSION 'mcp' FOR other TO '{}'"), [])
  t.same(await state("CREATE OR REPLACE EXTERNAL TABLE obs STORED AS CSV LOCATION 'other/'"), [])
  t.same(
    await run('all'),
    report('all', { updated: ['other'], skipped: ['obs'], vanished: ['obs_csv', 'obs_csv_2'] }),
  )
  t.same(await lines('SELECT count(*) AS n FROM obs'), ['n', '2'])
  t.same(await state('DROP TABLE obs'), [])
  t.same(
    await run('all'),
    report('all', { created: ['obs'], updated: ['other'], vanished: ['obs_csv', 'obs_csv_2'] }),
  )
  t.same(await state('SHOW EXTENSIONS FOR other'), [{ extensions: '{"mcp":{}}' }])
})

t.test('two crawlers over one folder have tables of their own, or none', async (t) => {
  await define('second')
  t.same(await run('second'), report('second', { skipped: ['obs', 'other'] }))
  await define('second', { table_naming: 'crawler_prefixed' })
  t.same(await run('second'), report('second', { created: ['second_obs', 'second_other'] }))
  t.same(await run('all'), report('all', { updated: ['obs', 'other'], vanished: ['obs_csv', 'obs_csv_2'] }))
})

t.test('its options are those of its tables, and an unknown group name is its own', async (t) => {
  groups = [csvGroup('', { location: 'semi/*.csv', name: '' })]
  put('semi/a.csv', 'n;m\n1;2\n')
  await service.settle()
  await define('My Crawler', { options: { delimiter: ';' } })
  t.same(await run('My Crawler'), report('My Crawler', { created: ['my_crawler'] }))
  t.same(await lines('SELECT m FROM my_crawler'), ['m', '2'])
})

t.test('SHOW CREATE TABLE names the crawler, in a statement that can be run', async (t) => {
  const rows = await state('SHOW CREATE TABLE my_crawler')
  const [{ definition }] = rows as readonly [{ readonly definition: string }]
  t.match(definition, '-- Kept by the crawler "My Crawler".\nCREATE EXTERNAL TABLE')
  t.same(await state(definition.replace('my_crawler', 'again')), [])
})
