import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { load, NUMBER } from '../../load/load.ts'
import { median, timed } from '../../report/statistics.ts'
import { type Service, withService } from '../../service/service.ts'
import type { Figure } from '../figure.ts'
import { idle } from '../memory.ts'
import { boxesAlone } from './boxes-alone.ts'
import { FOLDERS_PER_TABLE, writeCrawlProfiles } from './crawl-profiles.ts'
import { globbed, listed } from './peers.ts'

const FILES_PER_FOLDER = 50
const ROUNDS = 3
const QUERIES = 5
const CLIENTS = 64
const SECONDS = 8

const FOLDER = 'crawl'
const SMALL = 'small.csv'

/**
 * What becomes of a folder of small profiles, 200 000 by default: a first crawl, later ones, what else is asked meanwhile, and queries over all
 * of them once they are learned. Sides are measured by turns. Of two processes that work at the same time, as crawl and clients, all share the
 * machine.
 */
export async function crawl(scratch: string, files: number): Promise<Figure[]> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'bench-crawl-')))
  try {
    const folders = Math.max(FOLDERS_PER_TABLE, Math.round(files / FILES_PER_FOLDER))
    writeCrawlProfiles(join(root, FOLDER), { files, folders })
    writeFileSync(join(root, SMALL), `n\n${Array.from({ length: 1000 }, (_, n) => n).join('\n')}\n`)
    const place: Place = { root, scratch, files, tables: Math.ceil(folders / FOLDERS_PER_TABLE) }
    return [...(await firstCrawls(place)), ...(await later(place)), ...(await boxesAlone(scratch))]
  } finally {
    rmSync(root, { recursive: true })
  }
}

interface Place {
  readonly root: string
  readonly scratch: string
  readonly files: number
  readonly tables: number
}

function optionsOf({ root, scratch }: Place, name: string) {
  const dataDir = join(scratch, `crawl-${name}`)
  mkdirSync(dataDir, { recursive: true })
  return { dataDir, datasetsDir: root, workers: 2, asksAnew: true }
}

const CREATE = `CREATE CRAWLER all_profiles ON '${FOLDER}/' WITH (table_naming crawler_prefixed)`
const RUN = 'RUN CRAWLER all_profiles'

/** First crawls, each by a new service, against fast-glob and the schema of all files by another one. */
async function firstCrawls(place: Place): Promise<Figure[]> {
  const ratios: number[] = []
  const added: number[] = []
  const turns: number[] = []
  const ours: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const first = await withService(optionsOf(place, `first-${round}`), async (service) => {
      await settle(service)
      await service.command(CREATE)
      const before = await idle(service)
      service.peakBytes()
      const watched = await whileProbed(service, () => timed(() => service.command(RUN)))
      added.push(service.peakBytes() - before)
      turns.push(watched.longest)
      return watched.result
    })
    const theirs = await withService(optionsOf(place, `schema-${round}`), async (service) => {
      await service.ready()
      const walk = await timed(() => globbed(place.root))
      const schema = `/api/dataset-schema?file=${encodeURIComponent(`${FOLDER}/**/*.nc`)}`
      return walk + (await timed(() => service.get(schema)))
    })
    ours.push(first)
    ratios.push(first / theirs)
  }
  const of = `${place.files} files, ${place.tables} tables`
  return [
    {
      key: 'crawl_first',
      what: `a first crawl (${of}, ${(median(ours) / 1000).toFixed(1)} s), against fast-glob with stats and the schema of all files`,
      value: median(ratios),
      unit: '×',
    },
    { key: 'crawl_memory', what: 'a first crawl, beyond idle', value: median(added) / 1e6, unit: 'MB' },
    {
      key: 'crawl_turn',
      what: 'the longest wait for main in a first crawl',
      value: median(turns),
      unit: 'ms',
    },
  ]
}

/** Waits for the first statement that DuckDB runs: a service that answers still starts its engine. */
async function settle(service: Service): Promise<void> {
  await service.ready()
  await service.query({ sql: `SELECT row_number() OVER () AS nth FROM read_csv('${SMALL}') LIMIT 1` })
}

