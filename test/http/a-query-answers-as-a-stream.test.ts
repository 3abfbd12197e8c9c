import { Readable } from 'node:stream'
import t from 'tap'
import type { QueryService, ReceivedQuery } from '../../src/main/query/run/service.ts'
import { answering, post, QUERY_ID, runningQuery, startTestServer } from './test-server.ts'

t.test('with its id and its type, chunked', async (t) => {
  const { url } = await startTestServer(t, { queries: answering('one', 'two') })
  const answer = await post(`${url}/api/query`, { select: ['a'] })
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('content-type'), 'application/vnd.apache.arrow.stream')
  t.equal(answer.headers.get('x-service-query-id'), QUERY_ID)
  t.equal(answer.headers.get('transfer-encoding'), 'chunked')
  t.equal(answer.headers.get('content-disposition'), null)
  t.equal(answer.headers.get('content-encoding'), null)
  t.equal(await answer.text(), 'onetwo')
})

t.test('a file has a name', async (t) => {
  const run: QueryService['run'] = async () => ({
    ...runningQuery(Readable.from([Buffer.from('a\n1\n')])),
    contentType: 'text/csv',
    fileName: 'output.csv',
  })
  const { url } = await startTestServer(t, { queries: { run }, env: { SERVICE_NAME: 'ocean' } })
  const answer = await post(`${url}/api/query`, { select: ['a'], output: { format: 'csv' } })
  t.equal(answer.headers.get('content-type'), 'text/csv')
  t.equal(answer.headers.get('content-disposition'), 'attachment; filename="output.csv"')
  t.equal(answer.headers.get('x-ocean-query-id'), QUERY_ID)
})

t.test('its integers arrive exactly', async (t) => {
  const seen: ReceivedQuery[] = []
  const run: QueryService['run'] = async (query) => {
    seen.push(query)
    return runningQuery(Readable.from([]))
  }
  const { url } = await startTestServer(t, { queries: { run } })
  await post(`${url}/api/query`, '{"select":["a"],"filters":[{"column":"a","eq":9007199254740993}]}')
  t.match(JSON.stringify(seen[0]?.json), '9007199254740993')
})

t.test('the first bytes arrive before the last are made', async (t) => {
  const body = new Readable({ read() {} })
  body.push('first')
  const { url } = await startTestServer(t, { queries: { run: async () => runningQuery(body) } })
  const answer = await post(`${url}/api/query`, { select: ['a'] })
  const reader = answer.body?.getReader()
  t.equal(Buffer.from((await reader?.read())?.value ?? []).toString(), 'first')
  body.push('last')
  body.push(null)
  t.equal(Buffer.from((await reader?.read())?.value ?? []).toString(), 'last')
  t.equal((await reader?.read())?.done, true)
})

t.test('an error after the first byte breaks the connection', async (t) => {
  const body = new Readable({ read() {} })
  body.push('first')
  const { url } = await startTestServer(t, { queries: { run: async () => runningQuery(body) } })
  const answer = await post(`${url}/api/query`, { select: ['a'] })
  t.equal(answer.status, 200)
  body.destroy(new Error('the file was replaced'))
  await t.rejects(answer.text())
})

t.test('the plan is indented, the measured plan is not', async (t) => {
  const plan = [{ Plan: { 'Node Type': 'TableScan', Plans: [], Output: ['a'] } }]
  const queries = { explain: async () => plan, explainAnalyze: async () => plan }
  const { url } = await startTestServer(t, { queries })
  const explained = await post(`${url}/api/explain-query`, { select: ['a'] })
  t.match(explained.headers.get('content-type'), /^application\/json/)
  t.equal(await explained.text(), JSON.stringify(plan, null, 2))
  const analyzed = await post(`${url}/api/explain-analyze-query`, { select: ['a'] })
  t.equal(await analyzed.text(), JSON.stringify(plan))
  t.equal(analyzed.headers.get('x-service-query-id'), null)
})

t.test('parsing answers 200 and nothing, and runs nothing', async (t) => {
  const { url } = await startTestServer(t)
  for (const body of [
    { sql: 'SELECT 1' },
    { select: ['a'], from: 'no_such_table' },
    { select: [{ value: 1 }] },
  ]) {
    const answer = await post(`${url}/api/parse-query`, body)
    t.equal(answer.status, 200)
    t.equal(await answer.text(), '')
  }
})

t.test('metrics are passed on as they are, whatever the case of the id', async (t) => {
  const ids: string[] = []
  const metrics = (id: string) => {
    ids.push(id)
    return '{"result_num_rows":9007199254740993}'
  }
  const { url } = await startTestServer(t, { queries: { metrics } })
  const answer = await fetch(`${url}/api/query/metrics/${QUERY_ID.toUpperCase()}`)
  t.match(answer.headers.get('content-type'), /^application\/json/)
  t.equal(await answer.text(), '{"result_num_rows":9007199254740993}')
  t.same(ids, [QUERY_ID])
})
