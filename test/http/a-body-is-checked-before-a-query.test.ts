import t from 'tap'
import { answering, post, send, startTestServer } from './test-server.ts'

const ENDPOINTS = ['/api/query', '/api/parse-query', '/api/explain-query', '/api/explain-analyze-query']

t.test('a body that is not declared as JSON is 415', async (t) => {
  const { url } = await startTestServer(t)
  for (const path of ENDPOINTS) {
    for (const type of [
      undefined,
      'text/plain',
      'application/jsonx',
      'application/x-www-form-urlencoded',
      'nonsense',
    ]) {
      const headers = type === undefined ? {} : { 'content-type': type }
      const { message, text } = await send(`${url}${path}`, { method: 'POST', headers }, '{"sql":"SELECT 1"}')
      t.equal(message.statusCode, 415, `${path} ${type}`)
      t.match(message.headers['content-type'], /^application\/json/)
      t.match(JSON.parse(text), type === undefined ? 'has no type' : `found "${type}"`)
    }
  }
})

t.test('a request without a body and a type is 415', async (t) => {
  const { url } = await startTestServer(t)
  const { message } = await send(`${url}/api/query`, { method: 'POST' })
  t.equal(message.statusCode, 415)
})

t.test('JSON may be called by any of its types', async (t) => {
  const { url } = await startTestServer(t)
  for (const type of [
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/ld+json',
    'application/json ;x=y',
  ]) {
    const answer = await post(`${url}/api/parse-query`, { sql: 'SELECT 1' }, { 'content-type': type })
    t.equal(answer.status, 200, type)
  }
})

t.test('what is not JSON is 400, with line and column', async (t) => {
  const { url } = await startTestServer(t)
  for (const path of ENDPOINTS) {
    const answer = await post(url + path, '{"sql": nope}')
    t.equal(answer.status, 400)
    t.match(answer.headers.get('content-type'), /^application\/json/)
    t.equal(
      await answer.json(),
      'The query is not valid JSON: line 1, column 9: expected a value, found "nope"; names and texts are in double quotes.',
    )
  }
  for (const body of ['', '{"sql":', '{}{}', '\uFEFF{}']) {
    const answer = await post(`${url}/api/query`, body)
    t.equal(answer.status, 400, JSON.stringify(body))
    t.match(answer.headers.get('content-type'), /^application\/json/)
    t.match(await answer.json(), /^The query is not valid JSON: /)
  }
})

t.test('a body that is not UTF-8 is 400', async (t) => {
  const { url } = await startTestServer(t)
  const answer = await fetch(`${url}/api/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from([...Buffer.from('{"sql":"'), 0xff, ...Buffer.from('"}')]),
  })
  t.equal(answer.status, 400)
  t.match(await answer.text(), /UTF-8/)
})

t.test('JSON that is no object is 422', async (t) => {
  const { url } = await startTestServer(t)
  for (const path of ENDPOINTS) {
    for (const body of ['[]', 'null', '"text"', '1', 'true', '12345678901234567890']) {
      const answer = await post(url + path, body)
      t.equal(answer.status, 422, `${path} ${body}`)
      t.match(answer.headers.get('content-type'), /^application\/json/)
      t.match(await answer.json(), 'A query is a JSON object')
    }
  }
})

t.test('a body of 2 MiB is read, a larger one is 413', async (t) => {
  const { url } = await startTestServer(t, { queries: answering('rows') })
  const limit = 2 * 1024 * 1024
  const bodyOf = (bytes: number) => `{"sql":"${'x'.repeat(bytes - 10)}"}`
  t.equal((await post(`${url}/api/query`, bodyOf(limit))).status, 200)
  const refused = await post(`${url}/api/query`, bodyOf(limit + 1))
  t.equal(refused.status, 413)
  t.match(await refused.text(), String(limit))
  const chunked = await fetch(`${url}/api/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: new Blob([bodyOf(limit + 1)]).stream(),
    duplex: 'half',
  } as RequestInit)
  t.equal(chunked.status, 413, 'also when its length is not announced')
  t.match(await chunked.json(), String(limit))
})

t.test('a GET may say that it has JSON and have no body', async (t) => {
  const { url } = await startTestServer(t)
  const answer = await fetch(`${url}/api/tables`, { headers: { 'content-type': 'application/json' } })
  t.equal(answer.status, 200)
})
