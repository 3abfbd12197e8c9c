import { rmSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startToBeKilled } from '../service/killed-service.ts'
import { untilSettled } from '../support/settled.ts'
import { type CrawledService, type Report, startCrawledService } from './crawling.ts'

interface Info {
  readonly caches: { readonly footers: { readonly hits: number; readonly misses: number } }
}

/** How often the columns of a file have been asked for. */
const askedOf = ({ caches: { footers } }: Info): number => footers.hits + footers.misses

/** Runs a crawler. Returns its report, and how often files were asked for their columns. */
async function run({
  ask,
  run,
}: CrawledService): Promise<{ readonly asked: number; readonly report: Report }> {
  const asked = async (): Promise<number> => askedOf(JSON.parse((await ask('GET', '/api/info')).text) as Info)
  const before = await asked()
  const report = await run('c')
  return { asked: (await asked()) - before, report }
}

/** A folder with three tables of one file each, of which a service has made tables that is gone. */
async function crawledFolder(t: Test): Promise<string> {
  const dataDir = t.testdir({
    datasets: { a: { 'x.csv': 'n\n1\n' }, b: { 'x.csv': 'n\n2\n' }, d: { 'x.csv': 'n\n3\n' } },
  })
  await untilSettled(join(dataDir, 'datasets'))
  const first = await startCrawledService(t, { dataDir })
  await first.define('c')
  const { asked, report } = await run(first)
  t.ok(asked > 0)
  t.same(report.created, ['a', 'b', 'd'])
  await first.close()
  return dataDir
}

t.test('nothing is read where nothing has changed', async (t) => {
  const dataDir = await crawledFolder(t)
  for (let restart = 0; restart < 2; restart++) {
    const service = await startCrawledService(t, { dataDir })
    const { asked, report } = await run(service)
    t.equal(asked, 0)
    t.same(report.updated, ['a', 'b', 'd'])
    t.same(await service.lines('SELECT n FROM b'), ['n', '2'])
    await service.close()
  }
})

t.test('tables are read again whose files have changed while no service ran', async (t) => {
  const dataDir = await crawledFolder(t)
  const service = await startCrawledService(t, { dataDir })
  service.put('b/x.csv', 'n,m\n2,5\n')
  rmSync(join(service.datasets, 'd/x.csv'))
  await service.settle()
  const { asked, report } = await run(service)
  t.ok(asked > 0)
  t.same([report.updated, report.vanished], [['a', 'b'], ['d']])
  t.same(await service.lines('SELECT m FROM b'), ['m', '5'])
  t.equal((await run(service)).asked, 0)
})

t.test('a table that statements have changed is not taken for the one that was made', async (t) => {
  const dataDir = await crawledFolder(t)
  const second = await startCrawledService(t, { dataDir })
  const options = "STORED AS CSV LOCATION 'b/*.csv'"
  for (const sql of [
    'DROP TABLE a',
    `CREATE OR REPLACE EXTERNAL TABLE b ${options}`,
    'DROP TABLE d',
    "CREATE EXTERNAL TABLE d (other TEXT) STORED AS CSV LOCATION 'd/*.csv'",
    'DROP TABLE d',
  ])
    t.same(await second.state(sql), [], sql)
  await second.close()
  const service = await startCrawledService(t, { dataDir })
  const { asked, report } = await run(service)
  t.ok(asked > 0)
  t.same([report.created, report.skipped], [['a', 'd'], ['b']])
  t.same(await service.lines('SELECT n FROM d'), ['n', '3'])
})

t.test('what is remembered may be lost, which costs time alone', async (t) => {
  const dataDir = await crawledFolder(t)
  for (const suffix of ['', '-wal', '-shm'])
    rmSync(join(dataDir, 'tables', `learned.db${suffix}`), { force: true })
  const service = await startCrawledService(t, { dataDir })
  const { asked, report } = await run(service)
  t.ok(asked > 0)
  t.same(report.updated, ['a', 'b', 'd'])
  t.equal((await run(service)).asked, 0)
})

t.test('what a run has made is remembered after kill -9', async (t) => {
  const data = t.testdir({ datasets: { a: { 'x.csv': 'n\n1\n' }, b: { 'x.csv': 'n\n2\n' } } })
  await untilSettled(join(data, 'datasets'))
  const first = await startToBeKilled(t, data)
  t.equal(await first.run("CREATE CRAWLER c ON ''"), 200)
  t.same(((await first.ask('POST', RUN)) as Report).created, ['a', 'b'])
  await first.kill()
  const second = await startToBeKilled(t, data)
  const before = askedOf((await second.ask('GET', '/api/info')) as Info)
  t.same(((await second.ask('POST', RUN)) as Report).updated, ['a', 'b'])
  t.equal(askedOf((await second.ask('GET', '/api/info')) as Info), before)
  await second.kill()
})

const RUN = '/api/admin/crawlers/c/run'
