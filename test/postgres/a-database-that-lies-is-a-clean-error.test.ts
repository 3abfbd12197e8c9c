import t, { type Test } from 'tap'
import type { RemoteClient, RemoteShape } from '../../src/main/remotes/remote-client.ts'
import { field } from '../../src/plan/types/schema.ts'
import { allOf, NEVER, SUPER, startRemotes } from '../remotes/remote.ts'
import { fc } from '../support/generate.ts'
import {
  COPY_HEAD,
  copyAnswer,
  copyRow,
  type FakeServer,
  int16,
  int32,
  LOGGED_IN,
  message,
  type OnStatement,
  READY,
  startFakeServer,
} from './fake-server.ts'

const COLUMNS = [
  ['n', 'int4'],
  ['at', 'timestamptz'],
  ['word', 'text'],
] as const

const named = (name: string, type: Parameters<typeof field>[1], postgres: string) => ({
  ...field(name, type),
  metadata: { 'postgres:type': postgres },
})

const SHAPE: RemoteShape = {
  table: { schema: 'public', name: 't' },
  fields: [
    named('n', { kind: 'int', bits: 32, signed: true }, 'int4'),
    named('at', { kind: 'timestamp', unit: 'microsecond', zone: 'UTC' }, 'timestamptz'),
    named('word', { kind: 'utf8' }, 'text'),
  ],
}

const END = int16(-1)
const TIME = Buffer.alloc(8)
const WORD = Buffer.from('sea')

/** One thread asks all servers: to start one takes longer than most of what is tested. */
const remotes = startRemotes(t, { times: { connectMs: 5_000, silenceMs: 60_000 }, idleMs: 3_600_000 })

async function startWith(
  t: Test,
  onCopy: OnStatement,
  onStart?: Parameters<typeof startFakeServer>[3],
): Promise<{ server: FakeServer; client: RemoteClient }> {
  const server = await startFakeServer(t, COLUMNS, onCopy, onStart)
  const client = remotes.open(server.address, 'anonymous', SUPER)
  t.teardown(client.close)
  return { server, client }
}

function rowsOf(client: RemoteClient): Promise<Buffer> {
  return allOf(client.rowsOf('SELECT 1', NEVER, SHAPE))
}

t.test('rows as they should be', async (t) => {
  const { client, server } = await startWith(t, (_, socket) => {
    socket.write(
      copyAnswer(Buffer.concat([COPY_HEAD, copyRow(int32(1), TIME, WORD)]), copyRow(null, null, null), END),
    )
  })
  const bytes = await rowsOf(client)
  t.match(bytes.toString('latin1'), /"rows":2,"bytes":\[4,8,3\]/)
  t.match(server.heard.join('\n'), /BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY/)
})

const LIES: Readonly<Record<string, { readonly answer: Buffer; readonly error: RegExp }>> = {
  'no signature': { answer: copyAnswer(Buffer.alloc(40), END), error: /without their signature/ },
  'flags that are not known': {
    answer: copyAnswer(Buffer.concat([COPY_HEAD.subarray(0, 11), int32(1 << 16, 0)]), END),
    error: /form that is not known/,
  },
  'another number of fields': {
    answer: copyAnswer(COPY_HEAD, copyRow(int32(1)), END),
    error: /a row of 1 fields where 3 are expected/,
  },
  'a length below zero': {
    answer: copyAnswer(COPY_HEAD, Buffer.concat([int16(3), int32(-2)]), END),
    error: /value of -2 bytes in the column "n"/,
  },
  'a length that the type has not': {
    answer: copyAnswer(COPY_HEAD, copyRow(TIME, TIME, WORD), END),
    error: /value of 8 bytes in the column "n"/,
  },
  'a length beyond the data': {
    answer: copyAnswer(COPY_HEAD, Buffer.concat([int16(3), int32(-1, -1, 0x7fff_ffff)]), END),
    error: /rows without an end/,
  },
  'an infinite time': {
    answer: copyAnswer(COPY_HEAD, copyRow(int32(1), Buffer.from('7fffffffffffffff', 'hex'), WORD), END),
    error: /infinite time in the column "at"/,
  },
  'a time that is too late': {
    answer: copyAnswer(COPY_HEAD, copyRow(int32(1), Buffer.from('7ffffffffffffff0', 'hex'), WORD), END),
    error: /in the column "at" that is later/,
  },
  'no end': { answer: copyAnswer(COPY_HEAD, copyRow(null, null, null)), error: /rows without an end/ },
  'more behind the end': { answer: copyAnswer(COPY_HEAD, END, END), error: /more behind the last row/ },
  'a message of length 0': { answer: Buffer.from('d\0\0\0\0'), error: /no message of PostgreSQL/ },
  'a message of another kind': { answer: message('D', int16(0)), error: /no message of PostgreSQL/ },
  'a notice that is too long': {
    answer: Buffer.concat([Buffer.from('N'), int32(0x7fff_ffff)]),
    error: /no message of PostgreSQL/,
  },
  'an answer that pg cannot read': {
    answer: Buffer.concat([message('c'), message('R', int32(99))]),
    error: /no message of PostgreSQL|remote|broken off/,
  },
  'an error': {
    answer: Buffer.concat([message('E', 'SERROR\0C42501\0Mno right to see it\0\0'), READY]),
    error: /has refused the statement: no right to see it/,
  },
}

