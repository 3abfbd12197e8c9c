import type { ServerResponse } from 'node:http'
import t from 'tap'
import { VERSION_HEADER } from '../../src/main/remotes/services/headers.ts'
import { VERSION } from '../../src/main/settings/version.ts'
import { startTables } from '../external/tables.ts'
import { PATIENT } from '../postgres/server.ts'
import { ARROW, startHttp } from './remote.ts'

const END = Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])

/** What the other service answers to queries for rows. */
let answer: (response: ServerResponse, sql: string) => unknown = () => {}
/** The queries that it was asked for rows. */
const asked: string[] = []
let version = VERSION

const remote = await startHttp(t, (request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    response.setHeader(VERSION_HEADER, version)
    if (request.method === 'GET') return response.setHeader('content-type', 'text/plain').end('Ok')
    const { sql } = JSON.parse(Buffer.concat(chunks).toString()) as { sql: string }
    response.setHeader('content-type', ARROW)
    if (sql.endsWith('LIMIT 0')) return response.end(columns)
    asked.push(sql)
    return answer(response, sql)
  })
})

const MIB = 1 << 20
const here = await startTables(t, {
  ...PATIENT,
  settings: { SERVICE_MAX_TEMP_BYTES: String(8 * MIB), SERVICE_MAX_OUTPUT_BYTES: String(8 * MIB) },
})
here.put('obs.csv', `n,x,word\n${Array.from({ length: 3000 }, (_, n) => `${n},${n / 2},é${n}`).join('\n')}\n`)
await here.settle()
const bytesOf = async (sql: string): Promise<Buffer> =>
  Buffer.from(await (await here.post({ sql })).arrayBuffer())
const whole = await bytesOf("SELECT * FROM read_csv('obs.csv')")
const columns = await bytesOf("SELECT * FROM read_csv('obs.csv') LIMIT 0")
const other = await bytesOf("SELECT n, x AS word, word AS x FROM read_csv('obs.csv')")
const expected = await here.ask("SELECT * FROM read_csv('obs.csv')")

/** The message of the schema, and those of the rows. */
const schemaBytes = 8 + whole.readUInt32LE(4)
const [schema, batches] = [whole.subarray(0, schemaBytes), whole.subarray(schemaBytes, -END.length)]

const SELECT = 'SELECT "n", "x", "word" FROM "public"."obs"'

t.test('rows are passed on as they came', async (t) => {
  t.equal(
    await here.command(
      `CREATE EXTERNAL TABLE far STORED AS REMOTE LOCATION 'http://127.0.0.1:${remote.port}/obs'`,
    ),
    '',
  )
  answer = (response) => response.end(whole)
  t.ok(whole.equals(await bytesOf('SELECT * FROM far')))
  t.same(await here.ask('SELECT * FROM far'), expected)
  answer = (response) => response.end(Buffer.concat([schema, batches, batches, batches, END]))
  t.equal((await here.ask('SELECT * FROM far'))?.length, 9001)
  t.same(asked, [SELECT, SELECT, SELECT])
})

t.test('in whatever pieces they come', async (t) => {
  const bytes = Buffer.concat([schema, ...Array.from({ length: 40 }, () => batches), END])
  for (const piece of [997, 20_000, 65_536]) {
    answer = async (response) => {
      for (let at = 0; at < bytes.length; at += piece)
        await new Promise((resolve) => response.write(bytes.subarray(at, at + piece), resolve))
      response.end()
    }
    t.ok(bytes.equals(await bytesOf('SELECT * FROM far')), `${piece}`)
  }
})

t.test('what it does not answer so is asked for as of any service', async (t) => {
  asked.length = 0
  answer = (response, sql) => {
    if (!sql.includes(' LIMIT 5')) return response.end(whole)
    response.statusCode = 400
    return response.end('"no limits here"')
  }
  t.same(await here.ask('SELECT word || word AS w FROM far WHERE length(word) < 3 LIMIT 2'), [
    'w',
    'é0é0',
    'é1é1',
  ])
  t.match(await here.ask('SELECT n FROM far LIMIT 5'), /no limits here|has answered 400|refused/)
  answer = (response) => response.end(other)
  t.match(await here.ask('SELECT * FROM far'), /columns of "far" have changed/)
  version = 'another one'
  answer = (response) => response.end(whole)
  t.same(await here.ask('SELECT * FROM far'), expected)
  asked.length = 0
  t.same(await here.ask('SELECT * FROM far'), expected)
  t.same(asked, [SELECT])
  t.match(await here.explain('SELECT * FROM far'), /"Not Relayed": "the service has another version"/)
  version = VERSION
  t.same(await here.ask('SELECT * FROM far'), expected)
})

