/**
 * Many clients at once, SQL and JSON mixed: most read their answers, some leave in the middle, some do not read for a
 * while. Every answer that was read to its end is compared with the one of native DuckDB. `npm run bench:mixed`
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { benchCases, type Case } from './cases.ts'
import { ask } from './client.ts'
import { benchData, LAYOUTS } from './data.ts'
import { integer, readFlags } from './flags.ts'
import { createJudge } from './judge.ts'
import { native } from './native.ts'
import { type Service, withService } from './service.ts'
import { quantile } from './statistics.ts'

/** How long a client that does not read waits, milliseconds. */
const PAUSE_MS = 2000

/** A client that leaves before the first byte does so after at most this long, milliseconds. */
const LEAVE_MS = 100

/** How long the service is left alone after the clients, milliseconds. */
const REST_MS = 3000

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
const duckdb = await native(2)
const judge = createJudge(duckdb)
const cases = benchCases(data, flags)
const large = everything()
const scratch = mkdtempSync(join(tmpdir(), 'halocline-mixed-'))
process.once('SIGINT', () => process.exit(130))

/** Of finished answers, milliseconds. */
const times = { SQL: [] as number[], JSON: [] as number[] }
/** How often, by what went wrong. */
const errors = new Map<string, number>()
let left = 0

const options = {
  dataDir: join(scratch, 'data'),
  datasetsDir: data.root,
  workers: integer('--workers', values.workers, 1),
  profileDir: values.profile ?? null,
}
await withService(options, async (service) => {
  await service.ready()
  await alone(service)
  const before = service.residentBytes()
  service.peakBytes()
  const probe = new Worker(new URL('./health-probe.ts', import.meta.url), {
    workerData: { port: service.port },
  })
  const agent = new Agent({ keepAlive: true })
  const deadline = performance.now() + seconds * 1000
  await Promise.all(Array.from({ length: clients }, (_, i) => client(i, service.port, agent, deadline)))
  probe.postMessage('stop')
  const [health] = (await once(probe, 'message')) as [number[]]
  agent.destroy()
  const peak = service.peakBytes()
  await sleep(REST_MS)
  const after = service.residentBytes()
  await alone(service)

  console.log(`${clients} clients for ${seconds} s; ${left} answers left in the middle`)
  for (const [kind, ms] of Object.entries(times))
    console.log(`${kind}: ${ms.length} answers, ${(ms.length / seconds).toFixed(1)}/s, ${spread(ms)}`)
  console.log(`/api/health: ${health.length} answers, ${spread(health)}`)
  console.log(`resident: ${megabytes(before)} before, ${megabytes(peak)} at most, ${megabytes(after)} after`)
  console.log(`compared: ${judge.compared()} different bodies`)
  for (const [error, count] of errors) console.log(`FAILED ${count} times: ${error}`)
  if (errors.size === 0) console.log('no errors, no wrong answer')
  else process.exitCode = 1
})
duckdb.close()
rmSync(scratch, { recursive: true })

/** Asks every query once, with no other client. */
async function alone(service: Service): Promise<void> {
  for (const each of [...cases, ...large]) {
    try {
      await judge.right(each, await service.query(each.body))
    } catch (error) {
      note(error)
    }
  }
}

/** Asks one query after another. Every eighth client leaves, every eighth does not read for a while. */
async function client(number: number, port: number, agent: Agent, deadline: number): Promise<void> {
  const habit = ({ 0: 'leave', 1: 'pause' } as const)[number % 8] ?? 'read'
  const chosen = habit === 'read' ? cases : large
  for (let turn = number; performance.now() < deadline; turn++) {
    // A step that is prime to the number of cases, so that each client meets all, in an order of its own.
    const each = chosen[(turn * 7 + number) % chosen.length]
    if (each === undefined) return
    const leaving = new AbortController()
    if (habit === 'leave' && turn % 2 === 0) setTimeout(() => leaving.abort(), (turn * 31) % LEAVE_MS)
    const chunks: Buffer[] = []
    const start = performance.now()
    try {
      const text = JSON.stringify(each.body)
      await ask({ agent, port, text, signal: leaving.signal }, (chunk, response) => {
        if (chunks.push(chunk) > 1) return
        if (habit === 'leave') leaving.abort()
        if (habit === 'pause') {
          response.pause()
          setTimeout(() => response.resume(), PAUSE_MS)
        }
      })
      if (habit === 'read') {
        const kind = each.form === 'json_rows' ? 'JSON' : 'SQL'
        times[kind].push(performance.now() - start)
      }
      await judge.right(each, Buffer.concat(chunks))
    } catch (error) {
      if (leaving.signal.aborted) left++
      else {
        note(error)
        // Not to fill the log of a service that has ended.
        await sleep(LEAVE_MS)
      }
    }
  }
}

/** All rows of a layout, by SQL and by JSON: more than fits between a client that does not read and the service. */
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
  const first = cases[0]
  if (first === undefined) return []
  const path = `${data.folder}/random/*.parquet`
  const all = { ...first, query: 'everything', agreement: 'multiset' } as const
  const sql = `SELECT * FROM read_parquet('${join(data.root, path)}')`
  return [
    { ...all, form: 'sql_rows', sql, body: { sql: `SELECT * FROM read_parquet(['${path}'])` } },
    { ...all, form: 'json_rows', sql, body: { select, from: { parquet: { paths: [path] } } } },
  ]
}

function note(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error)
  errors.set(text, (errors.get(text) ?? 0) + 1)
}

function spread(ms: readonly number[]): string {
  const at = (part: number) => `${quantile(ms, part).toFixed(0)} ms`
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`
}