/** Crawls of what has been crawled, and queries over all of it. */
async function later(place: Place): Promise<Figure[]> {
  const options = optionsOf(place, 'first-0')
  const again: number[] = []
  const figures: Figure[] = []
  // The first crawl of each service is the one after a restart.
  const restarted: number[] = []
  await withService(options, async (service) => {
    await settle(service)
    restarted.push(await ofGlob(service, place))
    for (let round = 0; round < ROUNDS; round++) again.push(await ofGlob(service, place))
    figures.push(await besideCrawls(service))
    figures.push(...(await queries(service, place)))
  })
  return [
    {
      key: 'crawl_again',
      what: 'a crawl in which nothing has changed, against fast-glob with stats',
      value: median(again),
      unit: '×',
    },
    { key: 'crawl_restart', what: 'the same after a restart', value: median(restarted), unit: '×' },
    ...figures,
  ]
}

async function ofGlob(service: Service, { root }: Place): Promise<number> {
  const ours = await timed(() => service.command(RUN))
  return ours / (await timed(() => globbed(root)))
}

async function besideCrawls(service: Service): Promise<Figure> {
  const measure = () =>
    load({
      port: service.port,
      method: 'POST',
      path: '/api/query',
      body: JSON.stringify({ sql: `SELECT n FROM read_csv('${SMALL}') WHERE n > ${NUMBER} LIMIT 10` }),
      clients: CLIENTS,
      seconds: SECONDS,
      sampleEvery: null,
    })
  await measure()
  const alone = await measure()
  let isOver = false
  const crawling = (async () => {
    while (!isOver) await service.command(RUN)
  })()
  const beside = await measure()
  isOver = true
  await crawling
  if (alone.failures + beside.failures > 0) throw new Error('small queries have failed')
  const detail = `${alone.p99.toFixed(0)} ms alone, ${beside.p99.toFixed(0)} ms beside them`
  return {
    key: 'crawl_beside',
    what: `p99 of small queries of ${CLIENTS} clients, beside crawls (${detail})`,
    value: beside.p99 / alone.p99,
    unit: '×',
  }
}

/** One table over all files, of which everything is learned. */
async function queries(service: Service, { root }: Place): Promise<Figure[]> {
  await service.command(`CREATE EXTERNAL TABLE everything STORED AS NETCDF LOCATION '${FOLDER}/'`)
  const box = (nth: number) => {
    const [south, west] = [-60 + ((nth * 37) % 120), -170 + ((nth * 83) % 330)]
    return `SELECT count(*) AS n, avg(temp) AS warmth FROM everything WHERE latitude BETWEEN ${south} AND ${south + 0.5} AND longitude BETWEEN ${west} AND ${west + 8}`
  }
  const ratiosOf = async (sqlOf: (nth: number) => string) => {
    const ratios: number[] = []
    let longest = 0
    for (let query = -2; query < QUERIES; query++) {
      const { result, longest: turn } = await whileProbed(service, () =>
        timed(() => service.query({ sql: sqlOf(query + 2) })),
      )
      const peer = await timed(async () => listed(join(root, FOLDER)))
      if (query < 0) continue
      ratios.push(result / peer)
      longest = Math.max(longest, turn)
    }
    return { ratio: median(ratios), longest }
  }
  const boxes = await ratiosOf(box)
  const counts = await ratiosOf(() => 'SELECT count(*) AS n FROM everything')
  const against = 'against readdir and lstatSync of all'
  return [
    { key: 'crawl_box', what: `a narrow box out of all files, ${against}`, value: boxes.ratio, unit: '×' },
    { key: 'crawl_box_turn', what: 'the longest wait for main meanwhile', value: boxes.longest, unit: 'ms' },
    { key: 'crawl_count', what: `count(*) of all files, ${against}`, value: counts.ratio, unit: '×' },
  ]
}

/** Does work, and asks meanwhile how long main takes to answer. */
async function whileProbed<T>(
  { port }: Service,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly longest: number }> {
  const probe = new Worker(new URL('../../service/health-probe.ts', import.meta.url), {
    workerData: { port },
  })
  const times = new Promise<readonly number[]>((resolve, reject) => {
    probe.once('message', resolve)
    probe.once('error', reject)
  })
  const result = await work()
  probe.postMessage(null)
  const longest = Math.max(0, ...(await times))
  await probe.terminate()
  return { result, longest }
}
