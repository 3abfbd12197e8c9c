// In a process of its own: it counts the threads that start.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import type { RemoteClient, RemoteShape } from '../../src/main/remotes/remote-client.ts'
import type { Remotes, RemotesOptions } from '../../src/main/remotes/remotes.ts'
import { VERSION_HEADER } from '../../src/main/remotes/services/headers.ts'
import { field } from '../../src/plan/types/schema.ts'
import {
  COPY_HEAD,
  copyAnswer,
  copyRow,
  type FakeServer,
  int16,
  LOGGED_IN,
  startFakeServer,
} from '../postgres/fake-server.ts'
import { certificateFor, trust } from '../support/certificates.ts'
import { until } from '../support/until.ts'
import { ARROW, addressOf, allOf, NEVER, SUPER, startHttp, startRemotes } from './remote.ts'

const SHAPE: RemoteShape = {
  table: { schema: 'public', name: 't' },
  fields: [{ ...field('word', { kind: 'utf8' }), metadata: { 'postgres:type': 'text' } }],
}
const ANSWER = copyAnswer(Buffer.concat([COPY_HEAD, copyRow(Buffer.from('sea'))]), int16(-1))

/** The threads that start from now on. The service's own are not among them: nothing else runs here. */
function watchThreads(t: Test): Worker[] {
  const threads: Worker[] = []
  const add = (thread: Worker): void => void threads.push(thread)
  process.on('worker', add)
  t.teardown(() => process.off('worker', add))
  return threads
}

interface Beginning {
  readonly threads: readonly Worker[]
  readonly server: FakeServer
  readonly remotes: Remotes
  readonly logins: () => number
}

async function begin(
  t: Test,
  onCopy: (socket: Socket) => void,
  options: Partial<RemotesOptions> = {},
): Promise<Beginning> {
  const threads = watchThreads(t)
  let logins = 0
  const server = await startFakeServer(
    t,
    [['word', 'text']],
    (_, socket) => onCopy(socket),
    (socket) => {
      logins++
      socket.write(LOGGED_IN)
    },
  )
  const remotes = startRemotes(t, {
    idleMs: 3_600_000,
    reuseMs: 3_600_000,
    times: { connectMs: 300_000, silenceMs: 300_000 },
    ...options,
  })
  return { threads, server, remotes, logins: () => logins }
}

const ask = (client: RemoteClient, signal = NEVER): Promise<Buffer> =>
  allOf(client.rowsOf('SELECT 1', signal, SHAPE))

t.test('it starts at the first use, ends after a while without any, and starts anew', async (t) => {
  const { threads, server, remotes } = await begin(t, (socket) => void socket.write(ANSWER), { idleMs: 0 })
  const unused = remotes.open(server.address, 'anonymous', SUPER)
  unused.close()
  t.equal(threads.length, 0, 'a client that asks nothing needs no thread')
  for (const count of [1, 2]) {
    const client = remotes.open(server.address, 'anonymous', SUPER)
    t.match((await ask(client)).toString('latin1'), 'sea')
    t.equal(threads.length, count)
    const [thread] = threads.slice(-1)
    if (thread === undefined) throw new Error('no thread')
    const exited = once(thread, 'exit')
    client.close()
    t.same(await exited, [0])
  }
})

t.test('if it dies, its statements are errors, and the next ones are asked anew', async (t) => {
  const warned: string[] = []
  let isMute = true
  const { threads, server, remotes } = await begin(t, (socket) => void (isMute || socket.write(ANSWER)), {
    log: { warn: (_, message) => void warned.push(message) },
  })
  const client = remotes.open(server.address, 'anonymous', SUPER)
  const asked = [client, client, remotes.open(server.address, 'anonymous', SUPER)].map((each) => ask(each))
  const outcomes = Promise.allSettled(asked)
  await until('statements run', () => server.heard.filter((text) => text.startsWith('COPY')).length === 2)
  await threads[0]?.terminate()
  for (const outcome of await outcomes)
    t.match(outcome, {
      status: 'rejected',
      reason: { code: 'remote_unavailable', message: /thread .* has ended/ },
    })
  t.same(warned, ['the thread that asks other services died'])
  isMute = false
  await t.rejects(ask(client), { code: 'remote_unavailable' }, 'its transaction is gone')
  client.close()
  const next = remotes.open(server.address, 'anonymous', SUPER)
  t.match((await ask(next)).toString('latin1'), 'sea')
  next.close()
  t.equal(threads.length, 2)
})

