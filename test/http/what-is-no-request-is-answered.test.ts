import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { runningQuery, send, startTestServer } from './test-server.ts'

/** Sends bytes, and returns the whole answer. */
async function answerTo(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(bytes, 'latin1')
  return text(socket)
}

t.test('headers that are too large are 431, and pages may read why', async (t) => {
  const { url } = await startTestServer(t)
  const { message, text } = await send(`${url}/api/query?q=${'x'.repeat(20_000)}`, { method: 'GET' })
  t.equal(message.statusCode, 431)
  t.equal(message.headers['content-type'], 'application/json; charset=utf-8')
  t.equal(message.headers['access-control-allow-origin'], '*')
  t.equal(
    JSON.parse(text),
    'The URL and the headers have more than 16384 bytes; send a long query as the body of POST /api/query.',
  )
})

t.test('with named origins nobody is let in before the origin is known', async (t) => {
  const { url } = await startTestServer(t, { env: { SERVICE_CORS_ALLOWED_ORIGINS: 'https://a.example' } })
  const { message } = await send(`${url}/${'x'.repeat(20_000)}`, { method: 'GET' })
  t.equal(message.statusCode, 431)
  t.equal(message.headers['access-control-allow-origin'], undefined)
})

t.test('a client that speaks TLS is told to leave it', async (t) => {
  const { url } = await startTestServer(t)
  const answer = await answerTo(url, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03')
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  t.match(head, /^HTTP\/1\.1 400 Bad Request\r\n/)
  t.match(JSON.parse(body), /is not HTTP\/1\.1 .* begins with http:\/\//)
})

t.test('a length that is no number, and a length beside chunks, are 400', async (t) => {
  const { url } = await startTestServer(t)
  for (const header of ['content-length: many', 'content-length: 2\r\ntransfer-encoding: chunked']) {
    const answer = await answerTo(url, `POST /api/query HTTP/1.1\r\nhost: x\r\n${header}\r\n\r\n{}`)
    t.match(answer, /^HTTP\/1\.1 400 /)
    t.type(JSON.parse(answer.split('\r\n\r\n')[1] ?? ''), 'string')
  }
})

t.test('an answer that is under way is broken off, and nothing is written into it', async (t) => {
  const body = new Readable({ read() {} })
  body.push('first')
  const { url } = await startTestServer(t, { queries: { run: async () => runningQuery(body) } })
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const query = '{"select":["a"]}'
  const headers = `host: x\r\ncontent-type: application/json\r\ncontent-length: ${query.length}`
  socket.write(`POST /api/query HTTP/1.1\r\n${headers}\r\n\r\n${query}`)
  let received = ''
  while (!received.includes('first')) received += (await once(socket, 'data'))[0]
  socket.write('no request\r\n\r\n')
  received += await text(socket)
  t.match(received, /\r\n5\r\nfirst\r\n$/)
  t.ok(body.destroyed, 'the query is ended')
})
