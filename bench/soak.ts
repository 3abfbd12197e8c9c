/**
 * `npm run bench:soak -- --seconds 600`: mixed load by many clients at once, in SQL and JSON. Some hang up, some do not read,
 * some revalidate by ETag, and some query files that change. Then come ten thousand small queries. Every answer is compared
 * with that of native DuckDB.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { benchCases, type Case } from './compare/cases.ts'
import { createJudge } from './compare/judge.ts'
import { native } from './compare/native.ts'
import { integer, readFlags } from './flags.ts'
import { benchData, LAYOUTS } from './input/data.ts'
import { smallQueries } from './queries/small-queries.ts'
import { quantile } from './report/statistics.ts'
import { type Service, withService } from './service/service.ts'
import { changingFiles } from './soak/changing-files.ts'
import { type Asking, asking, client, type Habit, type Soak } from './soak/clients.ts'
import { endure, type Interval } from './soak/endurance.ts'

/** How long the service is idle after the clients before its memory is measured. Milliseconds. */
const REST_MS = 3000

/** Different texts of each hot query. */
const HOT = 8

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '64' },
    seconds: { type: 'string', default: '60' },
    workers: { type: 'string', default: '2' },
    rows: { type: 'string', default: '200000' },
    'csv-bytes': { type: 'string', default: '10000000' },
    // A folder for a CPU profile of each thread of the service.
    profile: { type: 'string' },
  },
})
const clients = integer('--clients', values.clients, 1)
const seconds = integer('--seconds', values.seconds, 1)
const flags = readFlags([
  `--rows=${values.rows}`,
  `--csv-bytes=${values['csv-bytes']}`,
  `--layouts=${LAYOUTS.join()},csv`,
  '--forms=sql_rows,json_rows',
])

const data = await benchData(join(import.meta.dirname, 'data'), flags)
const table = `read_parquet('${join(data.root, data.small)}')`
const duckdb = await native(2)
const judge = createJudge(duckdb)
const scratch = mkdtempSync(join(tmpdir(), 'halocline-soak-'))
const dataDir = join(scratch, 'data')
const changing = await changingFiles(data.root, scratch)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
process.once('exit', () => changing.remove())

const cases = benchCases(data, flags).map(asking)
const large = everything().map(asking)
const hot = hotQuestions()
const times = new Map<Habit, number[]>()
const counts = new Map<string, number>()

const options = {
  dataDir,
  datasetsDir: data.root,
  workers: integer('--workers', values.workers, 1),
  profileDir: values.profile ?? null,
}
await withService(options, async (service) => {
  await service.ready()
  progress('every query alone')
  await alone(service)
  const before = service.residentBytes()
  service.peakBytes()
  progress(`${clients} clients for ${seconds} s`)
  const { health, changes } = await crowd(service)
  progress('every query alone')
  const peak = service.peakBytes()
  await sleep(REST_MS)
  const after = service.residentBytes()
  await alone(service)
  progress('ten thousand small queries')
  const intervals = await endure(service, dataDir, smallQueries(data.small), table, judge)

  console.log(`${clients} clients for ${seconds} s, ${changes} changes of files`)
  for (const [habit, ms] of times)
    console.log(`${habit}: ${ms.length} answers, ${(ms.length / seconds).toFixed(1)}/s, ${spread(ms)}`)
  console.log(`/api/health: ${health.length} answers, ${spread(health)}`)
  console.log(`resident: ${megabytes(before)} before, ${megabytes(peak)} at most, ${megabytes(after)} after`)
  for (const [what, count] of counts) console.log(`${count} ${what}`)
  console.log('ten thousand small queries, each thousand:')
  for (const interval of intervals) console.log(`  ${describe(interval)}`)
  verdict(intervals[0], intervals.at(-1))
})
duckdb.close()
if (process.exitCode === undefined) rmSync(scratch, { recursive: true })
else console.log(`The log of the service is ${dataDir}.log`)

/** Sends every query once, without other clients. */
async function alone(service: Service): Promise<void> {
  for (const { text, question } of [...cases, ...large, ...hot]) {
    try {
      await judge.right(await service.query(JSON.parse(text)), question)
    } catch (error) {
      count(`FAILED alone: ${error instanceof Error ? error.message : error}`)
    }
  }
}

async function crowd({ port }: Service): Promise<{ health: number[]; changes: number }> {
  const probe = new Worker(new URL('./service/health-probe.ts', import.meta.url), { workerData: { port } })
  const agent = new Agent({ keepAlive: true })
  const over = new AbortController()
  const changed = changing.run(over.signal)
  const soak: Soak = { port, agent, judge, cases, large, hot, changing, took, count }
  const deadline = performance.now() + seconds * 1000
  await Promise.all(Array.from({ length: clients }, (_, number) => client(soak, number, deadline)))
  over.abort()
  const changes = await changed
  probe.postMessage('stop')
  const [health] = (await once(probe, 'message')) as [number[]]
  agent.destroy()
  return { health, changes }
}

/** All rows of a layout, by SQL and by JSON. */
function everything(): Case[] {
  const select = [
    'time',
    'latitude',
    'longitude',
    'depth',
    'platform',
    'platform_id',
    'temperature',
    'salinity',
  ]
  const path = `${data.folder}/random/*.parquet`
  const sql = `SELECT * FROM read_parquet('${join(data.root, path)}')`
  const all = { layout: 'random', query: 'everything', agreement: 'multiset', files: [], sql } as const
  return [
    { ...all, form: 'sql_rows', body: { sql: `SELECT * FROM read_parquet(['${path}'])` } },
    { ...all, form: 'json_rows', body: { select, from: { parquet: { paths: [path] } } } },
  ]
}

function hotQuestions(): Asking[] {
  return smallQueries(data.small).flatMap((query) =>
    Array.from({ length: HOT }, (_, i) => {
      const number = String(i).repeat(8)
      const { key, agreement } = query
      return { text: query.body(number), question: { name: key, sql: query.sql(number, table), agreement } }
    }),
  )
}

function progress(what: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${what}\n`)
}

function took(habit: Habit, ms: number): void {
  const all = times.get(habit)
  if (all === undefined) times.set(habit, [ms])
  else all.push(ms)
}

function count(what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}

/** Compares the last interval with the first. The bounds allow for the differences between any two intervals of a run. */
function verdict(first: Interval | undefined, last: Interval | undefined): void {
  const faults = [...counts].filter(([what]) => what.startsWith('FAILED')).map(([what]) => what)
  if (first === undefined || last === undefined) faults.push('no small queries')
  else {
    if (last.perSecond < first.perSecond * 0.7) faults.push('slower at the end')
    if (last.residentBytes > first.residentBytes * 1.25) faults.push('more memory at the end')
    if (last.temporaryBytes > first.temporaryBytes) faults.push('more temporary files at the end')
  }
  const all = [...times.values()].reduce((sum, ms) => sum + ms.length, 0)
  const answers = `${all} answers, ${judge.compared()} of them different`
  console.log(faults.length === 0 ? `PASS: ${answers}, none wrong` : `FAIL: ${answers}; ${faults.join('; ')}`)
  if (faults.length > 0) process.exitCode = 1
}

function describe({ perSecond, residentBytes, temporaryBytes, diskBytes }: Interval): string {
  return `${perSecond.toFixed(0)} req/s, resident ${megabytes(residentBytes)}, temporary files ${megabytes(temporaryBytes)}, data folder ${megabytes(diskBytes)}`
}

function spread(ms: readonly number[]): string {
  const at = (part: number) => `${quantile(ms, part).toFixed(0)} ms`
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`
}
