import { Agent } from 'node:http'
import type { BenchData } from '../input/data.ts'
import { type LoadResult, load, NUMBER } from '../load/load.ts'
import { ask } from '../service/client.ts'
import type { Service } from '../service/service.ts'
import type { Figure } from './figure.ts'

const SMALL_CLIENTS = 56
const SLOW_CLIENTS = 8

const SECONDS = 10

/** How long the slow statements run before the small ones are measured beside them. Milliseconds. */
const LEAD_MS = 3000

/**
 * The 99th percentile of the times of small statements of 56 clients while 8 clients send joins that take minutes, divided by that
 * without these. Both run in DuckDB.
 */
export async function slow({ port }: Service, { small }: BenchData): Promise<Figure[]> {
  const measure = (): Promise<LoadResult> =>
    load({
      port,
      method: 'POST',
      path: '/api/query',
      body: JSON.stringify({ sql: `SELECT round(${NUMBER} / 3.0, 2) AS third` }),
      clients: SMALL_CLIENTS,
      seconds: SECONDS,
      sampleEvery: null,
    })
  await measure()
  const alone = await measure()
  const leaving = new AbortController()
  const joins = Array.from({ length: SLOW_CLIENTS }, (_, client) => join(port, small, client, leaving.signal))
  await new Promise((resolve) => setTimeout(resolve, LEAD_MS))
  const beside = await measure()
  leaving.abort()
  await Promise.all(joins)
  if (alone.failures + beside.failures > 0) throw new Error('small statements have failed')
  const what = `p99 of small statements of ${SMALL_CLIENTS} clients, beside ${SLOW_CLIENTS} clients with endless joins`
  const detail = `${alone.p99.toFixed(0)} ms alone, ${beside.p99.toFixed(0)} ms beside them`
  return [{ key: 'slow', what: `${what} (${detail})`, value: beside.p99 / alone.p99, unit: '×' }]
}

/** Sends a join that does not end, until the signal is aborted. */
async function join(port: number, path: string, client: number, signal: AbortSignal): Promise<void> {
  const sql = `SELECT count(*) FROM range(3000000) a JOIN read_parquet('${path}') o
    ON abs(a.range / 1e5 - o.latitude) < 0.0${client + 1}`
  const agent = new Agent({ keepAlive: true })
  try {
    while (!signal.aborted) await ask({ agent, port, text: JSON.stringify({ sql }), signal }, () => {})
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    agent.destroy()
  }
}
