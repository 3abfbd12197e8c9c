import t from 'tap'
import { answering, post, SUPER_USER, startTestServer } from './test-server.ts'

const queries = { ...answering('rows'), explain: async () => [], explainAnalyze: async () => [] }
const sql = { sql: 'SELECT 1' }

t.test('running and analysing SQL is then 400, for the super-user too', async (t) => {
  const { url } = await startTestServer(t, { queries, env: { SERVICE_ENABLE_SQL: 'false' } })
  for (const path of ['/api/query', '/api/explain-analyze-query'])
    for (const headers of [{}, SUPER_USER]) {
      const answer = await post(url + path, sql, headers)
      t.equal(answer.status, 400)
      t.equal(await answer.json(), 'SQL queries are not enabled')
    }
})

t.test('JSON queries still run, and SQL is still parsed and explained', async (t) => {
  const { url } = await startTestServer(t, { queries, env: { SERVICE_ENABLE_SQL: 'false' } })
  t.equal((await post(`${url}/api/query`, { select: ['a'] })).status, 200)
  t.equal((await post(`${url}/api/parse-query`, sql)).status, 200)
  t.equal((await post(`${url}/api/explain-query`, sql)).status, 200)
})

t.test('it is on by default', async (t) => {
  const { url } = await startTestServer(t, { queries })
  t.equal((await post(`${url}/api/query`, sql)).status, 200)
})
