import { tableFromArrays, tableFromIPC, tableToIPC } from 'apache-arrow'
import t from 'tap'
import { startTables, type Tables } from '../external/tables.ts'
import { ARROW, startHttp } from './remote.ts'

const whole = tableToIPC(
  tableFromArrays({ n: Int32Array.of(1, 2, 3), x: Float64Array.of(0.5, 1.5, 2.5) }),
  'stream',
)
const columns = tableToIPC(tableFromIPC(whole).slice(0, 0), 'stream')

/** What the other service answers to queries for rows. */
let rows: Uint8Array | 'nothing' | 'endless' = whole
/** The queries that it was asked. */
const asked: string[] = []
/** Settles when a connection with an open answer has been closed. */
let left = Promise.withResolvers<void>()
let begun = Promise.withResolvers<void>()

const remote = await startHttp(t, (request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { sql } = JSON.parse(Buffer.concat(chunks).toString()) as { sql: string }
    asked.push(sql)
    response.writeHead(200, { 'content-type': ARROW })
    if (sql.endsWith('LIMIT 0')) return response.end(columns)
    if (rows instanceof Uint8Array) return response.end(rows)
    response.once('close', () => left.resolve())
    response.flushHeaders()
    begun.resolve()
    const filler = Buffer.alloc(1 << 16)
    const more = (): void => {
      while (response.write(filler));
      if (!response.destroyed) response.once('drain', more)
    }
    if (rows === 'endless') more()
    return undefined
  })
})

const here: Tables = await startTables(t, {
  settings: { SERVICE_MAX_TEMP_BYTES: String(8 << 20), SERVICE_MAX_OUTPUT_BYTES: String(8 << 20) },
})

t.test('rows are read as they came', async (t) => {
  t.equal(
    await here.command(
      `CREATE EXTERNAL TABLE far STORED AS REMOTE LOCATION 'http://127.0.0.1:${remote.port}/obs'`,
    ),
    '',
  )
  t.same(await here.ask('SELECT n, x FROM far'), ['n,x', '1,0.5', '2,1.5', '3,2.5'])
  t.same(asked, ['SELECT * FROM "public"."obs" LIMIT 0', 'SELECT "n", "x" FROM "public"."obs"'])
})

t.test('a condition and a limit that it does not keep are kept here', async (t) => {
  t.same(await here.ask('SELECT n FROM far WHERE n > 2'), ['n', '3'])
  t.same(await here.ask('SELECT n FROM far LIMIT 2'), ['n', '1', '2'])
  t.same(await here.ask('SELECT avg(n) AS c FROM far WHERE n > 1'), ['c', '2.5'])
})

t.test('equal scans of a statement are fetched once', async (t) => {
  asked.length = 0
  t.same(await here.ask('SELECT count(*) AS c FROM far a JOIN far b ON a.n = b.n JOIN far c ON b.n = c.n'), [
    'c',
    '3',
  ])
  t.equal(asked.length, 1, JSON.stringify(asked))
})

t.test('EXPLAIN and the columns of an answer ask for nothing', async (t) => {
  asked.length = 0
  t.match(await here.explain('SELECT n FROM far'), /Federated/)
  t.same(await here.ask('DESCRIBE SELECT n FROM far'), ['column_name,data_type,is_nullable', 'n,Int32,YES'])
  t.same(asked, [])
})

const WRONG: Readonly<Record<string, readonly [() => Uint8Array, RegExp]>> = {
  'no bytes': [() => new Uint8Array(0), /no whole Arrow stream/],
  'a stream that is cut short': [() => whole.subarray(0, whole.length - 8), /no whole Arrow stream/],
  'a stream that is cut short, with an end': [
    () => Buffer.concat([whole.subarray(0, whole.length - 100), whole.subarray(-8)]),
    /cannot be read/,
  ],
  'no stream': [() => Buffer.concat([Buffer.from('<html>'), whole.subarray(-8)]), /cannot be read/],
  'a batch of a billion rows': [
    () => {
      const bytes = Buffer.from(whole)
      for (let at = bytes.indexOf(Buffer.from([3, 0, 0, 0, 0, 0, 0, 0])); at >= 0; ) {
        bytes.writeUInt32LE(1_000_000_000, at)
        at = bytes.indexOf(Buffer.from([3, 0, 0, 0, 0, 0, 0, 0]), at + 4)
      }
      return bytes
    },
    /cannot be read|is too|claims|memory/,
  ],
  'other columns': [
    () => tableToIPC(tableFromArrays({ other: Int32Array.of(1) }), 'stream'),
    /columns of "far" have changed.*no column "n".*REFRESH/,
  ],
  'a column of another type': [
    () => tableToIPC(tableFromArrays({ n: ['x'], x: Float64Array.of(1) }), 'stream'),
    /columns of "far" have changed.*another type.*REFRESH/,
  ],
}

for (const [name, [bytes, message]] of Object.entries(WRONG))
  t.test(name, async (t) => {
    rows = bytes()
    t.match(String(await here.ask('SELECT n, x FROM far')), message)
    t.match(String(await here.ask('SELECT n, x, row_number() OVER () AS place FROM far')), message)
    rows = whole
    t.same(await here.ask('SELECT n FROM far WHERE n = 1'), ['n', '1'])
  })

t.test('a stream with any byte changed is rows or a clean error', async (t) => {
  for (let at = 0; at < whole.length; at += 7) {
    const bytes = Buffer.from(whole)
    bytes[at] = (bytes[at] ?? 0) ^ 0xff
    rows = bytes
    const answer = await here.post({ sql: 'SELECT n, x FROM far', output: { format: 'csv' } })
    await answer.text()
    t.ok([200, 400].includes(answer.status), `${at}: ${answer.status}`)
  }
  rows = whole
})

t.test('rows without an end are given up at the limit of temporary files', async (t) => {
  rows = 'endless'
  left = Promise.withResolvers()
  t.match(String(await here.ask('SELECT n FROM far')), /SERVICE_MAX_TEMP_BYTES/)
  await left.promise
})

t.test('a client that leaves ends the request to the other service', async (t) => {
  rows = 'nothing'
  left = Promise.withResolvers()
  begun = Promise.withResolvers()
  const client = new AbortController()
  const answer = here.query({ sql: 'SELECT n FROM far' }, { signal: client.signal })
  await begun.promise
  client.abort()
  await t.rejects(answer)
  await left.promise
  rows = whole
  t.same(await here.ask('SELECT n FROM far WHERE n = 2'), ['n', '2'])
})
