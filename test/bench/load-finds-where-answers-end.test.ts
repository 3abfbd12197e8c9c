import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { load, NUMBER } from '../../bench/load/load.ts'
import { createResponseReader } from '../../bench/load/response-reader.ts'

/** Statuses and bodies of what arrives in pieces of `size` bytes. */
function read(text: string, size: number): [number, string][] {
  const found: [number, string][] = []
  let body = ''
  const take = createResponseReader({
    body: (bytes) => {
      body += bytes.toString('latin1')
    },
    end: (status) => {
      found.push([status, body])
      body = ''
    },
  })
  const bytes = Buffer.from(text, 'latin1')
  for (let at = 0; at < bytes.length; at += size) take(bytes.subarray(at, at + size))
  return found
}

t.test('however a response is cut, its end is found', async (t) => {
  const text = [
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nx: y\r\n\r\nhello',
    'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\nA;x=y\r\n0123\r\n6789\r\n0\r\n\r\n',
    'HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n',
  ].join('')
  for (let size = 1; size <= text.length; size++)
    t.same(
      read(text, size),
      [
        [200, 'hello'],
        [304, ''],
        [200, 'hello0123\r\n6789'],
        [503, ''],
      ],
      `${size} bytes at once`,
    )
})

t.test('a response whose end nothing tells is an error', async (t) => {
  t.throws(() => read('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhello', 100), /without length/)
})

t.test('clients ask with numbers of their own and hand answers back', async (t) => {
  const server = createServer((request, response) => {
    request.setEncoding('utf8')
    let body = ''
    request.on('data', (text: string) => {
      body += text
    })
    request.on('end', () => response.end(`${request.method} ${request.url} ${body}`))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const options = { port, path: '/x', body: `[${NUMBER}]`, clients: 3, seconds: 0.2, sampleEvery: 1 }
  const { samples, perSecond, failures } = await load({ ...options, method: 'POST' })
  t.ok(perSecond > 0)
  t.equal(failures, 0)
  t.ok(samples.length > 3)
  for (const { number, body } of samples) t.equal(String(body), `POST /x [${number}]`)
  t.equal(new Set(samples.map(({ number }) => number)).size, samples.length)
  const got = await load({ ...options, method: 'GET' })
  t.match(String(got.samples[0]?.body), /^GET \/x $/)
})
