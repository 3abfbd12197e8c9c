import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { type Told, toldOn } from '../../support/told.ts'
import { numberedRows, writeParquetFile } from '../parquet-file.ts'
import { startTestService, type TestService, type TestServiceOptions } from '../service.ts'
import { TASKS } from '../workers/told-tasks.ts'

const worker = new URL('../workers/worker-that-tells-its-tasks.ts', import.meta.url)

/** Starts a service with one engine, which tells its tasks. */
async function start(
  t: Test,
  settings: TestServiceOptions['settings'] = {},
): Promise<TestService & { readonly told: Told }> {
  const told = toldOn(t, TASKS)
  const one = { SERVICE_SQL_ENGINES: '1', ...settings }
  return { ...(await startTestService(t, { workers: 1, worker, settings: one })), told }
}

interface Opened {
  readonly client: ClientRequest
  readonly response: IncomingMessage
}

/** Sends a statement and reads only the head of its answer. */
async function open({ url }: TestService, sql: string): Promise<Opened> {
  const client = request(`${url}/api/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  })
  client.end(JSON.stringify({ sql }))
  const [response] = (await once(client, 'response')) as [IncomingMessage]
  response.pause()
  return { client, response }
}

/** Sends a statement, and closes the connection when it has run for some milliseconds. */
async function leave(
  t: Test,
  { query, told }: TestService & { told: Told },
  sql: string,
  ms = 0,
): Promise<void> {
  const leaving = new AbortController()
  const left = t.rejects(query({ sql }, { signal: leaving.signal }), { name: 'AbortError' })
  await told('sql_open')
  // Time itself: nothing tells that the statement has reached the call that does not end.
  await setTimeout(ms)
  leaving.abort()
  await left
}

/** Reads the rest of an answer. Returns whether it was complete. */
async function isWhole({ response }: Opened): Promise<boolean> {
  response.on('error', () => {})
  response.resume()
  await once(response, 'close').catch(() => {})
  return response.complete
}

let others = 0

/** Whether the service runs a statement. It is another one each time, because answers are kept. */
async function runsOthers({ rows }: TestService): Promise<boolean> {
  const table = await rows({ sql: `SELECT ${++others} AS n` })
  return table.get(0)?.['n'] === others
}

const HANGS = 'SELECT max(hash(a.range * b.range)) FROM range(10000000) a, range(10000000) b'
/** A statement that takes minutes in a single call of a function. */
const DEAF = "SELECT contains(repeat('a', 4000000 + range), repeat('a', 2000000) || 'b') FROM range(1)"
/** A statement that works for two seconds before its only row. */
const SLOW = 'SELECT count(hash(a.range * b.range)) FROM range(10000) a, range(8000) b'
/** A million rows: much more than what waits on its way to a client. */
const STREAM = "SELECT a.* FROM read_parquet('large.parquet') a, range(5)"

function writeLarge({ datasets }: TestService): void {
  writeParquetFile(join(datasets, 'large.parquet'), numberedRows(200_000), 50_000)
}

t.test('a statement that works for too long is stopped', async (t) => {
  const service = await start(t, { SERVICE_STATEMENT_TIMEOUT_SECS: '2' })
  for (const sql of [HANGS, DEAF]) {
    const answer = await service.query({ sql })
    t.equal(answer.status, 400)
    t.match(await answer.json(), /^The statement has worked for 2 s without/)
    t.ok(await runsOthers(service))
  }
})

t.test('a client that leaves frees its engine, and takes none but its own statement along', async (t) => {
  const service = await start(t)
  writeLarge(service)
  const reader = await open(service, STREAM)
  await service.told('sql_open')
  for (const sql of [
    HANGS,
    `SELECT count(*) FROM read_parquet('large.parquet') a, (${STREAM}) b, range(4)`,
  ]) {
    await leave(t, service, sql)
    t.ok(await runsOthers(service))
    await service.told('sql_open')
  }
  t.ok(await isWhole(reader), 'the other statement of the same engine goes on')
})

t.test(
  'one that cannot be stopped costs its engine, and the others there an answer that looks broken',
  async (t) => {
    const service = await start(t)
    writeLarge(service)
    const reader = await open(service, STREAM)
    await service.told('sql_open')
    await leave(t, service, DEAF, 300)
    t.ok(await runsOthers(service))
    t.notOk(await isWhole(reader))
  },
)

t.test('a statement without a row yet that another one costs its engine runs again', async (t) => {
  const service = await start(t)
  t.ok(await runsOthers(service))
  for (const kind of ['sql_boot', 'sql_open']) await service.told(kind)
  const answer = service.rows({ sql: SLOW })
  await service.told('sql_open')
  await leave(t, service, DEAF, 300)
  await service.told('sql_boot')
  t.equal((await answer).getChildAt(0)?.get(0), 80_000_000n)
})

t.test('a statement over its memory is refused, and the others of its engine go on', async (t) => {
  const service = await start(t, { SERVICE_SQL_MEMORY_MB: '64' })
  writeLarge(service)
  const reader = await open(service, STREAM)
  for (const sql of [
    "FROM read_parquet('large.parquet'), range(100) ORDER BY ALL",
    "SELECT id, range, count(*) FROM read_parquet('large.parquet'), range(100) GROUP BY ALL",
    "SELECT list_aggregate(list(id), 'max') FROM read_parquet('large.parquet'), range(1000)",
  ]) {
    const answer = await service.query({ sql })
    t.equal(answer.status, 400, sql)
    t.match(await answer.json(), /takes more memory than it may use/)
  }
  t.ok(await isWhole(reader))
})

t.test('two results of one engine stream side by side, and both are whole', async (t) => {
  const service = await start(t)
  writeLarge(service)
  const sql = "SELECT a.id + range AS n FROM read_parquet('large.parquet') a, range(5)"
  const stalled = await open(service, STREAM)
  const [one, two] = await Promise.all([service.rows({ sql }), service.rows({ sql })])
  t.equal(one.numRows, 1_000_000)
  t.equal(two.numRows, 1_000_000)
  t.ok(await isWhole(stalled))
})

t.test('statements whose clients do not read are closed, and leave room for others', async (t) => {
  const service = await start(t, { SERVICE_CURSOR_IDLE_SECS: '1' })
  writeLarge(service)
  // There are more statements than an engine has connections: the last ones begin when the first ones have been closed.
  const stalled = await Promise.all(Array.from({ length: 50 }, () => open(service, STREAM)))
  t.ok(await runsOthers(service))
  const ends = await Promise.all(stalled.map(isWhole))
  t.ok(ends.filter((whole) => !whole).length >= 18, 'they broke off')
})
