import t from 'tap'
import { type ErrorCode, ServiceError } from '../../src/plan/errors.ts'
import { post, QUERY_ID, startTestServer } from './test-server.ts'

function failing(code: ErrorCode, message: string) {
  const fail = async (): Promise<never> => {
    throw new ServiceError(code, message)
  }
  return { run: fail, explain: fail, explainAnalyze: fail, schema: fail }
}

t.test('the query family answers one JSON string', async (t) => {
  const { url } = await startTestServer(t, { queries: failing('unknown_column', 'there is no column "é"') })
  for (const path of ['/api/query', '/api/explain-query', '/api/explain-analyze-query']) {
    const answer = await post(url + path, { sql: 'SELECT é' })
    t.equal(answer.status, 400)
    t.match(answer.headers.get('content-type'), /^application\/json/)
    t.equal(await answer.json(), 'there is no column "é"')
  }
  for (const path of ['/api/query', '/api/parse-query', '/api/explain-query', '/api/explain-analyze-query']) {
    for (const body of [{}, { not_a_query: true }, { select: ['a'], limmit: 1 }]) {
      const answer = await post(url + path, body)
      t.equal(answer.status, 400)
      t.type(await answer.json(), 'string')
    }
  }
})

t.test('every other handler answers plain text', async (t) => {
  const { url } = await startTestServer(t, { queries: failing('unreadable_file', 'a.parquet is cut short') })
  const answer = await fetch(`${url}/api/dataset-schema?file=a.parquet`)
  t.equal(answer.status, 400)
  t.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
  t.equal(await answer.text(), 'a.parquet is cut short')
})

t.test('metrics: 400 for what is no id, 404 for what is not known', async (t) => {
  const { url } = await startTestServer(t)
  const noId = await fetch(`${url}/api/query/metrics/nope`)
  t.equal(noId.status, 400)
  t.equal(await noId.json(), 'Invalid UUID format')
  const unknown = await fetch(`${url}/api/query/metrics/${QUERY_ID}`)
  t.equal(unknown.status, 404)
  t.equal(await unknown.json(), 'Query ID not found')
  t.equal((await fetch(`${url}/api/query/metrics/${'a'.repeat(2000)}`)).status, 400)
})

t.test('a full queue is 503 and says when to come again', async (t) => {
  const { url } = await startTestServer(t, { queries: failing('overloaded', 'too many') })
  const answer = await post(`${url}/api/query`, { sql: 'SELECT 1' })
  t.equal(answer.status, 503)
  t.equal(answer.headers.get('retry-after'), '1')
})

t.test('what went wrong inside stays inside', async (t) => {
  const fail = async (): Promise<never> => {
    throw new Error('password of the database: secret')
  }
  const { url } = await startTestServer(t, { queries: { run: fail, schema: fail } })
  const query = await post(`${url}/api/query`, { sql: 'SELECT 1' })
  t.equal(query.status, 500)
  t.notMatch(await query.json(), /secret/)
  const schema = await fetch(`${url}/api/dataset-schema?file=a.parquet`)
  t.equal(schema.status, 500)
  t.notMatch(await schema.text(), /secret/)
})
