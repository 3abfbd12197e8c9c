import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, difference, rowCount } from './answer.ts'
import { answerOfStream } from './arrow.ts'
import type { Services } from './compare.ts'
import type { BenchData } from './data.ts'
import { benchQueries } from './queries.ts'
import { firstAnswer, type Service, withService } from './service.ts'
import { median, timed } from './statistics.ts'

/** One figure that is not a comparison with native DuckDB. */
export interface Figure {
  readonly key: string
  readonly what: string
  readonly value: number
  readonly unit: 'ms' | 'MB' | '×'
}

const STARTS = 5

/** A filter over one file of 50 row groups: how much faster two workers are. Throws when the bytes differ. */
export async function parallel(services: Services, data: BenchData, rounds: number): Promise<Figure[]> {
  const filters = benchQueries(data.once).filter(({ key }) => key === 'filter_multi' || key === 'spatial_box')
  const figures: Figure[] = []
  for (const { key, json } of filters) {
    const body = { ...json, from: { parquet: { paths: [data.groups] } } }
    const [one, two] = [await services.one.query(body), await services.two.query(body)]
    if (!one.equals(two)) throw new Error(`${key}: 1 and 2 workers gave different bytes`)
    const times: { one: number[]; two: number[] } = { one: [], two: [] }
    for (let round = 0; round < rounds; round++) {
      times.one.push(await timed(() => services.one.drain(body)))
      times.two.push(await timed(() => services.two.drain(body)))
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
export async function firstByte(service: Service, data: BenchData, rounds: number): Promise<Figure[]> {
  const body = {
    select: ['time', 'latitude', 'longitude', 'depth', 'platform', 'platform_id', 'temperature', 'salinity'],
    from: { parquet: { paths: [data.groups] } },
  }
  await service.firstByte(body)
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(await service.firstByte(body))
  return [
    { key: 'first_byte', what: 'first byte of an answer of 5 M rows', value: median(times), unit: 'ms' },
  ]
}

const SAMPLE_QUERY = {
  select: ['time', 'platform', 'depth', 'temperature'],
  from: { parquet: { paths: ['observations/*.parquet'] } },
  filters: [{ column: 'temperature', gt: 20 }],
}

const SAMPLE_STATEMENT = {
  sql: `SELECT platform, count(*) AS n FROM read_parquet(['observations/*.parquet']) GROUP BY platform ORDER BY n DESC`,
}

/** `npm start` with the sample in place to the first right answers. */
export async function start(dataDir: string): Promise<Figure[]> {
  spawnSync(process.execPath, [
    join(import.meta.dirname, '../scripts/make-sample.ts'),
    join(dataDir, 'datasets'),
  ])
  const figures = [
    await startWith(dataDir, SAMPLE_QUERY, { key: 'start', what: '`npm start` to the first right answer' }),
    await startWith(dataDir, SAMPLE_STATEMENT, { key: 'start_sql', what: 'the same, of a SQL statement' }),
  ]
  rmSync(dataDir, { recursive: true, force: true })
  return figures
}

async function startWith(
  dataDir: string,
  body: object,
  figure: Pick<Figure, 'key' | 'what'>,
): Promise<Figure> {
  const times: number[] = []
  let right: Answer | null = null
  for (let i = 0; i < STARTS; i++) {
    const begin = performance.now()
    const answer = await withService({ dataDir, workers: 2, throughNpm: true }, async (service) => {
      const bytes = await firstAnswer(service, body)
      times.push(performance.now() - begin)
      return answerOfStream(bytes)
    })
    right ??= answer
    if (rowCount(answer) === 0 || difference(right, answer, 'multiset') !== null)
      throw new Error('the first answers after a start differ')
  }
  return { ...figure, value: median(times), unit: 'ms' }
}
