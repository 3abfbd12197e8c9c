import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchData } from '../input/data.ts'
import { type Service, withService } from '../service/service.ts'
import type { Figure } from './figure.ts'

/** How long a service is idle before its memory is measured. Milliseconds. */
const IDLE_MS = 3000

/** Pairs of concurrent statements, after which DuckDB has started in both workers. */
const PAIRS = 5

/** The resident memory of a service with two workers when idle, and its peak during `SELECT *` from all Parquet files. */
export async function memory(scratch: string, { root, folder, layouts }: BenchData): Promise<Figure[]> {
  const layout = `${folder}/${layouts[0]}/*.parquet`
  const json = { select: ['time', 'platform', 'temperature'], from: { parquet: { paths: [layout] } } }
  const sql = {
    sql: `SELECT platform, avg(temperature) AS mean FROM read_parquet(['${layout}']) GROUP BY platform`,
  }
  // Other files of the folder have other types.
  const paths = layouts.map((each) => `'${folder}/${each}/*.parquet'`)
  const everything = { sql: `SELECT * FROM read_parquet([${paths.join(', ')}])` }

  const options = { datasetsDir: root, workers: 2 }
  const figures: Figure[] = []
  await withService({ ...options, dataDir: join(scratch, 'without'), enableSql: false }, async (service) => {
    figures.push(resident('rss_none', 'resident, idle, two workers, SQL off', await idle(service)))
    await service.drain(json)
    figures.push(resident('rss_used', 'the same after a JSON query', await idle(service)))
  })
  await withService({ ...options, dataDir: join(scratch, 'with') }, async (service) => {
    await service.ready()
    await service.drain(sql)
    figures.push(resident('rss_one', 'resident, idle, two workers, one DuckDB up', await idle(service)))
    for (let pair = 0; pair < PAIRS; pair++) await Promise.all([service.drain(sql), service.drain(sql)])
    figures.push(resident('rss_two', 'resident, idle, two workers, two DuckDB up', await idle(service)))
    service.peakBytes()
    const gigabytes = ((await service.drain(everything)) / 1e9).toFixed(1)
    const what = `most resident during \`SELECT *\` over all files, an answer of ${gigabytes} GB`
    figures.push(resident('rss_peak', what, service.peakBytes()))
    figures.push(resident('rss_after', 'resident, idle, after it', await idle(service)))
  })
  return figures
}

/** Resident bytes of the service after it has been idle. */
export async function idle(service: Service): Promise<number> {
  await service.ready()
  await sleep(IDLE_MS)
  return service.residentBytes()
}

function resident(key: string, what: string, bytes: number): Figure {
  return { key, what, value: bytes / 1e6, unit: 'MB' }
}
