import t, { type Test } from 'tap'
import { startTestService } from '../e2e/service.ts'
import { send, startTestServer } from '../http/test-server.ts'
import { fc } from '../support/generate.ts'
import { ACCEPT, type Posted, postMessage, toolMessage } from './mcp-client.ts'

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

/** The error of an answer, which has to be one of JSON-RPC. */
function errorIn({ text, type }: Posted): { readonly code: number; readonly message: string } {
  const { jsonrpc, error } = JSON.parse(text)
  if (jsonrpc !== '2.0' || !/^application\/json/.test(type ?? '')) throw new Error(`${type}: ${text}`)
  return error
}

t.test('what is no message', async (t) => {
  const { url } = await startTestServer(t)
  for (const [body, status, code] of [
    ['', 400, -32_700],
    ['{', 400, -32_700],
    ['{"jsonrpc"', 400, -32_700],
    [new Uint8Array([0x7b, 0xff, 0x7d]), 400, -32_700],
    ['null', 422, -32_600],
    ['5', 422, -32_600],
    ['"tools/list"', 422, -32_600],
    ['[]', 422, -32_600],
    [JSON.stringify([LIST, LIST]), 422, -32_600],
    [JSON.stringify(Array.from({ length: 10_000 }, () => LIST)), 422, -32_600],
    ['{}', 400, -32_700],
    [{ ...LIST, jsonrpc: '1.0' }, 400, -32_700],
    [{ ...LIST, id: {} }, 400, -32_700],
    [{ ...LIST, method: 5 }, 400, -32_700],
    [{ ...LIST, method: 'tools/nothing' }, 200, -32_601],
    [{ ...LIST, method: 'resources/list' }, 200, -32_601],
    [{ ...LIST, method: '__proto__' }, 200, -32_601],
    [toolMessage('__proto__', {}), 200, -32_602],
    [toolMessage('constructor', {}), 200, -32_602],
    [toolMessage('x'.repeat(1_000_000), {}), 200, -32_602],
    ['['.repeat(1 << 20), 400, -32_700],
    [`${'['.repeat(900_000)}${']'.repeat(900_000)}`, 422, -32_600],
  ] as const) {
    const answer = await postMessage(url, body)
    const title = JSON.stringify(body).slice(0, 60)
    t.equal(answer.status, status, `${title}: ${answer.text.slice(0, 200)}`)
    t.equal(errorIn(answer).code, code, title)
    t.ok(answer.text.length < 1000, 'and little of it is repeated')
  }
  const answer = await postMessage(url, ' '.repeat((2 << 20) + 1))
  t.match(answer, { status: 413 })
  t.match(errorIn(answer), { code: -32_000, message: /2097152 bytes/ })
  for (const body of [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    { jsonrpc: '2.0', method: 'notifications/nothing' },
    { jsonrpc: '2.0', id: 5, result: {} },
  ])
    t.match(await postMessage(url, body), { status: 202, text: '' }, JSON.stringify(body))
})

t.test('arguments that are deep, of other types and with other names', async (t) => {
  const { url } = await startTestServer(t)
  const deep = `${'['.repeat(400_000)}${']'.repeat(400_000)}`
  for (const args of [
    `{"sql": ${deep}}`,
    `{"sql": {"sql": ${deep}}}`,
    `{"x": ${deep}}`,
    `{"__proto__": {"sql": 1}}`,
  ]) {
    const body = `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "run_sql", "arguments": ${args}}}`
    const answer = await postMessage(url, body)
    t.equal(answer.status, 200)
    t.ok(JSON.parse(answer.text).result.isError, args.slice(0, 40))
  }
  const [half, one] = [toolMessage('run_sql', { sql: '\ud800' }), toolMessage('run_sql', [])]
  t.ok(JSON.parse((await postMessage(url, half)).text).result.isError)
  t.ok('error' in JSON.parse((await postMessage(url, one)).text))
})

