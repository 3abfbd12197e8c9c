import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, difference, rowCount } from '../compare/answer.ts'
import { answerOfStream } from '../compare/arrow.ts'
import type { BenchData } from '../input/data.ts'
import { benchQueries } from '../queries/queries.ts'
import { median, timed } from '../report/statistics.ts'
import { firstAnswer, withService } from '../service/service.ts'
import type { Figure } from './figure.ts'

const STARTS = 5

/** Queries that are timed after the first one. */
const WARM_QUERIES = 9

const SAMPLE_QUERY = {
  select: ['time', 'platform', 'depth', 'temperature'],
  from: { parquet: { paths: ['observations/*.parquet'] } },
  filters: [{ column: 'temperature', gt: 20 }],
}

const SAMPLE_STATEMENT = {
  sql: `SELECT platform, count(*) AS n FROM read_parquet(['observations/*.parquet']) GROUP BY platform ORDER BY n DESC`,
}

/** The first query of the README, over a classic NetCDF file. */
const PROFILE_QUERY = {
  select: ['time', 'latitude', 'longitude', 'temperature'],
  from: { netcdf: { paths: ['profiles/float-05.nc'] } },
  filters: [
    { column: 'time', min: '2024-02-01T00:00:00', max: '2024-02-15T00:00:00' },
    { column: 'depth', max: 5 },
  ],
}

/** A query over the NetCDF-4 file of the sample, for which the annex starts and loads the HDF5 library. */
const GRID_QUERY = {
  select: ['time', 'lat', 'lon', 'sst'],
  from: { netcdf: { paths: ['sst.nc'] } },
  filters: [
    { column: 'lat', min: 40, max: 50 },
    { column: 'lon', max: -30 },
  ],
}

/** The time from `npm start` with existing sample data to the first right answer, and how much longer a first query takes. */
export async function start(dataDir: string, { root, folder, once }: BenchData): Promise<Figure[]> {
  spawnSync(process.execPath, [
    join(import.meta.dirname, '../../src/sample/make-sample.ts'),
    join(dataDir, 'datasets'),
  ])
  const filter = benchQueries(once).find(({ key }) => key === 'filter_multi')?.json
  const figures = [
    await startWith(dataDir, SAMPLE_QUERY, { key: 'start', what: '`npm start` to the first right answer' }),
    await startWith(dataDir, SAMPLE_STATEMENT, { key: 'start_sql', what: 'the same, of a SQL statement' }),
    await startWith(dataDir, PROFILE_QUERY, { key: 'start_netcdf', what: 'the same, of a NetCDF profile' }),
    await startWith(dataDir, GRID_QUERY, { key: 'start_netcdf4', what: 'the same, of a NetCDF-4 grid' }),
    await first(
      { dataDir, datasetsDir: root },
      { ...filter, from: { parquet: { paths: [`${folder}/random/*.parquet`] } } },
      { key: 'first_query', what: 'first query after a start against the same later; filter_multi, JSON' },
    ),
    await first({ dataDir }, SAMPLE_QUERY, {
      key: 'first_small_query',
      what: 'the same of a query of the sample',
    }),
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

/** The time of the first query divided by that of later ones. Neither uses cached columns or answers. */
async function first(
  folders: { readonly dataDir: string; readonly datasetsDir?: string },
  body: object,
  figure: Pick<Figure, 'key' | 'what'>,
): Promise<Figure> {
  const ratios: number[] = []
  for (let i = 0; i < STARTS; i++) {
    await withService({ ...folders, workers: 2, keepsColumns: false, asksAnew: true }, async (service) => {
      await service.ready()
      const cold = await timed(() => service.drain(body))
      const warm: number[] = []
      for (let later = 0; later < WARM_QUERIES; later++) warm.push(await timed(() => service.drain(body)))
      ratios.push(cold / median(warm))
    })
  }
  return { ...figure, value: median(ratios), unit: '×' }
}
