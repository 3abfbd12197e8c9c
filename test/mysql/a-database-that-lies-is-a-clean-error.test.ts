import { constants, generateKeyPairSync, hash, privateDecrypt } from 'node:crypto'
import t, { type Test } from 'tap'
import type { RemoteClient, RemoteShape } from '../../src/main/remotes/remote-client.ts'
import { field } from '../../src/plan/types/schema.ts'
import { allOf, NEVER, SUPER, startRemotes } from '../remotes/remote.ts'
import { fc } from '../support/generate.ts'
import { until } from '../support/until.ts'
import {
  CHALLENGE,
  EOF,
  type FakeServer,
  failure,
  greeting,
  OK,
  type OnExecute,
  packet,
  packets,
  rowsAnswer,
  startFakeServer,
  THREAD,
} from './fake-server.ts'

const COLUMNS = [
  ['n', 'int', 'int(11)'],
  ['at', 'timestamp', 'timestamp(6)'],
  ['word', 'blob', 'blob'],
] as const

const named = (name: string, type: Parameters<typeof field>[1], mysql: string) => ({
  ...field(name, type),
  metadata: { 'mysql:type': mysql },
})

const SHAPE: RemoteShape = {
  table: { schema: 'sea', name: 't' },
  fields: [
    named('n', { kind: 'int', bits: 32, signed: true }, 'int'),
    named('at', { kind: 'timestamp', unit: 'microsecond', zone: 'UTC' }, 'timestamp'),
    named('word', { kind: 'binary' }, 'blob'),
  ],
}

const TYPES = [3, 7, 252]
/** 1, 2000-02-29 and `sea`. */
const ROW = Buffer.from([0, 0, 1, 0, 0, 0, 4, 0xd0, 7, 2, 29, 3, 0x73, 0x65, 0x61])
const NULLS = Buffer.from([0, 0b11100])

/** One thread asks all servers: to start one takes longer than most of what is tested. */
const remotes = startRemotes(t, { times: { connectMs: 60_000, silenceMs: 60_000 }, idleMs: 3_600_000 })

async function startWith(
  t: Test,
  onExecute: OnExecute,
  onStart?: Parameters<typeof startFakeServer>[3],
  onLogin?: Parameters<typeof startFakeServer>[4],
): Promise<{ server: FakeServer; client: RemoteClient }> {
  const server = await startFakeServer(t, COLUMNS, onExecute, onStart, onLogin)
  const client = remotes.open(server.address, 'anonymous', SUPER)
  t.teardown(client.close)
  return { server, client }
}

function rowsOf(client: RemoteClient): Promise<Buffer> {
  return allOf(client.rowsOf('SELECT 1', NEVER, SHAPE))
}

t.test('rows as they should be, wherever they are cut', async (t) => {
  const answer = rowsAnswer(TYPES, ROW, NULLS, ROW, EOF)
  const framed = Buffer.concat([ROW, NULLS, ROW].flatMap((row) => [Buffer.from([row.length, 0, 0, 0]), row]))
  for (const cuts of [[], [...answer.keys()]]) {
    const { client } = await startWith(t, async (socket) => {
      socket.setNoDelay(true)
      let from = 0
      for (const at of [...cuts, answer.length]) {
        await new Promise((resolve) => socket.write(answer.subarray(from, at), resolve))
        from = at
      }
    })
    const bytes = await rowsOf(client)
    t.match(bytes.toString('latin1'), /"offset":0,"end":44,"rows":3/)
    t.ok(bytes.includes(framed))
  }
})

t.test('a row of several packets', async (t) => {
  const most = 0xff_ffff
  const value = Buffer.alloc(most + 5, 'x')
  const head = Buffer.concat([Buffer.from([0, 0b01100, 0xfe]), Buffer.alloc(8)])
  head.writeUInt32LE(value.length, 3)
  const row = Buffer.concat([head, value])
  const exact = row.subarray(0, most)
  exact.writeUInt32LE(most - head.length, 3)
  for (const parts of [
    [row.subarray(0, most), row.subarray(most)],
    [exact, Buffer.alloc(0)],
  ]) {
    const { client } = await startWith(
      t,
      (socket) => void socket.write(rowsAnswer(TYPES, ROW, ...parts, ROW, EOF)),
    )
    const bytes = await rowsOf(client)
    const length = parts.reduce((sum, part) => sum + part.length, 0)
    t.match(bytes.toString('latin1', bytes.length - 400), /"rows":2/)
    const begin = bytes.indexOf(ROW) + ROW.length
    t.equal(bytes.readUInt32LE(begin), length)
    t.ok(bytes.subarray(begin + 4, begin + 4 + length).equals(Buffer.concat(parts)))
  }
})

