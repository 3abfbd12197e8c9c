import t from 'tap'
import { SUPER_USER } from '../http/test-server.ts'
import { startTables } from './tables.ts'

const first = await startTables(t)
const { put, settle } = first
put('obs/year=2024/a.csv', 'n;s\n1,5;x\n')
put('plain.csv', 'n\n1\n')
await settle()

const CREATED = [
  `CREATE EXTERNAL TABLE "With ""quotes""" STORED AS CSV LOCATION 'plain.csv'`,
  `CREATE EXTERNAL TABLE obs STORED AS CSV PARTITIONED BY (year INT) LOCATION 'obs/' OPTIONS (delimiter ';', decimal ',', password 'hunter2')`,
  `CREATE EXTERNAL TABLE declared (n VARCHAR NOT NULL, m DECIMAL(10, 2)) STORED AS PARQUET WITH ORDER (n DESC) LOCATION 'nothing/'`,
  `CREATE EXTERNAL TABLE empty STORED AS NC LOCATION 'it''s/empty/'`,
]

const QUERIES = [
  { from: 'With "quotes"', select: ['n'] },
  { sql: 'SELECT * FROM obs WHERE year = 2024' },
  { sql: 'SELECT n, m FROM declared' },
  { from: 'empty', select: [{ value: 1, alias: 'one' }] },
]

t.test('with all that was said of them', async (t) => {
  for (const sql of CREATED) t.equal(await first.command(sql), '', sql)
  const byRest = await fetch(`${first.url}/api/admin/external-tables`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...SUPER_USER },
    body: JSON.stringify({ name: 'a.b', location: 'plain.csv', file_type: 'csv' }),
  })
  t.equal(byRest.status, 200)
  const schemas = await allColumns(first.url)
  const answers = await Promise.all(QUERIES.map(first.ask))
  t.match(answers, [['n', '1'], ['n,s,year', '1.5,x,2024'], ['n,m'], ['one']])
  await first.close()

  const again = await startTables(t, { settings: { SERVICE_DATA_DIR: first.dataDir } })
  t.same(await allColumns(again.url), schemas)
  t.same(await Promise.all(QUERIES.map(again.ask)), answers)
  t.same(await again.ask({ from: 'a.b', select: ['n'] }), ['n', '1'])
  first.put('plain.csv', 'n,m\n1,2\n')
  t.equal(await again.command('REFRESH TABLE "a.b"'), '')
  t.same(await again.ask('SELECT * FROM "a.b"'), ['n,m', '1,2'])
})

async function allColumns(url: string): Promise<unknown> {
  return (await fetch(`${url}/api/tables-with-schema`)).json()
}
