import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import t from 'tap'
import { preferredCoding } from '../../src/main/http/answers/accept-encoding.ts'
import { startTestServer } from '../http/test-server.ts'
import { answers, fakeRuns } from './fake-runs.ts'

const CSV = { contentType: 'text/csv', fileName: 'output.csv' }
const ARROW = 'application/vnd.apache.arrow.stream'
const TEXT = Buffer.from('1,2,3\n'.repeat(10_000))
const PATH = `/api/query?q=${encodeURIComponent('{"select":["a"]}')}`

interface Raw {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
}

/** The body as it came. */
function get(url: string, accept: string, path = PATH): Promise<Raw> {
  return new Promise((resolve, reject) => {
    request(url + path, { headers: { 'accept-encoding': accept } }, (message) => {
      message
        .toArray()
        .then((chunks) => resolve({ headers: message.headers, bytes: Buffer.concat(chunks) }), reject)
    })
      .on('error', reject)
      .end()
  })
}

const DECODERS = { zstd: zstdDecompressSync, gzip: gunzipSync }

t.test('what a client prefers', async (t) => {
  const cases = [
    [undefined, null, null],
    ['', null, null],
    ['identity', null, null],
    ['*', null, null],
    ['gzip', 'gzip', null],
    ['gzip, deflate', 'gzip', null],
    ['gzip, deflate, br, zstd', 'zstd', 'zstd'],
    ['GZIP;q=1.0, zstd;q=0.5', 'gzip', 'zstd'],
    ['gzip;q=0, zstd;q=0', null, null],
    ['gzip;q=0.2, identity;q=0.5', null, null],
    ['gzip;q=nonsense', null, null],
    ['br', null, null],
  ] as const
  for (const [header, text, arrow] of cases) {
    t.equal(preferredCoding(header, 'text/csv'), text, `text, ${header}`)
    t.equal(preferredCoding(header, ARROW), arrow, `Arrow, ${header}`)
    t.equal(preferredCoding(header, 'application/zip'), null)
  }
})

t.test('a whole answer has a tag for each of its codings', async (t) => {
  const { url } = await startTestServer(t, { queries: answers(TEXT, CSV) })
  const plain = await get(url, 'identity')
  t.equal(plain.headers['content-encoding'], undefined)
  t.ok(plain.bytes.equals(TEXT))
  for (const coding of ['zstd', 'gzip'] as const)
    for (const turn of ['coded', 'kept']) {
      const { headers, bytes } = await get(url, coding)
      t.equal(headers['content-encoding'], coding, turn)
      t.equal(headers['content-length'], String(bytes.length))
      t.equal(headers['etag'], plain.headers['etag']?.toString().replace(/"$/, `-${coding}"`))
      t.match(headers['vary'], /accept-encoding/)
      t.ok(bytes.length < TEXT.length / 4)
      t.ok(DECODERS[coding](bytes).equals(TEXT))
    }
})

t.test('what is short, or gets no shorter, goes as it is', async (t) => {
  for (const bytes of [Buffer.from('1,2,3\n'), randomBytes(100_000)]) {
    const { url } = await startTestServer(t, { queries: answers(bytes, CSV) })
    for (let turn = 0; turn < 2; turn++) {
      const answer = await get(url, 'gzip, zstd')
      t.equal(answer.headers['content-encoding'], undefined)
      t.ok(answer.bytes.equals(bytes))
    }
  }
})

t.test('Arrow whose batches are compressed goes as it is', async (t) => {
  const runs = answers(TEXT, { contentType: ARROW })
  for (const [compression, coding] of [
    ['none', 'zstd'],
    ['zstd', undefined],
  ] as const) {
    const env = { SERVICE_IPC_COMPRESSION: compression }
    const { url } = await startTestServer(t, { env, queries: runs })
    t.equal((await get(url, 'zstd')).headers['content-encoding'], coding)
  }
})

t.test('a long answer is coded as it comes', async (t) => {
  for (const coding of ['zstd', 'gzip'] as const) {
    const runs = fakeRuns()
    const { url } = await startTestServer(t, { queries: runs })
    const answer = get(url, coding)
    const run = await runs.at(0)
    run.begin(CSV)
    for (let i = 0; i < 40; i++) run.body.push(TEXT)
    run.body.push(null)
    const { headers, bytes } = await answer
    t.equal(headers['content-encoding'], coding)
    t.equal(headers['etag'], undefined)
    t.ok(DECODERS[coding](bytes).equals(Buffer.concat(Array(40).fill(TEXT))))
  }
})

t.test('a body that breaks is seen to be broken under a coding, too', async (t) => {
  const runs = fakeRuns()
  const { url } = await startTestServer(t, { queries: runs })
  const asking = request(url + PATH, { headers: { 'accept-encoding': 'gzip' } }).end()
  const run = await runs.at(0)
  run.begin(CSV)
  for (let i = 0; i < 40; i++) run.body.push(TEXT)
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  run.body.destroy(new Error('broken'))
  await t.rejects(response.toArray())
})

t.test('lists are coded, too', async (t) => {
  const files = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`obs/file-${i}.csv`, 'n']))
  const { url } = await startTestServer(t, { files })
  const plain = await get(url, 'identity', '/api/list-datasets')
  for (const coding of ['zstd', 'gzip'] as const) {
    const { headers, bytes } = await get(url, coding, '/api/list-datasets')
    t.equal(headers['content-encoding'], coding)
    t.equal(headers['content-length'], String(bytes.length))
    t.match(headers['vary'], /accept-encoding/)
    t.ok(DECODERS[coding](bytes).equals(plain.bytes))
  }
  t.equal((await get(url, 'gzip', '/api/tables')).headers['content-encoding'], undefined)
})
