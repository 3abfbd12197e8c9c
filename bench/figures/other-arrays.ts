import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { arrayData } from '../input/array-data.ts'
import { startLinePeer } from '../input/line-peer.ts'
import type { Question } from '../queries/question.ts'
import { withService } from '../service/service.ts'
import type { Figure } from './figure.ts'
import { newAndWarmFigures, peak, peerFigures } from './peer-turns.ts'

/** The stores of the array, each beside the library that reads it. */
const STORES = [
  { name: 'other.nc', key: 'other_nc', title: 'NetCDF-4', library: 'h5py', source: 'read_netcdf' },
  {
    name: 'other-zstd.zarr',
    key: 'other_zstd',
    title: 'Zarr, zstd',
    library: 'tensorstore',
    source: 'read_zarr',
  },
  {
    name: 'other-gzip.zarr',
    key: 'other_gzip',
    title: 'Zarr, gzip',
    library: 'tensorstore',
    source: 'read_zarr',
  },
  {
    name: 'other-blosc.zarr',
    key: 'other_blosc',
    title: 'Zarr, blosc',
    library: 'tensorstore',
    source: 'read_zarr',
  },
] as const

const WHOLE = [
  [0, 240],
  [0, 432],
  [0, 864],
] as const

/** What is asked of the whole array. Each statement returns a number of values, and one that the peer has too. */
const QUESTIONS = [
  {
    key: 'avg',
    what: 'mean',
    sql: (from: string) => `SELECT count(value) AS n, avg(value) AS v ${from}`,
    kind: [],
  },
  {
    key: 'min',
    what: 'least',
    sql: (from: string) => `SELECT count(value) AS n, min(value) AS v ${from}`,
    kind: ['min'],
  },
  {
    key: 'computed',
    what: 'mean of 1.8 times the value and 32',
    sql: (from: string) => `SELECT count(value) AS n, avg(CAST(value AS DOUBLE) * 1.8 + 32) AS v ${from}`,
    kind: ['computed'],
  },
  {
    key: 'groups',
    what: 'mean of the sums of each day',
    sql: (from: string) =>
      `SELECT CAST(sum(n) AS BIGINT) AS n, avg(total) AS v FROM (SELECT time, count(value) AS n, sum(value) AS total ${from} GROUP BY time) AS days`,
    kind: ['groups'],
  },
] as const

/** A box of 60 days in 40° x 30°, another one for each number to 6. */
function box(number: number) {
  const first = 30 * (number % 7)
  return [
    [first, first + 60],
    [264, 336],
    [288, 384],
  ] as const
}

function boxQuestion(source: string, number: number): Question {
  const [time, lat, lon] = box(number)
  const date = (day: number) =>
    `TIMESTAMP '${new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10)}'`
  const degrees = (index: number, size: number, most: number) => (index * 2 * most) / size - most
  const sql = `SELECT count(value) AS n, avg(value) AS v FROM ${source}
    WHERE time >= ${date(time[0])} AND time < ${date(time[1])}
      AND lat >= ${degrees(lat[0], 432, 90)} AND lat < ${degrees(lat[1], 432, 90)}
      AND lon >= ${degrees(lon[0], 864, 180)} AND lon < ${degrees(lon[1], 864, 180)}`
  return { sql, request: [time, lat, lon] }
}

/**
 * An array that nothing was tuned to, of other sizes and in chunks of other shapes, in NetCDF-4 and in Zarr by several codecs: a box, all of it, and
 * what is computed of it, by a service that keeps nothing, beside libraries that have opened it.
 */
export async function otherArrays(scratch: string, root: string, rounds: number): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { name, key, title, library, source } of STORES) {
    const path = join(root, arrayData(root, name))
    readAll(path)
    const peer = await startLinePeer('boxes_peer.py', [library, path, 'value'])
    const table = `${source}(['${name}'])`
    const options = { datasetsDir: root, workers: 2, asksAnew: true, keepsColumns: false }
    try {
      await withService({ ...options, dataDir: join(scratch, key) }, async (service) => {
        const box = (round: number) => boxQuestion(table, round + 1)
        figures.push(
          ...(await newAndWarmFigures(
            service,
            peer,
            rounds * 3,
            `${key}_box`,
            `another array, ${title}: a box`,
            box,
          )),
        )
        for (const { key: part, what, sql, kind } of QUESTIONS) {
          const asked = (): Question => ({ sql: sql(`FROM ${table}`), request: [...WHOLE, ...kind] })
          const row = `another array, ${title}: ${what}`
          figures.push(...(await peerFigures(service, peer, rounds, `${key}_${part}`, row, asked)))
        }
        figures.push(peak(key, `most resident during these, ${title}`, service))
      })
    } finally {
      peer?.close()
    }
  }
  return figures
}

/** Reads a file, or all files of a folder, so that they are in the page cache. */
function readAll(path: string): void {
  if (statSync(path).isFile()) readFileSync(path)
  else for (const name of readdirSync(path)) readAll(join(path, name))
}
