import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { arrayData } from '../input/array-data.ts'
import { startLinePeer } from '../input/line-peer.ts'
import { boxQuestion, month, WHOLE } from '../queries/box-queries.ts'
import { median, timed } from '../report/statistics.ts'
import { withService } from '../service/service.ts'
import type { Figure } from './figure.ts'
import { newAndWarmFigures, peak, peerFigures } from './peer-turns.ts'

/** Boxes of which EXPLAIN is asked, each another one. */
const EXPLAINS = 50

/**
 * The array of `boxes` as stores of Zarr v3, beside tensorstore with one thread, which has opened the store: all of it, and a month in
 * 40° x 30°, by a service that keeps nothing. Then EXPLAIN of boxes in a store of a million chunk files.
 */
export async function zarr(scratch: string, root: string, rounds: number): Promise<Figure[]> {
  return [
    ...(await store(scratch, root, rounds, 'sst.zarr', 'zarr')),
    ...(await store(scratch, root, rounds, 'sst-sharded.zarr', 'sharded')),
    ...(await million(scratch, root)),
  ]
}

async function store(
  scratch: string,
  root: string,
  rounds: number,
  name: 'sst.zarr' | 'sst-sharded.zarr',
  key: 'zarr' | 'sharded',
): Promise<Figure[]> {
  const path = join(root, arrayData(root, name))
  readAll(path)
  const tensorstore = await startLinePeer('boxes_peer.py', ['tensorstore', path])
  const source = `read_zarr(['${name}'])`
  const title = key === 'zarr' ? 'Zarr' : 'Zarr in shards'
  const options = { datasetsDir: root, workers: 2, asksAnew: true, keepsColumns: false }
  try {
    return await withService({ ...options, dataDir: join(scratch, key) }, async (service) => [
      ...(await peerFigures(
        service,
        tensorstore,
        rounds,
        `${key}_whole`,
        `${title}, the whole variable`,
        () => boxQuestion(source, WHOLE),
      )),
      ...(await newAndWarmFigures(
        service,
        tensorstore,
        rounds * 3,
        `${key}_month`,
        `${title}, a month in 40° × 30°`,
        (round) => boxQuestion(source, month(round + 1)),
      )),
      peak(key, `most resident during these, ${title}`, service),
    ])
  } finally {
    tensorstore?.close()
  }
}

/** Reads all files of a folder, so that they are in the page cache. */
function readAll(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    if (statSync(path).isFile()) readFileSync(path)
  }
}

async function million(scratch: string, root: string): Promise<Figure[]> {
  const name = arrayData(root, 'million.zarr')
  const other = arrayData(root, 'sst.zarr')
  const explain = (number: number) => ({
    sql: `EXPLAIN SELECT count(v) AS n, avg(v) AS mean FROM read_zarr(['${name}'])
      WHERE time >= TIMESTAMP '2030-01-01' AND time < TIMESTAMP '2031-01-01' AND lat >= ${number} AND lat < ${number + 20}
      AND lon >= ${-number} AND lon < ${40 - number}`,
  })
  const options = { dataDir: join(scratch, 'million'), datasetsDir: root, workers: 2 }
  return await withService(options, async (service) => {
    await service.ready()
    await service.drain({ sql: `EXPLAIN SELECT count(sst) AS n FROM read_zarr(['${other}'])` })
    const first = await timed(() => service.drain(explain(0)))
    const times: number[] = []
    for (let number = 1; number <= EXPLAINS; number++)
      times.push(await timed(() => service.drain(explain(number))))
    const what = 'EXPLAIN of a box in a store of a million chunk files'
    return [
      { key: 'million_first', what: `${what}, the first one of this store`, value: first, unit: 'ms' },
      { key: 'million', what: `${what}, others`, value: median(times), unit: 'ms' },
      peak('million', 'most resident during these', service),
    ]
  })
}
