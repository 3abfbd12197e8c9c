import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { freeAfterSend } from '../../src/main/output/free-after-send.ts'
import { freeMemory } from '../../src/plan/free-memory.ts'

const MIB = 1 << 20

/** Chunks, each in its own memory. All bytes of the n-th are n. */
function chunksOf(count: number): Buffer[] {
  return Array.from({ length: count }, (_, n) => Buffer.from(new ArrayBuffer(MIB)).fill(n))
}

/** The response that a client of a server with this body gets. */
async function serve(
  t: Test,
  body: Readable,
  onRequest = (_: ServerResponse) => {},
): Promise<IncomingMessage> {
  const server = createServer((_, response) => {
    onRequest(response)
    body.pipe(response)
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const [response] = (await once(request({ port, host: '127.0.0.1' }).end(), 'response')) as [IncomingMessage]
  return response
}

t.test('a body arrives whole and leaves no memory behind', async (t) => {
  const chunks = chunksOf(40)
  const response = await serve(t, freeAfterSend(Readable.from(chunks, { objectMode: false })))
  const bytes = Buffer.concat(await response.toArray())
  t.equal(bytes.length, 40 * MIB)
  for (let n = 0; n < 40; n++) t.ok(bytes.subarray(n * MIB, (n + 1) * MIB).every((byte) => byte === n))
  t.strictSame(
    chunks.filter(({ byteLength }) => byteLength > 0),
    [],
  )
})

t.test('a client that does not read is waited for', async (t) => {
  const chunks = chunksOf(64)
  const body = freeAfterSend(Readable.from(chunks, { objectMode: false, highWaterMark: MIB }))
  let mostWaiting = 0
  let stops: Promise<unknown> = Promise.resolve()
  const response = await serve(t, body, (sent) => {
    stops = Promise.race([once(body, 'pause'), once(body, 'end')])
    body.on('data', () => {
      mostWaiting = Math.max(mostWaiting, sent.writableLength)
    })
  })
  await stops
  t.ok(
    chunks.some(({ byteLength }) => byteLength > 0),
    'most of it is still here',
  )
  t.equal(
    (await response.toArray()).reduce((sum, { length }) => sum + length, 0),
    64 * MIB,
  )
  t.ok(mostWaiting <= 2 * MIB, 'no more than the chunk that was too much, and its successor')
})

t.test('a body whose beginning was read before arrives whole', async (t) => {
  const body = freeAfterSend(Readable.from(chunksOf(4), { objectMode: false }))
  const first = await new Promise<Buffer>((resolve) => {
    body.once('data', (chunk: Buffer) => {
      body.pause()
      resolve(chunk)
    })
  })
  body.unshift(first)
  const response = await serve(t, body)
  t.equal(
    (await response.toArray()).reduce((sum, { length }) => sum + length, 0),
    4 * MIB,
  )
})

t.test('memory that others may use too stays', async (t) => {
  const shared = Buffer.from(new ArrayBuffer(2 * MIB))
  const [part, small] = [shared.subarray(0, MIB), Buffer.from('small')]
  const response = await serve(t, freeAfterSend(Readable.from([part, small], { objectMode: false })))
  await response.toArray()
  t.equal(part.byteLength, MIB)
  t.equal(small.toString(), 'small')
})

t.test('a chunk as large as a socket gives is freed, and nothing in the pool of Node', async (t) => {
  const chunk = Buffer.allocUnsafeSlow(64 << 10)
  const pooled = Buffer.allocUnsafe(Buffer.poolSize / 2 - 1).fill(7)
  for (const each of [chunk, pooled]) freeMemory(each)
  t.equal(chunk.byteLength, 0)
  t.ok(pooled.byteLength > 0 && pooled.every((byte) => byte === 7))
})
