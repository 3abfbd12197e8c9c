import { spawnSync } from 'node:child_process'
import { Agent } from 'node:http'
import { join } from 'node:path'
import type { Judge } from '../compare/judge.ts'
import type { SmallQuery } from '../queries/small-queries.ts'
import { ask } from '../service/client.ts'
import type { Service } from '../service/service.ts'

const QUERIES = 10_000

/** Queries after which it is looked at what they cost. */
const STRETCH = 1000

const CLIENTS = 8

/** One of so many answers is compared. */
const COMPARED = 10

/** The service during some of many small queries, no two of them alike. */
export interface Stretch {
  readonly perSecond: number
  readonly residentBytes: number
  /** Of temporary files. */
  readonly temporaryBytes: number
  /** Of all that the service keeps, metrics among it. */
  readonly diskBytes: number
}

export async function endure(
  service: Service,
  dataDir: string,
  queries: readonly SmallQuery[],
  table: string,
  judge: Judge,
): Promise<Stretch[]> {
  const agent = new Agent({ keepAlive: true })
  const stretches: Stretch[] = []
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
    const until = asked + STRETCH
    await Promise.all(Array.from({ length: CLIENTS }, () => client(until)))
    stretches.push({
      perSecond: STRETCH / ((performance.now() - start) / 1000),
      residentBytes: service.residentBytes(),
      temporaryBytes: diskUsage(join(dataDir, 'tmp')),
      diskBytes: diskUsage(dataDir),
    })
  }
  agent.destroy()
  return stretches
}

function diskUsage(folder: string): number {
  const { stdout } = spawnSync('du', ['-sb', folder], { encoding: 'utf8' })
  return Number.parseInt(stdout, 10) || 0
}
