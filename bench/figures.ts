import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fingerprintOfStream } from './arrow.ts'
import type { BenchData } from './data.ts'
import { benchQueries } from './queries.ts'
import { firstAnswer, type Service, spawnService } from './service.ts'
import { median, timed } from './statistics.ts'

/** One figure that is not a comparison with native DuckDB. */
export interface Figure {
  readonly key: string
  readonly what: string
  readonly value: number
  readonly unit: 'ms' | 'MB' | '×'
}

const STARTS = 5

/** How long a service is left alone before its idle memory is read. */
const IDLE_MS = 3000

/** A filter over one file of 50 row groups: how much faster two workers are. Throws when the bytes differ. */
export async function parallel(
  services: { readonly one: Service; readonly two: Service },
  data: BenchData,
  rounds: number,
): Promise<Figure[]> {
  const filters = benchQueries(data.once).filter(({ key }) => key === 'filter_multi' || key === 'spatial_box')
  const figures: Figure[] = []
  for (const { key, json } of filters) {
    const body = { ...json, from: { parquet: { paths: [data.groups] } } }
    const [one, two] = [await services.one.query(body), await services.two.query(body)]
    if (!one.body.equals(two.body)) throw new Error(`${key}: 1 and 2 workers gave different bytes`)
    const times: { one: number[]; two: number[] } = { one: [], two: [] }
    for (let round = 0; round < rounds; round++) {
      times.one.push(await timed(() => services.one.query(body)))
      times.two.push(await timed(() => services.two.query(body)))
    }
    figures.push({
      key: `parallel_${key}`,
      what: `${key} over 50 row groups: 2 workers against 1, identical bytes`,
      value: median(times.one) / median(times.two),
      unit: '×',
    })
  }
  return figures
}

/** First byte of the body of an answer of 5 M rows, everything selected. */
export async function firstByte(service: Service, data: BenchData, rounds: number): Promise<Figure> {
  const body = {
    select: ['time', 'latitude', 'longitude', 'depth', 'platform', 'platform_id', 'temperature', 'salinity'],
    from: { parquet: { paths: [data.groups] } },
  }
  await service.firstByte(body)
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(await service.firstByte(body))
  return { key: 'first_byte', what: 'first byte of an answer of 5 M rows', value: median(times), unit: 'ms' }
}

const SAMPLE_QUERY = {
  select: ['time', 'platform', 'depth', 'temperature'],
  from: { parquet: { paths: ['observations/*.parquet'] } },
  filters: [{ column: 'temperature', gt: 20 }],
}

/** `npm start` with the sample in place to the first right answer, and what an idle service with two workers takes. */
export async function start(dataDir: string): Promise<Figure[]> {
  spawnSync(process.execPath, [
    join(import.meta.dirname, '../scripts/make-sample.ts'),
    join(dataDir, 'datasets'),
  ])
  const times: number[] = []
  let right: string | null = null
  for (let i = 0; i < STARTS; i++) {
    const begin = performance.now()
    const service = await spawnService({ dataDir, workers: 2, throughNpm: true })
    const { body } = await firstAnswer(service, SAMPLE_QUERY)
    times.push(performance.now() - begin)
    await service.stop()
    const { rows, hash } = fingerprintOfStream(body)
    right ??= hash
    if (rows === 0 || hash !== right) throw new Error('the first answers after a start differ')
  }
  const idle = await idleMemory(dataDir)
  rmSync(dataDir, { recursive: true, force: true })
  return [
    { key: 'start', what: '`npm start` to the first right answer', value: median(times), unit: 'ms' },
    ...idle,
  ]
}

async function idleMemory(dataDir: string): Promise<Figure[]> {
  const service = await spawnService({ dataDir, workers: 2 })
  await service.ready()
  await sleep(IDLE_MS)
  const fresh = service.residentBytes()
  for (let i = 0; i < 10; i++) await service.query(SAMPLE_QUERY)
  await sleep(IDLE_MS)
  const used = service.residentBytes()
  await service.stop()
  const megabytes = (bytes: number) => bytes / 1e6
  return [
    {
      key: 'rss_fresh',
      what: 'resident, idle, two workers, just started',
      value: megabytes(fresh),
      unit: 'MB',
    },
    {
      key: 'rss_used',
      what: 'resident, idle, two workers, after ten queries',
      value: megabytes(used),
      unit: 'MB',
    },
  ]
}