const LIES: Readonly<Record<string, { readonly answer: Buffer; readonly error: RegExp }>> = {
  'another number of columns': { answer: rowsAnswer([3], EOF), error: /1 columns where 3 are expected/ },
  'a column of another form': {
    answer: rowsAnswer([3, 7, 3], EOF),
    error: /column "word" in another form than its type has/,
  },
  'no columns': { answer: packet(1, OK), error: /0 columns where 3/ },
  'a packet with another number': {
    answer: Buffer.concat([rowsAnswer(TYPES), packet(9, ROW)]),
    error: /no packet of MySQL/,
  },
  'a packet without a body': { answer: rowsAnswer(TYPES, Buffer.alloc(0)), error: /no packet of MySQL/ },
  'a packet that is neither a row nor the end': {
    answer: rowsAnswer(TYPES, Buffer.from([7, 7, 7])),
    error: /no packet of MySQL/,
  },
  'a description that is cut short': {
    answer: packets(1, Buffer.from([3]), Buffer.from([3, 0x64])),
    error: /no packet of MySQL/,
  },
  'too many columns': { answer: packet(1, Buffer.from([0xfd, 0, 0, 1])), error: /65536 columns/ },
  'a length beyond the packet': { answer: packet(1, Buffer.from([0xfe, 1])), error: /no packet of MySQL/ },
  'a packet that is too long': {
    answer: Buffer.from([0, 0, 0x40, 1, 0]),
    error: /4194304 bytes where few are expected/,
  },
  'another answer behind the rows': {
    answer: rowsAnswer(TYPES, ROW, Buffer.from([0xfe, 0, 0, 8, 0])),
    error: /more answers than it was asked for/,
  },
  'more behind the end': {
    answer: Buffer.concat([rowsAnswer(TYPES, ROW, EOF), Buffer.from('more')]),
    error: /sent more than it was asked for/,
  },
  'an error instead of rows': {
    answer: packet(1, failure(1142, 'SELECT command denied')),
    error: /has refused the statement: SELECT command denied/,
  },
  'an error behind rows': {
    answer: rowsAnswer(TYPES, ROW, failure(1317, 'Query execution was interrupted')),
    error: /cannot answer now \(1317\)/,
  },
}

for (const [what, { answer, error }] of Object.entries(LIES))
  t.test(what, async (t) => {
    const { client } = await startWith(t, (socket) => void socket.write(answer))
    await t.rejects(rowsOf(client), { code: /remote_refused|remote_unavailable/, message: error })
  })

t.test('a file of this service is not sent', async (t) => {
  const { client } = await startWith(t, (socket) => {
    socket.write(packet(1, Buffer.from('fb2f6574632f706173737764', 'hex')))
    socket.on('data', (bytes) => t.notMatch(bytes.toString(), 'root'))
  })
  await t.rejects(rowsOf(client), { code: 'remote_refused', message: /asks for a file of this service/ })
})

t.test('a connection that breaks in the middle of a row', async (t) => {
  const { client } = await startWith(t, (socket) => void socket.end(rowsAnswer(TYPES, ROW).subarray(0, -3)))
  await t.rejects(rowsOf(client), { code: 'remote_unavailable', message: /broken off/ })
})

t.test('passwords are not sent in a form that others could use', async (t) => {
  const ask = (plugin: string): Buffer => Buffer.concat([Buffer.from(`\xfe${plugin}\0`, 'latin1'), CHALLENGE])
  for (const [body, message] of [
    [ask('mysql_clear_password'), /use TLS/],
    [ask('sha256_password'), /use TLS/],
    [ask('dialog'), /a login that this service has not.*dialog/],
    [Buffer.from([0xfe]), /mysql_old_password/],
    [Buffer.from([1, 9]), /no packet of MySQL/],
    [failure(1045, 'Access denied for Plugh4711'), /has refused the login: Access denied for \*\*\*/],
  ] as const) {
    const heard: Buffer[] = []
    const server = await startFakeServer(
      t,
      COLUMNS,
      () => {},
      undefined,
      (socket, said, number) => {
        heard.push(said)
        if (heard.length === 1) socket.write(packet(number + 1, body))
        return false
      },
    )
    const remotes = startRemotes(t, { times: { connectMs: 60_000, silenceMs: 60_000 } })
    const client = remotes.open({ ...server.address, sslMode: 'disable' }, { password: 'Plugh4711' }, SUPER)
    await t.rejects(client.check(NEVER), { code: 'remote_refused', message })
    t.notMatch(Buffer.concat(heard).toString('latin1'), 'Plugh4711')
    client.close()
  }
})

