import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import t from 'tap'
import { createRowWalk } from '../../src/main/remotes/mysql/row-walk.ts'
import { createCopyOut, type WireConnection } from '../../src/main/remotes/postgres/copy-out.ts'
import { createCopyWalk } from '../../src/main/remotes/postgres/copy-walk.ts'
import { field } from '../../src/plan/types/schema.ts'
import { COPY_HEAD, copyAnswer, copyRow, int16 } from '../postgres/fake-server.ts'

const WORDS = [field('word', { kind: 'utf8' })]
const CHUNK_BYTES = 64 << 10

const refuse = (what: string): never => {
  throw new TypeError(what)
}

/** The bytes in chunks as sockets give them, each in memory of its own. */
function chunksOf(bytes: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / CHUNK_BYTES) }, (_, index) => {
    const part = bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES)
    const chunk = Buffer.allocUnsafeSlow(part.length)
    chunk.set(part)
    return chunk
  })
}

/** Whether the memory of a chunk has been given back. What is small is left to the garbage collector. */
const isFreed = (chunk: Buffer): boolean => chunk.buffer.byteLength === 0

t.test('of PostgreSQL, once the next ones are asked for', async (t) => {
  const rows = Buffer.concat([
    COPY_HEAD,
    ...Array.from({ length: 300 }, (_, i) => copyRow(Buffer.alloc(1000 + i, `${i} `))),
    int16(-1),
  ])
  const sent = copyAnswer(
    ...Array.from({ length: Math.ceil(rows.length / 999) }, (_, i) => rows.subarray(i * 999, (i + 1) * 999)),
  )
  const chunks = chunksOf(sent)
  const stream = new PassThrough({ highWaterMark: 1 << 30 })
  stream.on('data', () => {})
  const out = createCopyOut('COPY', (what) => new TypeError(what))
  const connection: WireConnection = Object.assign(new EventEmitter(), { stream, query: () => {} })
  ;(out.query as { submit(connection: WireConnection): void }).submit(connection)
  for (const chunk of chunks) stream.emit('data', chunk)
  ;(out.query as { handleReadyForQuery(): void }).handleReadyForQuery()
  const walk = createCopyWalk(WORDS, refuse)
  const received: Buffer[] = []
  for await (const bytes of out.chunks()) {
    walk.feed(bytes)
    received.push(Buffer.from(bytes))
  }
  t.ok(Buffer.concat(received).equals(rows), 'the rows are those that were sent')
  t.equal(
    walk.finish().blocks.reduce((sum, block) => sum + block.rows, 0),
    300,
  )
  t.ok(chunks.slice(0, -1).every(isFreed), 'no chunk waits for the garbage collector')
})

t.test('of MySQL, also where packets lie in two chunks', (t) => {
  const packets = Array.from({ length: 300 }, (_, i) => {
    const body = Buffer.alloc(1000 + i, `${i} `)
    body[0] = 0
    const head = Buffer.from([body.length & 0xff, body.length >> 8, 0, i & 0xff])
    return { head, body }
  })
  const end = Buffer.from([5, 0, 0, 300 & 0xff, 0xfe, 0, 0, 0, 0])
  const chunks = chunksOf(Buffer.concat([...packets.flatMap(({ head, body }) => [head, body]), end]))
  const walk = createRowWalk(WORDS, 0, refuse)
  const received: Buffer[] = []
  for (const chunk of chunks) for (const bytes of walk.feed(chunk)) received.push(Buffer.from(bytes))
  const expected = packets.flatMap(({ head: [low = 0, high = 0], body }) => [
    Buffer.from([low, high, 0, 0]),
    body,
  ])
  t.ok(Buffer.concat(received).equals(Buffer.concat(expected)), 'the rows are those that were sent')
  t.ok(walk.end?.bytes.equals(end), 'what follows them has memory of its own')
  t.ok(chunks.slice(0, -1).every(isFreed), 'no chunk waits for the garbage collector')
  t.end()
})
