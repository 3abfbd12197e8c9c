import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { arrayData } from '../input/array-data.ts'
import { median, timed } from '../report/statistics.ts'
import { withService } from '../service/service.ts'
import type { Figure } from './figure.ts'

const ALL = 'SELECT count(sst) AS n, avg(sst) AS mean'

/** What is asked of a year of daily temperatures, each against another statement that computes nothing. */
const QUESTIONS = [
  {
    key: 'year_by_month',
    what: 'mean by month of a year of daily temperatures, against the mean of all',
    sql: (from: string) =>
      `SELECT month(time) AS month, count(sst) AS n, avg(sst) AS mean ${from} GROUP BY month ORDER BY month`,
    plain: (from: string) => `${ALL} ${from}`,
  },
  {
    key: 'year_by_cell',
    what: 'mean by cell of 5° of a year of daily temperatures, against the mean of all',
    sql: (from: string) =>
      `SELECT floor(lat / 5) * 5 AS south, floor(lon / 5) * 5 AS west, count(sst) AS n, avg(sst) AS mean ${from}
        GROUP BY south, west ORDER BY south, west`,
    plain: (from: string) => `${ALL} ${from}`,
  },
  {
    key: 'year_february',
    what: 'mean where month(time) = 2, against the same days by their dates',
    sql: (from: string) => `${ALL} ${from} WHERE month(time) = 2`,
    plain: (from: string) =>
      `${ALL} ${from} WHERE time >= TIMESTAMP '2024-02-01' AND time < TIMESTAMP '2024-03-01'`,
  },
] as const

/** What computing costs over arrays: a year of daily temperatures in NetCDF-4, two workers, nothing kept. Each pair is timed by turns. */
export async function year(scratch: string, root: string, rounds: number): Promise<Figure[]> {
  const name = arrayData(root, 'sst.nc')
  readFileSync(join(root, name))
  const options = { datasetsDir: root, workers: 2, asksAnew: true, keepsColumns: false }
  return await withService({ ...options, dataDir: join(scratch, 'year') }, async (service) => {
    await service.ready()
    const figures: Figure[] = []
    for (const { key, what, sql, plain } of QUESTIONS) {
      const from = `FROM read_netcdf(['${name}'])`
      const [times, others]: [number[], number[]] = [[], []]
      // The first round is not timed.
      for (let round = -1; round < rounds; round++) {
        const ms = await timed(() => service.drain({ sql: sql(from) }))
        const plainMs = await timed(() => service.drain({ sql: plain(from) }))
        if (round < 0) continue
        times.push(ms)
        others.push(plainMs)
      }
      const ratio = median(times.map((ms, round) => ms / (others[round] ?? Number.NaN)))
      figures.push(
        { key: `${key}_ms`, what: what.replace(/, against.*/, ''), value: median(times), unit: 'ms' },
        { key, what, value: ratio, unit: '×' },
      )
    }
    return figures
  })
}
