import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchData } from '../input/data.ts'
import { storeTables } from '../input/tables.ts'
import { type LoadResult, load, NUMBER } from '../load/load.ts'
import { median, timed } from '../report/statistics.ts'
import { firstAnswer, type Service, type ServiceOptions, withService } from '../service/service.ts'
import type { Figure } from './figure.ts'

const TABLES = 10_000

const FOLDERS = 10_000

const STARTS = 5

/** Timed queries by name, and listings. */
const RUNS = 60

const STATEMENTS = 100

const CLIENTS = 64

const SECONDS = 3

/** How often the clients are measured, with statements beside them and without. */
const TURNS = 3

/**
 * What names cost: a start with 10 000 tables, and listings and queries beside them; the search in 10 000 partition folders; and
 * durable statements, alone and beside 64 clients that ask by name.
 */
export async function catalog(scratch: string, { root, small }: BenchData): Promise<Figure[]> {
  const one = await folderWith(join(scratch, 'one-table'), 1)
  const many = await folderWith(join(scratch, 'many-tables'), TABLES)
  const options = { datasetsDir: root, workers: 2, asksAnew: true }
  const figures = [await starts({ ...options, dataDir: one }, { ...options, dataDir: many })]
  await withService({ ...options, dataDir: one }, (few) =>
    withService({ ...options, dataDir: many }, async (service) => {
      await Promise.all([few.ready(), service.ready()])
      figures.push(...(await besideTables(few, service, small)))
    }),
  )
  figures.push(await folders(join(scratch, 'folders')))
  await withService({ ...options, dataDir: join(scratch, 'statements') }, async (service) => {
    await service.ready()
    figures.push(...(await statements(service, small)))
  })
  return figures
}

async function folderWith(dataDir: string, tables: number): Promise<string> {
  mkdirSync(join(dataDir, 'tables'), { recursive: true })
  await storeTables(dataDir, tables)
  return dataDir
}

/** How much longer a start takes with all these tables, until the first answer. */
async function starts(one: ServiceOptions, many: ServiceOptions): Promise<Figure> {
  const differences: number[] = []
  for (let start = 0; start < STARTS; start++) {
    const times: number[] = []
    for (const options of [one, many])
      times.push(
        await timed(() =>
          withService(options, (service) => firstAnswer(service, { select: [{ value: 1, alias: 'x' }] })),
        ),
      )
    differences.push((times[1] ?? Number.NaN) - (times[0] ?? Number.NaN))
  }
  return {
    key: 'start_tables',
    what: `a start with ${TABLES} tables of 50 columns, against one with one of them: longer by`,
    value: median(differences),
    unit: 'ms',
  }
}

async function besideTables(one: Service, many: Service, small: string): Promise<Figure[]> {
  for (const service of [one, many])
    await service.command(`CREATE EXTERNAL TABLE small STORED AS PARQUET LOCATION '${small}'`)
  const query = { from: 'small', select: ['time'], limit: 100 }
  const listed: number[] = []
  const differences: number[] = []
  for (let run = -5; run < RUNS; run++) {
    const list = await timed(() => many.get('/api/tables'))
    const [few, among] = [await timed(() => one.query(query)), await timed(() => many.query(query))]
    if (run < 0) continue
    listed.push(list)
    differences.push(among - few)
  }
  return [
    { key: 'list_tables', what: `/api/tables with ${TABLES} tables`, value: median(listed), unit: 'ms' },
    {
      key: 'name_among_tables',
      what: `100 rows by name, among ${TABLES} tables against the only one: longer by`,
      value: median(differences),
      unit: 'ms',
    },
  ]
}

/** How much longer a query over a table of 10 000 folders takes, of which it reads one, than over the file in that by its path. */
async function folders(dataDir: string): Promise<Figure> {
  const root = join(dataDir, 'datasets')
  for (let station = 0; station < FOLDERS; station++) {
    mkdirSync(join(root, 'stations', `station=${station}`), { recursive: true })
    writeFileSync(join(root, 'stations', `station=${station}`, 'a.csv'), `n\n${station}\n`)
  }
  return await withService({ dataDir, workers: 2, asksAnew: true }, async (service) => {
    await service.ready()
    await service.command(
      "CREATE EXTERNAL TABLE stations (n BIGINT, station INT) STORED AS CSV PARTITIONED BY (station) LOCATION 'stations/'",
    )
    const differences: number[] = []
    for (let run = -3; run < 20; run++) {
      // Another one each time, whose file has not been opened before.
      const station = (run + 4) * 397
      const path = `stations/station=${station}/a.csv`
      const byName = await timed(() =>
        service.query({ sql: `SELECT n FROM stations WHERE station = ${station}` }),
      )
      const byPath = await timed(() => service.query({ sql: `SELECT n FROM read_csv('${path}')` }))
      if (run >= 0) differences.push(byName - byPath)
    }
    return {
      key: 'partition_folders',
      what: `one of ${FOLDERS} partition folders by its name, against its file by path: longer by`,
      value: median(differences),
      unit: 'ms',
    }
  })
}

async function statements(service: Service, small: string): Promise<Figure[]> {
  await service.command(`CREATE EXTERNAL TABLE small STORED AS PARQUET LOCATION '${small}'`)
  const alone: number[] = []
  // As many before are not timed.
  for (let number = -STATEMENTS; number < STATEMENTS; number++) {
    const ms = await timed(() => create(service, number))
    if (number >= 0) alone.push(ms)
  }
  await byName(service)
  const beside: number[] = []
  const rates = { without: [] as number[], with: [] as number[] }
  for (let turn = 0; turn < TURNS; turn++) {
    rates.without.push((await byName(service)).perSecond)
    const running = byName(service)
    let isOver = false
    const ended = running.finally(() => {
      isOver = true
    })
    while (!isOver) beside.push(await timed(() => create(service, beside.length)))
    rates.with.push((await ended).perSecond)
  }
  return [
    {
      key: 'durable',
      what: `the median of ${STATEMENTS} durable statements in a row`,
      value: median(alone),
      unit: 'ms',
    },
    {
      key: 'beside_durable',
      what: `${CLIENTS} clients by name beside durable statements in a row (${beside.length}, at the median ${median(beside).toFixed(0)} ms each), against without`,
      value: median(rates.with) / median(rates.without),
      unit: '×',
    },
    {
      key: 'beside_durable_rate',
      what: `${CLIENTS} clients by name beside them`,
      value: median(rates.with),
      unit: 'req/s',
    },
  ]
}

function create(service: Service, number: number): Promise<void> {
  return service.command(
    `CREATE OR REPLACE VIEW durable_${Math.abs(number)} AS SELECT time, latitude FROM small WHERE depth > ${number}`,
  )
}

async function byName({ port }: Service): Promise<LoadResult> {
  const result = await load({
    port,
    method: 'POST',
    path: '/api/query',
    body: `{"from":"small","select":["time","latitude"],"filters":[{"column":"latitude","min":-9,"max":-8.5${NUMBER}}]}`,
    clients: CLIENTS,
    seconds: SECONDS,
    sampleEvery: null,
  })
  if (result.failures > 0) throw new Error(`${result.failures} queries by name have failed`)
  return result
}
