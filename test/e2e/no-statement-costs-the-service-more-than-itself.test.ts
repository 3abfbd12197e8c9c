import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { numberedRows, writeParquetFile } from './parquet-file.ts'
import { startTestService, type TestService } from './service.ts'

interface Opened {
  readonly client: ClientRequest
  readonly response: IncomingMessage
}

/** A statement whose answer is not read past its head. */
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

/** Reads the rest: whether the answer came to its end. */
async function isWhole({ response }: Opened): Promise<boolean> {
  response.on('error', () => {})
  response.resume()
  await once(response, 'close').catch(() => {})
  return response.complete
}

const HANGS = 'SELECT max(hash(a.range * b.range)) FROM range(10000000) a, range(10000000) b'
/** Minutes inside one call of a function. */
const DEAF = "SELECT levenshtein(repeat('a' || range, 600000), repeat('b', 600000)) FROM range(1)"
/** Two seconds of work before its only row. */
const SLOW = 'SELECT count(hash(a.range * b.range)) FROM range(10000) a, range(8000) b'
const STREAM = "SELECT a.* FROM read_parquet('large.parquet') a, range(20)"

function writeLarge({ datasets }: TestService): void {
  writeParquetFile(join(datasets, 'large.parquet'), numberedRows(200_000), 50_000)
}

t.test('a statement without a row for too long is stopped', async (t) => {
  const service = await startTestService(t, {
    workers: 1,
    settings: { SERVICE_STATEMENT_TIMEOUT_SECS: '2' },
  })
  for (const sql of [HANGS, DEAF]) {
    const answer = await service.query({ sql })
    t.equal(answer.status, 400)
    t.match(await answer.json(), 'The statement gave no row for 2 s.')
    t.equal((await service.rows({ sql: 'SELECT 1' })).numRows, 1)
  }
})

t.test('a client that leaves frees its worker, and takes none but its own statement along', async (t) => {
  const service = await startTestService(t, { workers: 1 })
  writeLarge(service)
  const reader = await open(service, STREAM)
  for (const sql of [HANGS, `SELECT count(*) FROM read_parquet('large.parquet') a, (${STREAM}) b`]) {
    const leaving = AbortSignal.timeout(500)
    await t.rejects(service.query({ sql }, { signal: leaving }), { name: 'TimeoutError' })
    t.equal((await service.rows({ sql: 'SELECT 1' })).numRows, 1)
  }
  t.ok(await isWhole(reader), 'the other statement of the same worker goes on')
})

t.test(
  'one that cannot be stopped costs its worker, and the others there an answer that looks broken',
  async (t) => {
    const service = await startTestService(t, { workers: 1 })
    writeLarge(service)
    const reader = await open(service, STREAM)
    const leaving = AbortSignal.timeout(500)
    await t.rejects(service.query({ sql: DEAF }, { signal: leaving }), {
      name: 'TimeoutError',
    })
    t.equal((await service.rows({ sql: 'SELECT 1' })).numRows, 1)
    t.notOk(await isWhole(reader))
  },
)

t.test('a statement without a row yet that another one costs its worker runs again', async (t) => {
  const service = await startTestService(t, { workers: 1 })
  t.equal((await service.rows({ sql: 'SELECT 1' })).numRows, 1)
  const answer = service.rows({ sql: SLOW })
  await sleep(300)
  const leaving = AbortSignal.timeout(300)
  await t.rejects(service.query({ sql: DEAF }, { signal: leaving }), { name: 'TimeoutError' })
  t.equal((await answer).getChildAt(0)?.get(0), 80_000_000n)
})

t.test('a statement over its memory is refused, and the others of its worker go on', async (t) => {
  const service = await startTestService(t, { workers: 1, settings: { SERVICE_SQL_MEMORY_MB: '64' } })
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

t.test('two results of one worker stream side by side, and both are whole', async (t) => {
  const service = await startTestService(t, { workers: 1 })
  writeLarge(service)
  const sql = "SELECT a.id + range AS n FROM read_parquet('large.parquet') a, range(5)"
  const stalled = await open(service, STREAM)
  const [one, two] = await Promise.all([service.rows({ sql }), service.rows({ sql })])
  t.equal(one.numRows, 1_000_000)
  t.equal(two.numRows, 1_000_000)
  t.ok(await isWhole(stalled))
})

t.test('statements whose clients do not read are closed, and leave room for others', async (t) => {
  const service = await startTestService(t, { workers: 1, settings: { SERVICE_CURSOR_IDLE_SECS: '1' } })
  writeLarge(service)
  // More than a worker has connections: the last ones begin when the first ones have been closed.
  const stalled = await Promise.all(Array.from({ length: 50 }, () => open(service, STREAM)))
  t.equal((await service.rows({ sql: 'SELECT 1' })).numRows, 1)
  const ends = await Promise.all(stalled.map(isWhole))
  t.ok(ends.filter((whole) => !whole).length >= 18, 'they broke off')
})