t.test('closing it ends what waits for a server', async (t) => {
  const { server, remotes } = await begin(t, () => {})
  const client = remotes.open(server.address, 'anonymous', SUPER)
  const asked = t.rejects(ask(client), { code: 'cancelled' })
  await until('a statement runs', () => server.heard.some((text) => text.startsWith('COPY')))
  await remotes.close()
  await asked
})

t.test('rows of more bytes than may be on their way come whole, and in their order', async (t) => {
  const words = Array.from({ length: 100 }, (_, i) => Buffer.alloc(200_000, `${i} `))
  const { server, remotes } = await begin(t, (socket) => {
    socket.write(copyAnswer(COPY_HEAD, ...words.map((word) => copyRow(word)), int16(-1)))
  })
  const client = remotes.open(server.address, 'anonymous', SUPER)
  const bytes = await ask(client)
  const rows = Buffer.concat([COPY_HEAD, ...words.map((word) => copyRow(word)), int16(-1)])
  t.ok(bytes.includes(rows))
  client.close()
})

t.test('a connection is used by the next statement of the same login', async (t) => {
  const { server, remotes, logins } = await begin(t, (socket) => void socket.write(ANSWER))
  const askAs = async (login: Parameters<Remotes['open']>[1]): Promise<void> => {
    const client = remotes.open(server.address, login, SUPER)
    await ask(client)
    client.close()
    await until('the transaction has ended', () => server.heard.at(-1) === 'DISCARD ALL')
  }
  await askAs({ user: 'one', password: 'Plugh4711' })
  await askAs({ user: 'one', password: 'Plugh4711' })
  t.equal(logins(), 1)
  t.same(
    server.heard.filter((text) => /^(?:BEGIN|ROLLBACK|DISCARD)/.test(text)).map((text) => text.split(' ')[0]),
    ['BEGIN', 'ROLLBACK', 'DISCARD', 'BEGIN', 'ROLLBACK', 'DISCARD'],
    'each has a snapshot of its own',
  )
  await askAs({ user: 'one', password: 'another' })
  t.equal(logins(), 2, 'another password logs in anew')
})

t.test('a connection that the server has closed meanwhile is replaced', async (t) => {
  const sockets: Socket[] = []
  const { server, remotes, logins } = await begin(t, (socket) => {
    sockets.push(socket)
    socket.write(ANSWER)
  })
  for (const count of [1, 2, 3]) {
    const client = remotes.open(server.address, 'anonymous', SUPER)
    t.match((await ask(client)).toString('latin1'), 'sea')
    t.equal(logins(), count)
    client.close()
    await until('the transaction has ended', () => server.heard.at(-1) === 'DISCARD ALL')
    server.forget()
    for (const socket of sockets.splice(0)) socket.destroy()
  }
})

t.test('one with which something went wrong is not used again', async (t) => {
  let isRight = false
  const { server, remotes, logins } = await begin(
    t,
    (socket) => void socket.write(isRight ? ANSWER : copyAnswer(Buffer.alloc(40))),
  )
  const wrong = remotes.open(server.address, 'anonymous', SUPER)
  await t.rejects(ask(wrong), { code: 'remote_refused' })
  wrong.close()
  isRight = true
  const client = remotes.open(server.address, 'anonymous', SUPER)
  await ask(client)
  client.close()
  t.equal(logins(), 2)
})

t.test('statements of other logins do not have more than eight connections open', async (t) => {
  const open = new Set<Socket>()
  const { server, remotes } = await begin(t, (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    socket.write(ANSWER)
  })
  for (let login = 0; login < 10; login++) {
    const client = remotes.open(server.address, { user: 'one', password: `${login}` }, SUPER)
    await ask(client)
    client.close()
    await until('the transaction has ended', () => server.heard.at(-1) === 'DISCARD ALL')
    server.forget()
  }
  await until('those that are too many have ended', () => open.size <= 8)
  t.equal(open.size, 8)
})

