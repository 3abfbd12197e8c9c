import { spawnSync } from 'node:child_process'
import { Agent } from 'node:http'
import { join } from 'node:path'
import type { Judge } from '../compare/judge.ts'
import type { SmallQuery } from '../queries/small-queries.ts'
import { ask } from '../service/client.ts'
import type { Service } from '../service/service.ts'

const QUERIES = 10_000

/** Queries of one interval, after which the service is measured. */
const INTERVAL_QUERIES = 1000

const CLIENTS = 8

/** One of so many answers is compared. */
const COMPARED = 10

/** Measurements of the service during some of many small queries. */
export interface Interval {
  readonly perSecond: number
  readonly residentBytes: number
  readonly temporaryBytes: number
  /** Bytes of the data folder, which has the metrics. */
  readonly diskBytes: number
}

/** Sends many small queries, no two of which are equal, and measures the service in intervals. */
export async function endure(
  service: Service,
  dataDir: string,
  queries: readonly SmallQuery[],
  table: string,
  judge: Judge,
): Promise<Interval[]> {
  const agent = new Agent({ keepAlive: true })
  const intervals: Interval[] = []
  let asked = 0
  const client = async (until: number): Promise<void> => {
    while (asked < until) {
      const number = String(asked++).padStart(8, '0')
      const query = queries[Number(number) % queries.length]
      if (query === undefined) return
      const chunks: Buffer[] = []
      await ask({ agent, port: service.port, text: query.body(number) }, (chunk) => chunks.push(chunk))
      const { key, agreement } = query
      if (Number(number) % COMPARED === 0)
        await judge.right(Buffer.concat(chunks), { name: key, sql: query.sql(number, table), agreement })
    }
  }
  while (asked < QUERIES) {
    const start = performance.now()
    const until = asked + INTERVAL_QUERIES
    await Promise.all(Array.from({ length: CLIENTS }, () => client(until)))
    intervals.push({
      perSecond: INTERVAL_QUERIES / ((performance.now() - start) / 1000),
      residentBytes: service.residentBytes(),
      temporaryBytes: diskUsage(join(dataDir, 'tmp')),
      diskBytes: diskUsage(dataDir),
    })
  }
  agent.destroy()
  return intervals
}

function diskUsage(folder: string): number {
  const { stdout } = spawnSync('du', ['-sb', folder], { encoding: 'utf8' })
  return Number.parseInt(stdout, 10) || 0
}
