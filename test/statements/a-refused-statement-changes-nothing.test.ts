import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { startTestService } from '../e2e/service.ts'
import { post, SUPER_USER } from '../http/test-server.ts'

const { url, datasets } = await startTestService(t, { workers: 1 })
writeFileSync(join(datasets, 'obs.csv'), 'n,name\n1,a\n2,b\n')

const run = (sql: string, headers: Record<string, string> = SUPER_USER) =>
  post(`${url}/api/query`, { sql }, headers)
const tables = async (): Promise<unknown> => (await fetch(`${url}/api/tables`)).json()

t.test('whoever sends it, and in whatever way', async (t) => {
  const sql = "CREATE EXTERNAL TABLE obs STORED AS CSV LOCATION 'obs.csv'"
  const q = encodeURIComponent(JSON.stringify({ sql }))
  for (const [what, answer] of [
    ['anonymous', await run(sql, {})],
    ['output', await post(`${url}/api/query`, { sql, output: { format: 'csv' } }, SUPER_USER)],
    ['GET', await fetch(`${url}/api/query?q=${q}`, { headers: SUPER_USER })],
    ['explain', await post(`${url}/api/explain-query`, { sql }, SUPER_USER)],
    ['explain-analyze', await post(`${url}/api/explain-analyze-query`, { sql }, SUPER_USER)],
    ['EXPLAIN', await run(`EXPLAIN ANALYZE ${sql}`)],
    ['a second statement', await run(`${sql}; SELECT 1`)],
    ['behind a query', await run(`SELECT 1; ${sql}`)],
    ['in brackets', await run(`(${sql})`)],
    ['below WITH', await run(`WITH a AS (SELECT 1) ${sql}`)],
    ['as a table', await run(`FROM (${sql})`)],
  ] as const) {
    t.equal(answer.status, 400, what)
    t.type(await answer.json(), 'string')
    t.same(await tables(), ['default'], what)
  }
})

t.test('one that runs is answered with a stream without columns, and is run each time', async (t) => {
  const create =
    "create external table obs stored as csv location 'obs.csv' options (api_token 'hunter2') -- hunter2"
  const created = await run(create)
  t.equal(created.status, 200)
  t.equal(created.headers.get('etag'), null)
  const id = created.headers.get('x-service-query-id')
  const table = tableFromIPC(new Uint8Array(await created.arrayBuffer()))
  t.same([table.numCols, table.numRows], [0, 0])
  t.same(await tables(), ['default', 'obs'])
  t.match(await (await run(create)).json(), /There is a table "obs" already/)

  const metrics = await fetch(`${url}/api/query/metrics/${id}`, { headers: SUPER_USER })
  t.equal(metrics.status, 200)
  const text = await metrics.text()
  t.match(JSON.parse(text), {
    query_id: id,
    username: 'service-admin',
    query: {
      sql: "CREATE EXTERNAL TABLE obs STORED AS CSV LOCATION 'obs.csv' OPTIONS ('api_token' '***')",
      output: null,
    },
    result_num_rows: 0,
    node_metrics: { operator: 'Command' },
  })
  t.notMatch(text, 'hunter2')
  t.equal((await fetch(`${url}/api/query/metrics/${id}`)).status, 404, 'for anonymous')

  for (let i = 0; i < 3; i++) t.equal((await run('DROP TABLE IF EXISTS obs')).status, 200)
  t.match(await (await run('DROP TABLE obs')).json(), /There is no table or view "obs"/)
  t.same(await tables(), ['default'])
})

t.test('an error that binding finds has its place in the whole statement', async (t) => {
  for (const sql of [
    "/* ö */ CREATE VIEW v AS\n  SELECT nn FROM read_csv('obs.csv')",
    "DESCRIBE\n  SELECT nn FROM read_csv('obs.csv')",
    "SUMMARIZE\n  SELECT nn FROM read_csv('obs.csv') -- nn",
    "SUMMARIZE\n  SELECT nn + 1 FROM read_csv('obs.csv', delimiter = ',')",
  ])
    t.match(await (await run(sql)).json(), /line 2, column 10: .*nn/, sql)
  for (const name of ['nn', 'public.nn', 'Service.public."nn"'])
    t.match(await (await run(`SELECT * FROM ${name}`)).json(), /^sql, line 1, column 15: .*nn/, name)
  for (const sql of ['DESCRIBE nn', 'SUMMARIZE public.nn'])
    t.match(await (await run(sql)).json(), /^There is no table/)
})