t.test('a service is asked there too: its connection ends with the thread', async (t) => {
  const threads = watchThreads(t)
  const [asked, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const address = await startHttp(t, (_, response) => {
    response.once('close', left.resolve)
    response.writeHead(200, { 'content-type': ARROW }).write('abc')
    asked.resolve()
  })
  const client = startRemotes(t).open(address, 'anonymous', SUPER)
  const rows = t.rejects(allOf(client.rowsOf('SELECT 1', NEVER)), {
    code: 'remote_unavailable',
    message: 'The thread that asks other services has ended while it was asked; ask again.',
  })
  await asked.promise
  t.equal(threads.length, 1)
  await threads[0]?.terminate()
  await Promise.all([rows, left.promise])
})

t.test('a connection to a service is used again, until all that are unused are closed', async (t) => {
  const sockets = new Set<Socket>()
  const address = await startHttp(t, ({ socket }, response) => {
    sockets.add(socket)
    response.writeHead(200, { 'content-type': ARROW }).end('abc')
  })
  const remotes = startRemotes(t, { idleMs: 3_600_000 })
  const askOnce = async (): Promise<void> => {
    const client = remotes.open(address, 'anonymous', SUPER)
    t.equal((await allOf(client.rowsOf('SELECT 1', NEVER))).toString(), 'abc')
    client.close()
  }
  await askOnce()
  await askOnce()
  const [first, ...others] = sockets
  if (first === undefined) throw new Error('no connection')
  t.same(others, [])
  const closed = once(first, 'close')
  remotes.closeUnused()
  await closed
  await askOnce()
  t.equal(sockets.size, 2)
})

t.test('main remembers what services have told of their version when the thread has ended', async (t) => {
  const threads = watchThreads(t)
  let version = 'another one'
  const address = await startHttp(t, (_, response) => {
    response.writeHead(200, { 'content-type': ARROW, [VERSION_HEADER]: version }).end('abc')
  })
  const remotes = startRemotes(t, { version: 'this one' })
  const askOnce = async (): Promise<void> => {
    const client = remotes.open(address, 'anonymous', SUPER)
    await allOf(client.rowsOf('SELECT 1', NEVER))
    const [thread] = threads.slice(-1)
    if (thread === undefined) throw new Error('no thread')
    const exited = once(thread, 'exit')
    client.close()
    await exited
  }
  const mayRelay = (): boolean | undefined => remotes.open(address, 'anonymous', SUPER).mayRelay?.()
  t.equal(mayRelay(), true, 'not known yet')
  await askOnce()
  t.equal(mayRelay(), false)
  version = 'this one'
  await askOnce()
  t.equal(mayRelay(), true)
  t.equal(threads.length, 2)
})

t.test('the certificate of a service is verified by the authorities of main', async (t) => {
  const { certificate, key } = certificateFor(t, 'service', 'IP:0.0.0.0')
  const options = { cert: readFileSync(certificate), key: readFileSync(key) }
  const server = createServer(options, (_, response) => {
    response.writeHead(200, { 'content-type': ARROW }).end('abc')
  })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  const { port } = server.address() as AddressInfo
  const remotes = startRemotes(t, { idleMs: 3_600_000 })
  const askAt = async (host: string): Promise<string> => {
    const client = remotes.open({ ...addressOf(port, host), tls: true }, 'anonymous', SUPER)
    return (await allOf(client.rowsOf('SELECT 1', NEVER)).finally(client.close)).toString()
  }
  t.equal(await askAt('127.0.0.1'), 'abc', 'on this machine nobody else answers')
  await t.rejects(askAt('0.0.0.0'), {
    code: 'remote_unavailable',
    message: /has a certificate that is not trusted/,
  })
  trust(t, certificate)
  t.equal(await askAt('0.0.0.0'), 'abc')
})
