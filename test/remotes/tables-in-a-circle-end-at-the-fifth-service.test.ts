import t from 'tap'
import { startTables } from '../external/tables.ts'

const service = await startTables(t)
const { port } = new URL(service.url)

t.test('a table that names itself', async (t) => {
  service.put('a.csv', 'n\n1\n')
  await service.settle()
  t.equal(await service.command("CREATE EXTERNAL TABLE a STORED AS CSV LOCATION 'a.csv'"), '')
  const itself = `CREATE OR REPLACE EXTERNAL TABLE a STORED AS REMOTE LOCATION 'service://127.0.0.1:${port}/a'`
  t.equal(await service.command(itself), '')
  const answer = await service.post({ sql: 'SELECT n FROM a' })
  t.equal(answer.status, 400)
  const asSuper = await service.command('CREATE VIEW v AS SELECT n FROM a')
  t.equal(asSuper, '')
})

t.test('the header is a number below five', async (t) => {
  const ask = (hops: string) => service.post({ sql: 'SELECT 1 AS one' }, { 'x-service-hops': hops })
  t.equal((await ask('4')).status, 200)
  for (const hops of ['5', '999999999']) {
    const answer = await ask(hops)
    t.equal(answer.status, 400)
    t.match(await answer.json(), new RegExp(`come through ${hops} services`))
  }
  for (const hops of ['', '-1', '1e1', 'x', '99999999999']) t.equal((await ask(hops)).status, 400, hops)
})
