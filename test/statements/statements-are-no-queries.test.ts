import t, { type Test } from 'tap'
import type { ReceivedQuery } from '../../src/main/query/run/service.ts'
import { answering, basic, post, SUPER_USER, startTestServer } from '../http/test-server.ts'

const STATEMENTS = [
  ...['DROP TABLE t', 'CREATE VIEW v AS SELECT 1', 'REFRESH t', 'SHOW CREATE TABLE t'],
  ...[
    'CREATE TABLE t (a INT)',
    'INSERT INTO t VALUES (1)',
    "CREATE USER u WITH PASSWORD 'p'",
    "SET EXTENSION 'mcp' FOR t TO '{}'",
  ],
  "CREATE VIEW v AS SELECT * FROM 'no query'",
  "CREATE EXTERNAL TABLE t STORED AS CSV LOCATION 'a.csv'",
]

/** A server that counts the queries it runs. */
async function counting(t: Test, env: Record<string, string> = {}) {
  const ran: ReceivedQuery[] = []
  const run: ReturnType<typeof answering>['run'] = (query, caller, signal) => {
    ran.push(query)
    return answering('rows').run(query, caller, signal)
  }
  const explained = async (query: ReceivedQuery): Promise<unknown> => ran.push(query)
  const queries = { run, explain: explained, explainAnalyze: explained }
  const { url } = await startTestServer(t, { queries, env })
  return { url, ran }
}

t.test('GET and the routes that explain refuse them', async (t) => {
  const { url, ran } = await counting(t)
  for (const sql of [...STATEMENTS, 'DESCRIBE SELECT 1', 'summarize t']) {
    const word = sql.split(' ')[0]?.toUpperCase()
    const message = `${word} begins a statement that is no query, which only POST /api/query runs; here a query is expected`
    const q = encodeURIComponent(JSON.stringify({ sql }))
    for (const answer of [
      await fetch(`${url}/api/query?q=${q}`, { headers: SUPER_USER }),
      await post(`${url}/api/explain-query`, { sql }, SUPER_USER),
      await post(`${url}/api/explain-analyze-query`, { sql }, SUPER_USER),
    ]) {
      t.equal(answer.status, 400, sql)
      t.equal(await answer.json(), message)
    }
    t.equal((await fetch(`${url}/api/query?q=${q}`, { method: 'HEAD', headers: SUPER_USER })).status, 400)
    t.equal((await post(`${url}/api/parse-query`, { sql })).status, 200, 'its members are those of a request')
  }
  t.same(ran, [])
})

t.test('all but DESCRIBE, SUMMARIZE and most of SHOW need the super-user', async (t) => {
  const { url } = await counting(t)
  for (const sql of STATEMENTS)
    for (const output of [null, { format: 'csv' }]) {
      const answer = await post(`${url}/api/query`, { sql, output })
      t.equal(answer.status, 400, sql)
      t.match(await answer.json(), 'super-user')
    }
  for (const sql of ['DESCRIBE t', 'SUMMARIZE t', 'SHOW TABLES', 'SHOW COLUMNS IN t', 'SHOW FUNCTIONS']) {
    const answer = await post(`${url}/api/query`, { sql })
    t.notMatch(await answer.text(), 'super-user', sql)
  }
  const wrong = await post(`${url}/api/query`, { sql: 'DROP TABLE t' }, { authorization: basic('a', 'b') })
  t.equal(wrong.status, 401)
})

t.test('those of later versions say that they are not there yet', async (t) => {
  const { url } = await counting(t)
  for (const [sql, words] of [
    ['INSERT INTO t VALUES (1)', 'INSERT'],
    ['CREATE OR REPLACE TABLE t AS SELECT 1', 'CREATE TABLE'],
    ['show indexes', 'SHOW INDEXES'],
  ])
    for (const output of [null, { format: 'csv' }]) {
      const answer = await post(`${url}/api/query`, { sql, output }, SUPER_USER)
      t.equal(answer.status, 400)
      t.equal(await answer.json(), `${words} is not there yet: this version cannot run it.`)
    }
})

t.test('an output format is refused where no rows come, before anything happens', async (t) => {
  const { url } = await counting(t)
  for (const sql of ['DROP TABLE t', 'CREATE VIEW v AS SELECT 1', 'REFRESH t', STATEMENTS.at(-1)]) {
    const answer = await post(`${url}/api/query`, { sql, output: { format: 'csv' } }, SUPER_USER)
    t.equal(answer.status, 400)
    t.match(await answer.json(), /^output: the answer to this statement has no rows/)
  }
})

t.test('without SQL there are none, for the super-user too', async (t) => {
  const { url } = await counting(t, { SERVICE_ENABLE_SQL: 'false' })
  for (const sql of [...STATEMENTS, 'DESCRIBE t'])
    for (const headers of [{}, SUPER_USER]) {
      const answer = await post(`${url}/api/query`, { sql }, headers)
      t.equal(answer.status, 400)
      t.equal(await answer.json(), 'SQL queries are not enabled')
    }
})
