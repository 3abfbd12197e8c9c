import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import type { ErrorCode } from '../../src/plan/errors.ts'
import { ServiceError } from '../../src/plan/errors.ts'
import { ARROW, allOf, NEVER, SUPER, startHttp, startRemotes, startTcp } from './remote.ts'

const LOGIN = { user: 'ann', password: 'hunter2-secret' } as const

/** The bytes of an answer to whatever is asked, and the error that becomes of them. */
const RAW: Readonly<Record<string, readonly [string | Buffer, ErrorCode, RegExp]>> = {
  'an answer of another kind': [
    http('200 OK', { 'content-type': 'text/html' }, '<html>'),
    'remote_refused',
    /no service of this kind/,
  ],
  'a redirect': [
    http('302 Found', { location: 'http://169.254.169.254/latest' }, ''),
    'remote_refused',
    /redirects, which is not followed/,
  ],
  'a redirect of the method too': [
    http('307 Temporary Redirect', { location: '/elsewhere' }, ''),
    'remote_refused',
    /redirects/,
  ],
  'a compressed answer': [
    http('200 OK', { 'content-type': ARROW, 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(1 << 20))),
    'remote_refused',
    /compressed/,
  ],
  'fewer bytes than announced': [
    `HTTP/1.1 200 OK\r\ncontent-type: ${ARROW}\r\ncontent-length: 1000\r\n\r\nabc`,
    'remote_unavailable',
    /broken off/,
  ],
  'chunks without an end': [
    `HTTP/1.1 200 OK\r\ncontent-type: ${ARROW}\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`,
    'remote_unavailable',
    /broken off/,
  ],
  'a chunk of a wrong length': [
    `HTTP/1.1 200 OK\r\ncontent-type: ${ARROW}\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabcdefgh\r\n`,
    'remote_unavailable',
    /broken off/,
  ],
  'a chunk of a negative length': [
    `HTTP/1.1 200 OK\r\ncontent-type: ${ARROW}\r\ntransfer-encoding: chunked\r\n\r\n-3\r\nabc\r\n`,
    'remote_unavailable',
    /broken off/,
  ],
  'two lengths': [
    `HTTP/1.1 200 OK\r\ncontent-type: ${ARROW}\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd`,
    'remote_refused',
    /HTTP\/1\.1/,
  ],
  'HTTP/2': [
    Buffer.from([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100]),
    'remote_refused',
    /give the port on which the service answers HTTP/,
  ],
  'no HTTP at all': ['SSH-2.0-OpenSSH_9.2\r\n', 'remote_refused', /HTTP\/1\.1/],
  'headers without an end': [`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`, 'remote_refused', /headers/],
  nothing: ['', 'remote_unavailable', /cannot be reached|broken off/],
  'a refusal': [
    http('400 Bad Request', { 'content-type': 'application/json' }, '"There is no table \\u0007 \\"x\\"."'),
    'remote_refused',
    /has answered 400: There is no table "x"\./,
  ],
  'a refusal that repeats what it was told': [
    http(
      '401 Unauthorized',
      {},
      `bad ${Buffer.from('ann:hunter2-secret').toString('base64')} hunter2-secret`,
    ),
    'remote_refused',
    /has answered 401: bad \*\*\* \*\*\*/,
  ],
  'a long refusal': [http('400 Bad Request', {}, 'x'.repeat(100_000)), 'remote_refused', /: x{1024}$/],
  'a fault of its own': [
    http('500 Internal Server Error', {}, 'oh'),
    'remote_unavailable',
    /has answered 500/,
  ],
  'too much to do': [http('503 Service Unavailable', {}, ''), 'remote_unavailable', /has answered 503/],
}

for (const [name, [bytes, code, message]] of Object.entries(RAW))
  t.test(name, async (t) => {
    const address = await startTcp(t, (socket) => {
      // What was asked is read before the connection is closed, which would reset it otherwise.
      socket.once('data', () => socket.end(bytes))
    })
    const client = startRemotes(t).open(address, LOGIN, SUPER)
    const error = await errorOf(t, allOf(client.rowsOf('SELECT 1', NEVER)))
    t.equal(error.code, code, error.message)
    t.match(error.message, message)
    t.ok(error.message.startsWith(`127.0.0.1:${address.port} `))
    t.notMatch(error.message, /hunter2/)
  })

t.test('others than the super-user learn neither where it is nor what it has said', async (t) => {
  const address = await startHttp(t, (_, response) => response.writeHead(400).end('a table of salaries'))
  const client = startRemotes(t).open(address, 'anonymous', { hops: 0, isSuperUser: false })
  const error = await errorOf(t, allOf(client.rowsOf('SELECT 1', NEVER)))
  t.equal(error.message, 'The service that has the rows has answered 400.')
})

t.test('lists and columns of any size are not taken', async (t) => {
  const chunk = Buffer.alloc(1 << 20, ' ')
  const address = await startHttp(t, (request, response) => {
    response.writeHead(200, { 'content-type': request.url === '/api/catalogs' ? 'application/json' : ARROW })
    const more = (): void => {
      while (response.write(chunk));
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  })
  const client = startRemotes(t).open(address, 'anonymous', SUPER)
  const list = await errorOf(t, client.listTables(NEVER))
  t.match(list.message, /more than 67108864 bytes/)
  const columns = await errorOf(t, client.columnsOf({ schema: 's', name: 't', isView: false }, NEVER))
  t.match(columns.message, /more than 67108864 bytes/)
})

t.test('a list of tables has its form', async (t) => {
  let text = ''
  const address = await startHttp(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(text)
  })
  const client = startRemotes(t).open(address, 'anonymous', SUPER)
  for (const other of [
    '',
    '[]',
    'null',
    '{}',
    '{"catalogs": 1}',
    '{"catalogs": [{"name": "a", "schemas": 1}]}',
  ]) {
    text = other
      .replace('"name": "a"', '"name": "a"')
      .replace('{"catalogs": [', '{"default_catalog": "a", "catalogs": [')
    t.match((await errorOf(t, client.listTables(NEVER))).message, /a list of tables that is none/, other)
  }
  text = JSON.stringify({
    default_catalog: 'here',
    catalogs: [
      { name: 'other', schemas: [{ name: 'public', tables: [{ name: 'x', table_type: 'BASE TABLE' }] }] },
      {
        name: 'here',
        schemas: [
          { name: 'information_schema', tables: [{ name: 'tables', table_type: 'VIEW' }] },
          { name: 'system', tables: [{ name: 'queries', table_type: 'VIEW' }] },
          {
            name: 'public',
            tables: [
              { name: 'a', table_type: 'BASE TABLE' },
              { name: 'b', table_type: 'VIEW' },
            ],
          },
        ],
      },
    ],
  })
  t.same(await client.listTables(NEVER), [
    { schema: 'public', name: 'a', isView: false },
    { schema: 'public', name: 'b', isView: true },
  ])
})

function http(status: string, headers: Readonly<Record<string, string>>, body: string | Buffer): Buffer {
  const head = [
    `HTTP/1.1 ${status}`,
    ...Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(body)) }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)])
}

async function errorOf(t: Test, work: Promise<unknown>): Promise<ServiceError> {
  const error = await work.then(
    () => new Error('there was no error'),
    (error: unknown) => error,
  )
  if (error instanceof ServiceError) return error
  t.fail('another error', { error })
  throw error
}