const WRONG: Readonly<Record<string, () => Buffer>> = {
  'a stream that is cut short': () => whole.subarray(0, -END.length),
  'a stream with something behind its end': () => Buffer.concat([whole, END]),
  'a batch that is cut short': () => whole.subarray(0, schemaBytes + 100),
  'a second schema': () => Buffer.concat([schema, whole]),
  'a text that is no UTF-8': () => {
    const bytes = Buffer.from(whole)
    bytes[bytes.lastIndexOf('é2999')] = 0xff
    return bytes
  },
}

for (const [name, bytes] of Object.entries(WRONG))
  t.test(name, async (t) => {
    answer = (response) => response.end(bytes())
    const [text, arrow] = [await here.ask('SELECT * FROM far'), await here.post({ sql: 'SELECT * FROM far' })]
    t.match(String(text), /which another service has sent/)
    const rows = arrow.arrayBuffer().then(
      () => arrow.status,
      () => 'broken off',
    )
    t.ok([400, 'broken off'].includes(await rows), `${arrow.status}`)
    answer = (response) => response.end(whole)
    t.same(await here.ask('SELECT * FROM far'), expected)
  })

t.test('with any byte changed they are rows, or a clean error', async (t) => {
  const few = await bytesOf("SELECT * FROM read_csv('obs.csv') WHERE n < 5")
  for (let at = 0; at < few.length; at += 13) {
    const bytes = Buffer.from(few)
    bytes[at] = (bytes[at] ?? 0) ^ 0xff
    answer = (response) => response.end(bytes)
    const response = await here.post({ sql: 'SELECT * FROM far', output: { format: 'csv' } })
    await response.text()
    t.ok([200, 400].includes(response.status), `${at}: ${response.status}`)
  }
})

/** Answers batches until the connection is closed, and calls back when it does not take more. */
function endlessly(onFull: () => void, onClose: () => void): typeof answer {
  const many = Buffer.concat(Array.from({ length: 20 }, () => batches))
  return (response) => {
    response.once('close', onClose)
    response.write(schema)
    const more = (): void => {
      while (!response.destroyed && response.write(many));
      if (response.destroyed) return
      onFull()
      response.once('drain', more)
    }
    more()
  }
}

t.test('more rows are relayed than temporary files may hold, as they come', async (t) => {
  const left = Promise.withResolvers<void>()
  answer = endlessly(() => {}, left.resolve)
  for (const output of [undefined, { format: 'csv' }]) {
    const client = new AbortController()
    const response = await here.query({ sql: 'SELECT * FROM far', output }, { signal: client.signal })
    const reader = (response.body ?? t.fail('no body')) as ReadableStream<Uint8Array>
    let size = 0
    for await (const chunk of reader) {
      size += chunk.byteLength
      if (size > 24 * MIB) break
    }
    t.ok(size > 24 * MIB, `${size} bytes`)
    client.abort()
  }
  await left.promise
})

t.test(
  'a client that does not read has the other service wait, and one that leaves closes its connection',
  async (t) => {
    const [full, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    answer = endlessly(full.resolve, left.resolve)
    const client = new AbortController()
    await here.query({ sql: 'SELECT * FROM far' }, { signal: client.signal })
    await full.promise
    client.abort()
    await left.promise
    answer = (response) => response.end(whole)
    t.same(await here.ask('SELECT * FROM far'), expected)
  },
)

t.test('a client that leaves before the first rows closes its connection too', async (t) => {
  const [begun, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  answer = (response) => {
    response.once('close', left.resolve)
    response.write(schema)
    begun.resolve()
  }
  const client = new AbortController()
  const response = here.query({ sql: 'SELECT * FROM far' }, { signal: client.signal })
  await begun.promise
  client.abort()
  await t.rejects(response)
  await left.promise
})
