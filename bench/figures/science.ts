import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { arrayData } from '../input/array-data.ts'
import { median, timed } from '../report/statistics.ts'
import { type Service, withService } from '../service/service.ts'
import type { Figure } from './figure.ts'
import { ratio } from './two-statements.ts'

/** The column of the coordinate alone, through a view over the grid of the array, and the same with the array's maximum. */
const VIEW = 'CREATE OR REPLACE VIEW science_grid AS SELECT lat, sst FROM'

/**
 * What scientists ask of arrays: a mean of a year with NaN as null against NaN as a value, the mean of a coordinate through a view
 * that also names an array of 95 M elements against the same with the array's maximum beside it, and what a file of 600
 * variables holds. Questions with two forms are asked by turns, and their ratios are the medians of those of each round.
 */
export async function science(scratch: string, root: string, rounds: number): Promise<Figure[]> {
  const sst = arrayData(root, 'sst.nc')
  const wide = arrayData(root, 'variables.nc')
  for (const name of [sst, wide]) readFileSync(join(root, name))
  const options = {
    dataDir: join(scratch, 'science'),
    datasetsDir: root,
    workers: 2,
    keepsColumns: false,
    asksAnew: true,
  }
  return withService(options, async (service) => {
    await service.ready()
    await service.command(`${VIEW} read_netcdf('${sst}')`)
    const mean = (source: string) => `SELECT avg(sst) AS m, count(*) AS n FROM ${source}`
    const [nan, asValue] = [mean(`read_netcdf(['${sst}'])`), mean(`read_netcdf(['${sst}'], nan := 'value')`)]
    const alone = 'SELECT avg(lat) AS m, count(*) AS n FROM science_grid'
    const beside = 'SELECT avg(lat) AS m, count(*) AS n, max(sst) AS warmest FROM science_grid'
    return [
      await ratio(
        service,
        'science_nan',
        'mean of a year of arrays, NaN as null against as value',
        rounds,
        nan,
        asValue,
      ),
      await ratio(
        service,
        'science_view',
        'mean of a coordinate through a view that names 95 M elements, against with their maximum beside it',
        rounds,
        alone,
        beside,
      ),
      await structure(service, wide, rounds),
    ]
  })
}

/** How long the structure of a file of 600 variables takes that has been asked before. */
async function structure(service: Service, path: string, rounds: number): Promise<Figure> {
  const times = []
  for (let round = -2; round < rounds * 3; round++) {
    const ms = await timed(() => service.get(`/api/dataset-structure?file=${path}`))
    if (round >= 0) times.push(ms)
  }
  return {
    key: 'science_structure',
    what: 'what a NetCDF-4 file of 600 variables holds, asked again',
    value: median(times),
    unit: 'ms',
  }
}
