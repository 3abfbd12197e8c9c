import { rmSync } from 'node:fs'
import t from 'tap'
import { startTables } from '../external/tables.ts'
import { SUPER_USER } from '../http/test-server.ts'
import { untilSettled } from '../support/settled.ts'

const service = await startTables(t)
service.put('obs/a.csv', 'n\n1\n')
service.put('obs/b.csv', 'n\n2\n')
await untilSettled(service.datasets)
t.equal(await service.command("CREATE CRAWLER c ON 'obs/'"), '')

/** How often the columns of a file have been asked for. */
async function asked(): Promise<number> {
  const answer = await fetch(`${service.url}/api/info`, { headers: SUPER_USER })
  const { caches } = (await answer.json()) as { caches: { footers: { hits: number; misses: number } } }
  return caches.footers.hits + caches.footers.misses
}

/** Runs the crawler. Returns how often files were asked for their columns. */
async function run(): Promise<number> {
  const before = await asked()
  const error = await service.command('RUN CRAWLER c')
  if (error !== '') throw new Error(error)
  return (await asked()) - before
}

const namesOf = async (): Promise<readonly string[]> =>
  (await service.columns('obs')).map((each) => each.split(' ')[0] ?? '')

t.test('a second run asks no file', async (t) => {
  t.ok((await run()) > 0)
  t.equal(await run(), 0)
  t.same(await namesOf(), ['n'])
})

t.test('a file that changes, comes or goes has the table made again', async (t) => {
  service.put('obs/b.csv', 'n,m\n2,3\n')
  await untilSettled(service.datasets)
  await run()
  t.same(await namesOf(), ['n', 'm'])
  t.equal(await run(), 0)
  service.put('obs/c.csv', 'k\n7\n')
  await untilSettled(service.datasets)
  await run()
  t.same(await namesOf(), ['n', 'm', 'k'])
  rmSync(service.at('obs/b.csv'))
  await run()
  t.same(await namesOf(), ['n', 'k'])
})

t.test('a table that is not the one that was made is made again', async (t) => {
  await untilSettled(service.datasets)
  await run()
  t.equal(await run(), 0)
  t.equal(await service.command('DROP TABLE obs'), '')
  await run()
  t.same(await namesOf(), ['n', 'k'])
  t.equal(
    await service.command("CREATE OR REPLACE EXTERNAL TABLE obs STORED AS CSV LOCATION 'obs/a.csv'"),
    '',
  )
  await run()
  t.same(await namesOf(), ['n'], 'a table of yours stays')
})
