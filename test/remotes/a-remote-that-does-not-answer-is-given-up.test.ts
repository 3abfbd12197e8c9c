import { once } from 'node:events'
import t from 'tap'
import { isServiceError, type ServiceError } from '../../src/plan/errors.ts'
import { ARROW, addressOf, allOf, NEVER, SUPER, startHttp, startRemotes, startTcp } from './remote.ts'

/** A busy machine answers within this silence too. */
const SHORT = { connectMs: 5_000, silenceMs: 2_000 }

t.test('nobody listens', async (t) => {
  const address = await startTcp(t, () => {})
  const client = startRemotes(t).open(addressOf(1), 'anonymous', SUPER)
  const error = await errorOf(client.check(NEVER))
  t.equal(error.code, 'remote_unavailable')
  t.equal(error.status, 503)
  t.match(error.message, /^127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)/)
  t.ok(address)
})

t.test('it takes the request and is silent', async (t) => {
  const address = await startHttp(t, () => {})
  const client = startRemotes(t, { times: SHORT }).open(address, 'anonymous', SUPER)
  t.match((await errorOf(allOf(client.rowsOf('SELECT 1', NEVER)))).message, /has not answered for 2 s/)
})

t.test('it falls silent in the middle of its answer', async (t) => {
  const address = await startHttp(t, (_, response) => {
    response.writeHead(200, { 'content-type': ARROW })
    response.write('abc')
  })
  const client = startRemotes(t, { times: SHORT }).open(address, 'anonymous', SUPER)
  const rows = client.rowsOf('SELECT 1', NEVER)
  t.equal(await firstOf(rows), 'abc')
  t.match((await errorOf(allOf(rows))).message, /has sent nothing for 2 s/)
})

t.test('a reader that waits is no silence of the remote', async (t) => {
  const address = await startHttp(t, (_, response) => {
    response.writeHead(200, { 'content-type': ARROW })
    response.write('abc', () => response.end('def'))
  })
  const client = startRemotes(t, { times: SHORT }).open(address, 'anonymous', SUPER)
  const rows = client.rowsOf('SELECT 1', NEVER)
  const first = await firstOf(rows)
  // Time itself: longer than a remote may be silent.
  await new Promise((resolve) => setTimeout(resolve, 2 * SHORT.silenceMs))
  t.equal(first + (await allOf(rows)).toString(), 'abcdef')
})

t.test('a connection that breaks before the answer is tried once more', async (t) => {
  let connections = 0
  const address = await startTcp(t, (socket) => {
    connections++
    socket.once('data', () => {
      if (connections === 1) socket.resetAndDestroy()
      else socket.end(`HTTP/1.1 200 OK\r\ncontent-type: ${ARROW}\r\ncontent-length: 3\r\n\r\nabc`)
    })
  })
  const client = startRemotes(t).open(address, 'anonymous', SUPER)
  t.equal((await allOf(client.rowsOf('SELECT 1', NEVER))).toString(), 'abc')
  t.equal(connections, 2)
})

t.test('and not a second time', async (t) => {
  let connections = 0
  const address = await startTcp(t, (socket) => {
    connections++
    socket.once('data', () => socket.resetAndDestroy())
  })
  const client = startRemotes(t).open(address, 'anonymous', SUPER)
  t.match(
    (await errorOf(allOf(client.rowsOf('SELECT 1', NEVER)))).message,
    /cannot be reached \(ECONNRESET\)/,
  )
  t.equal(connections, 2)
})

t.test('nor once it has begun to answer', async (t) => {
  let connections = 0
  const address = await startTcp(t, (socket) => {
    connections++
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: ${ARROW}\r\ncontent-length: 9\r\n\r\nabc`, () =>
        socket.resetAndDestroy(),
      )
    })
  })
  const client = startRemotes(t).open(address, 'anonymous', SUPER)
  t.match((await errorOf(allOf(client.rowsOf('SELECT 1', NEVER)))).message, /broken off/)
  t.equal(connections, 1)
})

for (const [when, isBegun] of [
  ['before the answer', false],
  ['in the middle of it', true],
] as const)
  t.test(`who leaves ${when} closes the connection`, async (t) => {
    const closed = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const address = await startHttp(t, (request, response) => {
      request.socket.once('close', () => closed.resolve())
      if (isBegun) response.writeHead(200, { 'content-type': ARROW }).write('abc')
      asked.resolve()
    })
    const leaving = new AbortController()
    const client = startRemotes(t).open(address, 'anonymous', SUPER)
    const rows = client.rowsOf('SELECT 1', leaving.signal)
    if (isBegun) await rows.next()
    const rest = allOf(rows)
    await asked.promise
    const reason = new Error('left')
    leaving.abort(reason)
    await t.rejects(rest, reason)
    await closed.promise
  })

t.test('who closes the generator closes the connection', async (t) => {
  const address = await startHttp(t, (request, response) => {
    request.socket.once('close', () => response.emit('closed-by-client'))
    response.writeHead(200, { 'content-type': ARROW }).write('abc')
    closing.resolve(once(response, 'closed-by-client'))
  })
  const closing = Promise.withResolvers<unknown>()
  const rows = startRemotes(t).open(address, 'anonymous', SUPER).rowsOf('SELECT 1', NEVER)
  await rows.next()
  await rows.return()
  await closing.promise
})

t.test('a remote has eight connections at most, and a place that is left is taken', async (t) => {
  const held: (() => void)[] = []
  let most = 0
  const address = await startHttp(t, (_, response) => {
    held.push(() => response.writeHead(200, { 'content-type': ARROW }).end('x'))
    most = Math.max(most, held.length)
    if (held.length === 8) arrived.resolve()
  })
  const arrived = Promise.withResolvers<void>()
  const client = startRemotes(t).open(address, 'anonymous', SUPER)
  const leaving = new AbortController()
  const left = allOf(client.rowsOf('SELECT 0', leaving.signal))
  const all = Array.from({ length: 30 }, () => allOf(client.rowsOf('SELECT 1', NEVER)))
  await arrived.promise
  leaving.abort(new Error('left'))
  await t.rejects(left, /left/)
  let done = 0
  for (const each of all) void each.then(() => done++)
  while (done < all.length) {
    held.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  t.equal(most, 8)
})

async function firstOf(rows: AsyncGenerator<Uint8Array, void>): Promise<string> {
  return Buffer.from((await rows.next()).value ?? []).toString()
}

async function errorOf(work: Promise<unknown>): Promise<ServiceError> {
  const error = await work.then(
    () => new Error('there was no error'),
    (error: unknown) => error,
  )
  if (isServiceError(error)) return error
  throw error
}
