import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { send, startTestServer } from './test-server.ts'

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
