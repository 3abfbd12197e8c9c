import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { answerOfStream } from '../compare/arrow.ts'
import { type Native, native } from '../compare/native.ts'
import { arrayData } from '../input/array-data.ts'
import { readPlainly } from '../peer/plain-profiles.ts'
import { median, timed } from '../report/statistics.ts'
import { type CpuTimes, type Service, withService } from '../service/service.ts'
import type { Figure } from './figure.ts'

/** A format of small files, in two folders of the same kind. */
interface Collection {
  readonly key: string
  readonly title: string
  readonly folders: readonly [string, string]
  /** The files of a folder as a source, for the service and for DuckDB. Null: DuckDB does not read them. */
  readonly from: (folder: string) => string
  readonly native: ((path: string) => string) | null
  /** In how many rounds at most DuckDB is asked, the first ones. The times of later rounds are divided by the median of its own. */
  readonly nativeRounds: number
  /** The columns that are averaged, first and later, and one that is compared. */
  readonly columns: readonly [first: string, later: string, compared: string]
}

/** What is asked, in this order. `compiled`: another such folder was asked before. `again`: the first folder, by other columns. */
const STAGES = ['new', 'compiled', 'again', 'region'] as const
type Stage = (typeof STAGES)[number]

/**
 * A statement that DuckDB runs. The service starts its engine once it has been idle for a moment, also while a peer is asked, which takes
 * half a second of CPU and is no cost of files: so it is started before the first question.
 */
const ENGINE_STATEMENT = 'SELECT 1 AS one UNION SELECT 2'

/** What one question took. */
interface Taken extends CpuTimes {
  readonly ms: number
}

/** What the peer answers to a question, and the times that it took. */
interface PeerAnswers {
  readonly numbers: readonly number[]
  readonly ms: number[]
}

/**
 * What a small file costs: the CPU of each thread of the service for a file, by stage, beside native DuckDB on two threads, and beside the plain
 * program that reads NetCDF-3. Each round has a service of its own, with two workers. Throws when answers differ.
 */
export async function collections(scratch: string, root: string, rounds: number): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const collection of collectionsIn(root))
    figures.push(...(await figuresOf(collection, scratch, root, rounds)))
  const plain = Array.from({ length: rounds }, () => readPlainly(join(root, 'profiles')))
  const files = readdirSync(join(root, 'profiles')).length
  const plainCpu = (1000 * median(plain.map(({ cpuMs }) => cpuMs))) / files
  const againstPlain = (stage: Stage): Figure => {
    const key = `collections_netcdf3_${stage}`
    const cpu = figures.find((each) => each.key === `${key}_all`)?.value ?? Number.NaN
    return {
      key: `${key}_plain`,
      what: `${files} files of NetCDF-3, ${stage}: CPU against the plain program`,
      value: cpu / plainCpu,
      unit: '×',
    }
  }
  return [
    ...figures,
    {
      key: 'collections_plain',
      what: `a plain program that reads, parses and sums the files in NetCDF-3, CPU for a file`,
      value: plainCpu,
      unit: 'µs',
    },
    againstPlain('compiled'),
    againstPlain('again'),
  ]
}

function collectionsIn(root: string): readonly Collection[] {
  const folders = (name: 'profiles' | 'collection-parquet' | 'collection-csv') =>
    [arrayData(root, name), arrayData(root, `${name}-other`)] as const
  const rows = ['temperature', 'salinity', 'pressure'] as const
  return [
    {
      key: 'netcdf3',
      title: 'NetCDF-3',
      folders: folders('profiles'),
      from: (folder) => `read_netcdf(['${folder}/*.nc'])`,
      native: null,
      nativeRounds: 0,
      columns: ['temp', 'psal', 'pres'],
    },
    {
      key: 'parquet',
      title: 'Parquet',
      folders: folders('collection-parquet'),
      from: (folder) => `read_parquet(['${folder}/*.parquet'])`,
      native: (path) => `read_parquet('${path}/*.parquet')`,
      nativeRounds: Number.POSITIVE_INFINITY,
      columns: rows,
    },
    {
      key: 'csv',
      title: 'CSV',
      folders: folders('collection-csv'),
      from: (folder) => `read_csv(['${folder}/*.csv'])`,
      native: (path) => `read_csv('${path}/*.csv')`,
      // A question takes it 25 seconds.
      nativeRounds: 1,
      columns: rows,
    },
  ]
}