t.test('headers that are no use', async (t) => {
  const { url } = await startTestServer(t)
  for (const accept of ['text/html', 'application/json', 'text/event-stream', '*/*']) {
    const answer = await postMessage(url, LIST, { accept })
    t.equal(answer.status, 406, accept)
    t.match(errorIn(answer), { code: -32_000, message: /application\/json and text\/event-stream/ })
  }
  for (const type of ['text/plain', 'text/plain; a=application/json', 'application/x-www-form-urlencoded']) {
    const answer = await postMessage(url, LIST, { 'content-type': type })
    t.equal(answer.status, 415, type)
    errorIn(answer)
  }
  t.equal((await postMessage(url, LIST, { 'mcp-protocol-version': '1.0' })).status, 400)
  t.equal((await postMessage(url, LIST, { 'content-encoding': 'gzip' })).status, 415)
  for (const headers of [
    { 'mcp-session-id': 'x' },
    { 'last-event-id': '1' },
    { 'mcp-protocol-version': '2025-06-18' },
  ]) {
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: ACCEPT, ...headers },
      body: JSON.stringify(LIST),
    })
    t.equal(answer.status, 200)
    t.equal(answer.headers.get('mcp-session-id'), null, 'there are no sessions')
    await answer.text()
  }
  for (const host of ['a"b\\', 'a;b', `${'a'.repeat(300)}:1`]) {
    const message = toolMessage('export_query', { sql: 'SELECT 1', format: 'csv' })
    const { text } = await send(
      `${url}/mcp`,
      { method: 'POST', headers: { 'content-type': 'application/json', accept: ACCEPT, host } },
      JSON.stringify(message),
    )
    t.notOk(text.includes(host), 'a host that is none is not quoted')
  }
})

t.test('other methods', async (t) => {
  const { url } = await startTestServer(t)
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
    const answer = await fetch(`${url}/mcp`, { method, headers: { accept: 'text/event-stream' } })
    t.equal(answer.status, 405, method)
    t.equal(answer.headers.get('allow'), 'POST')
    await answer.text()
  }
})

t.test('pages of other origins', async (t) => {
  const { url } = await startTestServer(t, {
    env: { SERVICE_CORS_ALLOWED_ORIGINS: 'https://portal.example,http://localhost:8080' },
  })
  for (const origin of ['https://portal.example', 'http://localhost:8080'])
    t.equal((await postMessage(url, LIST, { origin })).status, 200, origin)
  for (const origin of [
    'https://evil.example',
    'null',
    'https://portal.example.evil',
    'http://portal.example',
    url,
  ]) {
    const answer = await postMessage(url, LIST, { origin })
    t.equal(answer.status, 403, origin)
    t.match(errorIn(answer), { code: -32_000, message: /SERVICE_CORS_ALLOWED_ORIGINS/ })
    const large = await postMessage(url, 'x'.repeat(3 << 20), { origin }).catch(() => null)
    t.ok(large === null || large.status === 403, 'before the body is read')
  }
  t.equal((await postMessage(url, LIST)).status, 200, 'a program has no origin')
  const any = await startTestServer(t)
  t.equal((await postMessage(any.url, LIST, { origin: 'https://evil.example' })).status, 200)
})

/** Messages that are nearly right. */
const MESSAGES = fc.record(
  {
    jsonrpc: fc.oneof(fc.constant('2.0'), fc.jsonValue()),
    id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
    method: fc.oneof(
      fc.constantFrom('initialize', 'ping', 'tools/list', 'tools/call', 'logging/setLevel'),
      fc.string(),
    ),
    params: fc.oneof(
      fc.record(
        {
          name: fc.oneof(
            fc.constantFrom('run_sql', 'list_tables', 'describe_table', 'export_query'),
            fc.string(),
          ),
          arguments: fc.oneof(
            fc.record(
              {
                sql: fc.oneof(fc.constantFrom('SELECT 1', 'SHOW TABLES', 'DROP TABLE x'), fc.jsonValue()),
                table: fc.jsonValue(),
                format: fc.oneof(fc.constant('csv'), fc.jsonValue()),
                name_contains: fc.jsonValue(),
              },
              { requiredKeys: [] },
            ),
            fc.jsonValue(),
          ),
          cursor: fc.jsonValue(),
          task: fc.jsonValue(),
          _meta: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
      fc.jsonValue(),
    ),
  },
  { requiredKeys: ['jsonrpc'] },
)

t.test('whatever is sent, the answer is of one of these forms', async (t: Test) => {
  const service = await startTestService(t, { workers: 1 })
  await fc.assert(
    fc.asyncProperty(fc.oneof({ weight: 4, arbitrary: MESSAGES }, fc.jsonValue()), async (message) => {
      const { status, type, text } = await postMessage(service.url, JSON.stringify(message))
      if (status === 202) return text === ''
      const { jsonrpc, id, result, error } = JSON.parse(text)
      const isOne = (result === undefined) !== (error === undefined)
      const isSame = status !== 200 || JSON.stringify(id) === JSON.stringify((message as { id?: unknown }).id)
      const isTold =
        error === undefined || (Number.isInteger(error.code) && typeof error.message === 'string')
      return (
        [200, 400, 422].includes(status) &&
        /json/.test(type ?? '') &&
        jsonrpc === '2.0' &&
        isOne &&
        isSame &&
        isTold
      )
    }),
    { numRuns: 300 },
  )
  t.match(await postMessage(service.url, toolMessage('run_sql', { sql: 'SELECT 1 AS n' })), {
    status: 200,
    text: /\{\\"n\\":1\}/,
  })
})