t.test('a password that the server does not know yet is encrypted by its key, on this machine', async (t) => {
  const password = 'Plugh4711'
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const sha256 = (...parts: readonly (Buffer | string)[]): Buffer =>
    hash('sha256', Buffer.concat(parts.map((part) => Buffer.from(part))), 'buffer')
  let step = 0
  const server = await startFakeServer(
    t,
    COLUMNS,
    (socket) => void socket.write(rowsAnswer(TYPES, EOF)),
    (socket) => void socket.write(packet(0, greeting('caching_sha2_password'))),
    (socket, said, number) => {
      step++
      if (step === 1) {
        const once = sha256(password)
        const mask = sha256(sha256(once), CHALLENGE)
        t.ok(said.includes(Buffer.from(once.map((byte, index) => byte ^ (mask[index] ?? 0)))))
        socket.write(packet(number + 1, Buffer.from([1, 4])))
      } else if (step === 2) {
        t.same([...said], [2])
        const pem = publicKey.export({ type: 'spki', format: 'pem' })
        socket.write(packet(number + 1, `\x01${pem}`))
      } else {
        const masked = privateDecrypt(
          { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' },
          said,
        )
        const clear = masked.map((byte, index) => byte ^ (CHALLENGE[index % CHALLENGE.length] ?? 0))
        t.equal(Buffer.from(clear).toString(), `${password}\0`)
      }
      return step === 3
    },
  )
  const client = startRemotes(t).open(server.address, { password }, SUPER)
  await client.check(NEVER)
  client.close()
  t.equal(step, 3)
})

t.test('one without TLS is not asked without it', async (t) => {
  const { server } = await startWith(t, () => {})
  const remotes = startRemotes(t, { times: { connectMs: 60_000, silenceMs: 60_000 } })
  const client = remotes.open({ ...server.address, sslMode: 'verify-full' }, 'anonymous', SUPER)
  await t.rejects(client.check(NEVER), { code: 'remote_refused', message: /offers no TLS/ })
})

t.test('one with a certificate that nobody trusts gets no login', async (t) => {
  const heard: Buffer[] = []
  const server = await startFakeServer(
    t,
    COLUMNS,
    () => {},
    (socket) => void socket.write(packet(0, greeting('mysql_native_password', 0x8_8a08))),
    (socket, said) => {
      heard.push(said)
      // What is no TLS.
      socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')
      return false
    },
  )
  const remotes = startRemotes(t, { times: { connectMs: 60_000, silenceMs: 60_000 } })
  const client = remotes.open({ ...server.address, sslMode: 'require' }, { password: 'Plugh4711' }, SUPER)
  await t.rejects(client.check(NEVER), { code: /remote_refused|remote_unavailable/ })
  t.notMatch(Buffer.concat(heard).toString('latin1'), 'somebody')
})

t.test('whatever bytes come at the login', async (t) => {
  const whole = greeting()
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.tuple(fc.nat(3), fc.uint8Array({ maxLength: 40 })).map(([number, body]) => packet(number, body)),
    fc.nat(whole.length - 1).map((length) => packet(0, whole.subarray(0, length))),
    fc
      .tuple(fc.nat(3), fc.constantFrom(0, 1, 0xfb, 0xfe, 0xff), fc.uint8Array({ maxLength: 20 }))
      .map(([number, code, body]) => packet(number, Buffer.concat([Buffer.from([code]), body]))),
  )
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(bytes, { maxLength: 4 }), async (isGreeted, parts) => {
      const { client } = await startWith(
        t,
        () => {},
        (socket) => void socket.end(Buffer.concat([...(isGreeted ? [packet(0, whole)] : []), ...parts])),
        () => false,
      )
      await t.rejects(client.check(NEVER))
      client.close()
    }),
    { numRuns: 60 },
  )
})

t.test('whatever bytes come as rows', async (t) => {
  const bodies = fc.oneof(
    fc.constantFrom(ROW, NULLS, EOF),
    fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(bodies, { maxLength: 6 }),
      fc.uint8Array({ maxLength: 10 }),
      async (parts, rest) => {
        const { client } = await startWith(
          t,
          (socket) => void socket.end(Buffer.concat([rowsAnswer(TYPES, ...parts), rest])),
        )
        // They are rows, or an error: nothing waits, and nothing else breaks.
        await rowsOf(client).catch((error) => t.match(error, { code: /remote_refused|remote_unavailable/ }))
        client.close()
      },
    ),
    { numRuns: 60 },
  )
})

t.test('a client that leaves has the statement killed', async (t) => {
  const leaving = new AbortController()
  const { client, server } = await startWith(t, (socket) => {
    socket.write(rowsAnswer(TYPES, ROW))
    leaving.abort(new Error('left'))
  })
  await t.rejects(allOf(client.rowsOf('SELECT 1', leaving.signal, SHAPE)), { message: 'left' })
  await until('a statement that kills', () => server.heard.includes(`KILL QUERY ${THREAD}`))
})

t.test('one that is silent is given up', async (t) => {
  const server = await startFakeServer(t, COLUMNS, () => {})
  const remotes = startRemotes(t, { times: { connectMs: 60_000, silenceMs: 50 } })
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
    (socket) => void socket.write(rowsAnswer(TYPES, EOF)),
    (socket) => {
      tries++
      if (tries === 1) socket.destroy()
      else socket.write(packet(0, greeting()))
    },
  )
  await rowsOf(client)
  t.equal(tries, 2)
})

t.test('columns that are others by now', async (t) => {
  const { client } = await startWith(t, () => {})
  const shape = (fields: RemoteShape['fields']): RemoteShape => ({ ...SHAPE, fields })
  for (const fields of [
    [named('gone', { kind: 'binary' }, 'blob')],
    [named('n', { kind: 'int', bits: 64, signed: true }, 'bigint')],
    [named('word', { kind: 'binary' }, 'varbinary')],
  ])
    await t.rejects(allOf(client.rowsOf('SELECT 1', NEVER, shape(fields))), { code: 'table_changed' })
})