async function figuresOf(
  collection: Collection,
  scratch: string,
  root: string,
  rounds: number,
): Promise<Figure[]> {
  const { key, title, folders } = collection
  for (const folder of folders)
    for (const file of readdirSync(join(root, folder))) readFileSync(join(root, folder, file))
  const duckdb = collection.native === null ? null : await native(2)
  const taken: Record<Stage, Taken[]> = { new: [], compiled: [], again: [], region: [] }
  const peers = new Map<Stage, PeerAnswers>()
  const listing: number[] = []
  try {
    for (let round = 0; round < rounds; round++) {
      const dataDir = join(scratch, `collections-${key}-${round}`)
      await withService({ dataDir, datasetsDir: root, workers: 2 }, async (service) => {
        await service.ready()
        await service.query({ sql: ENGINE_STATEMENT })
        for (const stage of STAGES) {
          const { numbers, ...each } = await ask(collection, stage, service)
          taken[stage].push(each)
          if (duckdb !== null && round < collection.nativeRounds)
            await askPeer(collection, stage, root, duckdb, peers)
          const expected = peers.get(stage)
          if (expected !== undefined) requireEqual(`${key}, ${stage}`, numbers, expected.numbers)
        }
        listing.push(await timed(async () => listPlainly(join(root, folders[0]))))
      })
    }
  } finally {
    duckdb?.close()
  }
  const files = readdirSync(join(root, folders[0])).length
  const ofStages = STAGES.flatMap((stage) =>
    stageFigures(
      `collections_${key}_${stage}`,
      `${files} files of ${title}, ${stage}`,
      files,
      taken[stage],
      peers.get(stage)?.ms ?? [],
    ),
  )
  return [
    ...ofStages,
    {
      key: `collections_${key}_listing`,
      what: `${files} files of ${title}, region, against readdirSync and lstatSync of all`,
      value: median(taken.region.map(({ ms }, round) => ms / (listing[round] ?? Number.NaN))),
      unit: '×',
    },
  ]
}

/** What every query of a folder has to do: to see which files there are, and in which version. */
function listPlainly(folder: string): void {
  for (const name of readdirSync(folder)) lstatSync(join(folder, name), { bigint: true })
}

async function ask(
  collection: Collection,
  stage: Stage,
  service: Service,
): Promise<Taken & { readonly numbers: readonly number[] }> {
  const sql = sqlOf(collection, stage, collection.from(folderOf(collection, stage)))
  let answer: Buffer = Buffer.alloc(0)
  const before = service.cpu()
  const ms = await timed(async () => {
    answer = await service.query({ sql })
  })
  const after = service.cpu()
  return {
    main: after.main - before.main,
    workers: after.workers - before.workers,
    others: after.others - before.others,
    ms,
    numbers: numbersOf(answerOfStream(answer)),
  }
}

/** Asks the peer, and adds the time to those of the stage. */
async function askPeer(
  collection: Collection,
  stage: Stage,
  root: string,
  duckdb: Native,
  peers: Map<Stage, PeerAnswers>,
): Promise<void> {
  if (collection.native === null) return
  const sql = sqlOf(collection, stage, collection.native(join(root, folderOf(collection, stage))))
  let answer: Awaited<ReturnType<Native['answer']>> | null = null
  const ms = await timed(async () => {
    answer = await duckdb.answer(sql)
  })
  const before = peers.get(stage)?.ms ?? []
  peers.set(stage, { numbers: numbersOf(answer), ms: [...before, ms] })
}

function folderOf({ folders }: Collection, stage: Stage): string {
  return stage === 'compiled' ? folders[1] : folders[0]
}

function sqlOf({ columns: [first, later, compared] }: Collection, stage: Stage, source: string): string {
  const mean = stage === 'again' ? later : first
  const where = {
    new: '',
    compiled: '',
    again: ` WHERE ${compared} >= 200 AND ${compared} < 500`,
    region: ' WHERE latitude >= 20 AND latitude < 34 AND longitude >= -50 AND longitude < -14',
  }[stage]
  return `SELECT count(*) AS n, avg(${mean}) AS value FROM ${source}${where}`
}

function numbersOf(
  answer: { readonly batches: ReturnType<typeof answerOfStream>['batches'] } | null,
): number[] {
  return (answer?.batches[0] ?? []).map((column) => Number(column.get(0)))
}

/** Means are added in another order than by a peer. Relative. */
const TOLERANCE = 1e-6

function requireEqual(what: string, service: readonly number[], peer: readonly number[]): void {
  const isEqual =
    service.length === peer.length &&
    service.every(
      (value, index) => Math.abs(value - (peer[index] ?? Number.NaN)) <= TOLERANCE * Math.abs(value),
    )
  if (!isEqual) throw new Error(`${what}: ${service}; the peer: ${peer}`)
}

/** The times of a stage, and the CPU for a file with the spread of its rounds: the part of the median between the least and the greatest. */
function stageFigures(
  key: string,
  what: string,
  files: number,
  taken: readonly Taken[],
  peer: readonly number[],
): Figure[] {
  const perFile = (part: string, of: (each: Taken) => number): Figure => {
    const values = taken.map((each) => (1000 * of(each)) / files)
    const spread = (100 * (Math.max(...values) - Math.min(...values))) / median(values)
    return {
      key: `${key}_${part}`,
      what: `${what}: CPU of ${part} for a file (spread ${spread.toFixed(0)} %)`,
      value: median(values),
      unit: 'µs',
    }
  }
  const ratios = peer.length === 0 ? [] : taken.map(({ ms }, round) => ms / (peer[round] ?? median(peer)))
  return [
    { key: `${key}_service`, what, value: median(taken.map(({ ms }) => ms)), unit: 'ms' },
    ...(ratios.length === 0
      ? []
      : [{ key, what: `${what}, against native DuckDB`, value: median(ratios), unit: '×' } as const]),
    perFile('all', ({ main, workers, others }) => main + workers + others),
    perFile('main', ({ main }) => main),
    perFile('workers', ({ workers }) => workers),
    perFile('others', ({ others }) => others),
  ]
}
