// In a process of its own: it counts the threads that tell their memory.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BroadcastChannel } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { until } from '../support/until.ts'
import { numberedRows, writeParquetFile } from './parquet-file.ts'
import { startTestService } from './service.ts'
import type { ToldMemory } from './workers/worker-that-tells-its-memory.ts'

const WORKERS = 2
const ENGINES = 1
const ROWS = 200_000
const FILES = { from: { parquet: { paths: ['?.parquet'] } } }
const SQL = "FROM read_parquet('?.parquet')"

const GRID = { output: { format: { nd_netcdf: { dimension_columns: ['id'] } } } }

/** Queries of every kind of task. */
const QUERIES: readonly object[] = [
  { ...FILES, select: ['id', 'noise', 'name'] },
  { ...FILES, select: ['id', 'name'], limit: 1000, offset: 70_000 },
  { ...FILES, select: ['id', 'name'], filters: [{ column: 'noise', min: 0.2, max: 0.3 }] },
  { ...FILES, select: ['id', 'name'], sort_by: [{ Desc: 'noise' }], output: { format: 'csv' } },
  { ...FILES, select: ['id', 'name'], sort_by: [{ Desc: 'noise' }], output: { format: 'ndjson' } },
  { ...FILES, select: ['id', 'noise'], ...GRID },
  { ...FILES, select: ['name', { function: 'sqrt', args: ['noise'], alias: 'root' }], limit: 100_000 },
  { sql: `SELECT * ${SQL} WHERE noise > 0.5 AND name <> 'name-1'` },
  { sql: `SELECT * ${SQL} WHERE noise > 2` },
  { sql: `SELECT count(*), avg(noise), max(name) ${SQL}` },
  { sql: `SELECT name, count(*), sum(id), count(DISTINCT id) ${SQL} GROUP BY ALL` },
  { sql: `SELECT DISTINCT id % 1000, name ${SQL}` },
  { sql: `SELECT DISTINCT id ${SQL}` },
  { sql: `SELECT id, name ${SQL} ORDER BY noise, id` },
  { sql: `SELECT id, name ${SQL} ORDER BY noise DESC LIMIT 20` },
  { sql: `SELECT a.id, b.name ${SQL} a JOIN read_parquet('a.parquet') b USING (id) WHERE b.noise < 0.1` },
  { sql: `SELECT id, row_number() OVER (PARTITION BY name ORDER BY noise) AS place ${SQL}` },
  { sql: `SELECT upper(name), noise * 2 ${SQL} WHERE hash(id) % 3 = 0` },
  { sql: `SELECT upper(name) ${SQL} LIMIT 5000` },
  { sql: "SELECT * FROM read_csv('t.csv') WHERE n % 2 = 0" },
  { sql: "SELECT k, max(n) FROM read_csv('t.csv') GROUP BY k ORDER BY 2 LIMIT 3" },
]

/** Queries that fail in a worker. */
const FAULTS: readonly object[] = [
  { sql: "SELECT * FROM read_parquet('damaged.parquet')" },
  { sql: "SELECT name, sum(noise) FROM read_parquet('damaged.parquet') GROUP BY name" },
  { sql: "SELECT id FROM read_parquet('damaged.parquet') ORDER BY noise" },
  { sql: "SELECT upper(name), noise FROM read_parquet('damaged.parquet')" },
  { sql: "SELECT id, noise FROM read_parquet('damaged.parquet')", ...GRID },
  {
    sql: `SELECT id, noise, id % 2 AS odd ${SQL}`,
    output: { format: { nd_netcdf: { dimension_columns: ['id', 'noise'] } } },
  },
  { sql: `SELECT CAST(name AS INTEGER) ${SQL}` },
  { sql: `SELECT CAST(CASE WHEN id < 150000 THEN '1' ELSE name END AS INTEGER) ${SQL}` },
  { sql: `SELECT list(id) ${SQL}, range(2000) GROUP BY ALL` },
  { sql: "SELECT * FROM read_csv('wrong.csv')" },
  { sql: "SELECT upper(k) FROM read_csv('wrong.csv')" },
]

/** Damages the data of the later row groups of a file. */
function damage(from: string, to: string): void {
  const bytes = readFileSync(from)
  bytes.fill(0x5a, bytes.length >> 1, (bytes.length >> 2) * 3)
  writeFileSync(to, bytes)
}

async function start(t: Test, settings: Record<string, string> = {}) {
  const worker = new URL('./workers/worker-that-tells-its-memory.ts', import.meta.url)
  const all = { SERVICE_SQL_ENGINES: String(ENGINES), ...settings }
  const service = await startTestService(t, { workers: WORKERS, worker, settings: all, isWarmedUp: true })
  const { datasets } = service
  writeParquetFile(join(datasets, 'a.parquet'), numberedRows(ROWS), 20_000)
  writeParquetFile(join(datasets, 'b.parquet'), numberedRows(ROWS, ROWS), 50_000)
  damage(join(datasets, 'a.parquet'), join(datasets, 'damaged.parquet'))
  const lines = Array.from({ length: 100_000 }, (_, n) => `${n},key-${n % 13}`)
  writeFileSync(join(datasets, 't.csv'), ['n,k', ...lines].join('\n'))
  writeFileSync(join(datasets, 'wrong.csv'), ['n,k', ...lines, 'x,"key'].join('\n'))
  return service
}

/** Asks for the bytes in all cores besides kept columns. Waits for workers and engines that are busy. */
function bytesLeft(t: Test): () => Promise<number> {
  const channel = new BroadcastChannel('memory')
  t.teardown(() => channel.close())
  let questions = 0
  return async () => {
    const question = ++questions
    const told = new Map<number, number>()
    channel.onmessage = (event) => {
      const { data } = event as unknown as { data: ToldMemory }
      if (data.question === question) told.set(data.threadId, data.bytes)
    }
    // A worker that has just started may not be listening yet.
    await until('every worker and engine tells its memory', () => {
      channel.postMessage(question)
      return told.size === WORKERS + ENGINES
    })
    return [...told.values()].reduce((sum, each) => sum + each)
  }
}

t.test('queries of all kinds, whole, cancelled and failed, leave nothing but kept columns', async (t) => {
  const service = await start(t)
  const bytes = bytesLeft(t)
  const nothingIsLeft = async (after: string): Promise<void> => {
    await until(`nothing is left after ${after}`, async () => (await bytes()) === 0)
    t.pass(after)
  }
  await nothingIsLeft('the start')
  for (const body of QUERIES) {
    await (await service.query(body)).arrayBuffer()
    await nothingIsLeft(JSON.stringify(body))
  }
  for (const body of FAULTS) {
    const answer = await service.query(body)
    await t.rejects(answer.status === 200 ? answer.arrayBuffer() : Promise.reject(new Error('refused')))
    await nothingIsLeft(JSON.stringify(body))
  }
  for (const body of QUERIES) {
    for (const ms of [5, 25]) {
      // Time itself: the client leaves after some work has been done, or before any.
      const leaving = AbortSignal.timeout(ms)
      const init = {
        signal: leaving,
        headers: { 'cache-control': 'no-store', 'content-type': 'application/json' },
      }
      await service
        .query(body, init)
        .then((answer) => answer.arrayBuffer())
        .catch(() => {})
    }
    await nothingIsLeft(`${JSON.stringify(body)}, left`)
  }
  await Promise.all(
    QUERIES.map(async (body) => {
      const answer = await service.query(body)
      await answer.body?.cancel()
    }),
  )
  await nothingIsLeft('all of them at once, not read')
})
