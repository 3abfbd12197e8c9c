import t from 'tap'
import { startTables } from '../../external/tables.ts'
import { basic } from '../../http/test-server.ts'

/** What the super-user alone may send, later statements too. */
const STATEMENTS = [
  "CREATE EXTERNAL TABLE t STORED AS CSV LOCATION 'a.csv'",
  "CREATE OR REPLACE EXTERNAL TABLE obs STORED AS CSV LOCATION 'a.csv'",
  "CREATE EXTERNAL TABLE IF NOT EXISTS obs STORED AS CSV LOCATION 'a.csv'",
  'CREATE VIEW t AS SELECT 1 AS one',
  'CREATE OR REPLACE VIEW obs AS SELECT 1 AS one',
  'DROP TABLE obs',
  'DROP VIEW IF EXISTS nothing',
  'REFRESH obs',
  'SHOW CREATE TABLE obs',
  'CREATE TABLE t AS SELECT 1',
  'CREATE MATERIALIZED VIEW t AS SELECT 1',
  "ATTACH 'http://x' AS y",
  'DETACH y',
  'INSERT INTO obs VALUES (1)',
  'CREATE CRAWLER c',
  'CREATE USER u',
  'GRANT SELECT ON obs TO u',
  'SHOW SECRETS',
  '/* a comment */ drop /* and another */ table obs -- the end',
  '   \n\tDrop\nTable obs;',
]

t.test('others get a 400 that says so, and nothing has changed', async (t) => {
  const { put, command, ask, settle, url, query } = await startTables(t)
  put('a.csv', 'n\n1\n')
  await settle()
  t.equal(await command("CREATE EXTERNAL TABLE obs STORED AS CSV LOCATION 'a.csv'"), '')
  for (const sql of STATEMENTS) {
    const response = await query({ sql })
    t.equal(response.status, 400, sql)
    t.match(await response.json(), /super-user/, sql)
    t.equal(response.headers.get('etag'), null)
    const withOutput = await query({ sql, output: { format: 'csv' } })
    t.match(await withOutput.json(), /super-user/, `${sql}, with output`)
  }
  const posted = await fetch(`${url}/api/admin/external-tables`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 't', location: 'a.csv', file_type: 'csv' }),
  })
  t.equal(posted.status, 401)
  const wrong = await query(
    { sql: 'DROP TABLE obs' },
    { headers: { 'content-type': 'application/json', authorization: basic('service-admin', 'wrong') } },
  )
  t.equal(wrong.status, 401)
  t.same(await (await fetch(`${url}/api/tables`)).json(), ['default', 'obs'])
  t.same(await ask('FROM obs'), ['n', '1'])
  t.equal(await command('DROP TABLE obs'), '', 'the super-user may')
})