for (const [what, { answer, error }] of Object.entries(LIES))
  t.test(what, async (t) => {
    const { client } = await startWith(t, (_, socket) => void socket.write(answer))
    await t.rejects(rowsOf(client), { code: /remote_refused|remote_unavailable/, message: error })
  })

t.test('a connection that breaks in the middle of a row', async (t) => {
  const { client } = await startWith(t, (_, socket) => {
    socket.end(copyAnswer(COPY_HEAD, copyRow(int32(1), TIME, WORD)).subarray(0, -30))
  })
  await t.rejects(rowsOf(client), { code: 'remote_unavailable', message: /broken off/ })
})

t.test('passwords are not sent in a form that others could use', async (t) => {
  for (const asked of [int32(3), Buffer.concat([int32(5), Buffer.from('salt')])]) {
    const { client } = await startWith(
      t,
      () => {},
      (socket) => {
        socket.write(message('R', asked))
        socket.on('data', (bytes) => t.not(String.fromCharCode(bytes[0] ?? 0), 'p', 'no password came'))
      },
    )
    await t.rejects(rowsOf(client), { code: 'remote_refused', message: /SCRAM/ })
  }
})

t.test('whatever bytes come at the login', async (t) => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc
      .tuple(fc.constantFrom(...'RKSZETDCNAHdc123'), fc.uint8Array({ maxLength: 30 }))
      .map(([code, body]) => message(code, body)),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(bytes, { maxLength: 4 }), async (parts) => {
      const { client } = await startWith(
        t,
        () => {},
        (socket) => void socket.end(Buffer.concat(parts)),
      )
      await t.rejects(client.check(NEVER))
      client.close()
    }),
    { numRuns: 60 },
  )
})

t.test('a client that leaves has the statement cancelled', async (t) => {
  const leaving = new AbortController()
  const { client, server } = await startWith(t, (_, socket) => {
    socket.write(message('H', Buffer.concat([Buffer.from([1]), int16(0)])))
    leaving.abort(new Error('left'))
  })
  await t.rejects(allOf(client.rowsOf('SELECT 1', leaving.signal, SHAPE)), { message: 'left' })
  const { until } = await import('../support/until.ts')
  await until('a request to cancel', () => server.heard.includes('cancel 7 8'))
})

t.test('one that is silent is given up', async (t) => {
  const server = await startFakeServer(t, COLUMNS, () => {})
  const remotes = startRemotes(t, { times: { connectMs: 5_000, silenceMs: 50 } })
  const client = remotes.open(server.address, 'anonymous', SUPER)
  await t.rejects(rowsOf(client), { code: 'remote_unavailable', message: /sent nothing for 0.05 s/ })
  const mute = await startFakeServer(
    t,
    COLUMNS,
    () => {},
    () => {},
  )
  const hurried = startRemotes(t, { times: { connectMs: 50, silenceMs: 60_000 } })
  await t.rejects(hurried.open(mute.address, 'anonymous', SUPER).check(NEVER), {
    code: 'remote_unavailable',
    message: /reached within 0.05 s/,
  })
})

t.test('a connection that breaks before the login is tried once more', async (t) => {
  let tries = 0
  const { client } = await startWith(
    t,
    (_, socket) => void socket.write(copyAnswer(COPY_HEAD, END)),
    (socket) => {
      tries++
      if (tries === 1) socket.destroy()
      else socket.write(LOGGED_IN)
    },
  )
  await rowsOf(client)
  t.equal(tries, 2)
})

t.test('columns that are others by now', async (t) => {
  const { client } = await startWith(t, () => {})
  const shape = (fields: RemoteShape['fields']): RemoteShape => ({ ...SHAPE, fields })
  for (const fields of [
    [named('gone', { kind: 'utf8' }, 'text')],
    [named('n', { kind: 'int', bits: 64, signed: true }, 'int8')],
    [named('word', { kind: 'utf8' }, 'bpchar')],
  ])
    await t.rejects(allOf(client.rowsOf('SELECT 1', NEVER, shape(fields))), { code: 'table_changed' })
})
