import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import t, { type Test } from 'tap'
import { answersOf } from '../e2e/answers.ts'
import { startTables } from '../external/tables.ts'
import { FILL, type Profile, writeProfile } from '../learned/profiles.ts'
import { fc, generator } from '../support/generate.ts'
import { untilSettled } from '../support/settled.ts'

const FILES = 80
const below = generator('sums')

/** Profiles of which some have no levels, and others nulls, NaN, both zeros, or temperatures in another type. */
function profileAt(nth: number): Profile {
  const temp = Array.from({ length: nth % 9 === 8 ? 0 : 1 + below(4) }, () => below(200) / 10 - 5)
  if (nth % 10 === 3) temp[0] = FILL
  if (nth % 23 === 4) temp[0] = Number.NaN
  return {
    lat: nth % 13 === 5 ? FILL : nth % 29 === 6 ? Number.NaN : below(1800) / 10 - 90,
    lon: below(3600) / 10 - 180,
    day: nth,
    temp,
    isMoving: nth % 31 === 7,
    isShort: nth % 17 === 9,
  }
}

const folderOf = (nth: number): string => `p/float-${nth % 4}/cycle=${nth % 3}`
const nameOf = (nth: number): string => `p${String(nth).padStart(2, '0')}.nc`

const before = await startTables(t)
const { dataDir, datasets } = before
const write = (nth: number, profile = profileAt(nth)): void =>
  writeProfile(join(datasets, folderOf(nth)), nameOf(nth), profile)
for (let nth = 0; nth < FILES; nth++) write(nth)
writeProfile(join(datasets, 'even/a'), 'p0.nc', { lat: 1, lon: 2, day: 3, temp: [4, 5] })
for (let nth = 1; nth < 100; nth++)
  writeProfile(join(datasets, `even/${'ab'[nth % 2]}`), `p${nth}.nc`, {
    lat: below(100),
    lon: below(100),
    day: nth,
    temp: Array.from({ length: 1 + (nth % 3) }, () => 1 + below(50)),
  })
await untilSettled(datasets)
const TABLES = {
  plain: "STORED AS NETCDF LOCATION 'p/'",
  cycles: "STORED AS NETCDF PARTITIONED BY (cycle) LOCATION 'p/*/cycle=*/*.nc'",
  even: "STORED AS NETCDF LOCATION 'even/'",
}
for (const [name, words] of Object.entries(TABLES))
  await before.command(`CREATE EXTERNAL TABLE ${name} ${words}`)
for (let run = 0; run < 2; run++)
  for (const table of ['plain', 'even'])
    await before.ask(
      `SELECT count(*), min(lat), max(lon), min(temp), max("day") FROM ${table} WHERE lat > 0 OR temp > 0`,
    )
await before.close()

const service = await startTables(t, { dataDir, mostListedFiles: 8 })
const { rowsOf } = answersOf(service)

const column = fc.constantFrom('lat', 'lon', 'temp', '"day"')
const aggregate = fc.oneof(
  fc.constant('count(*)'),
  fc.tuple(fc.constantFrom('count', 'min', 'max'), column).map(([name, of]) => `${name}(${of})`),
)
const aggregates = fc.array(aggregate, { minLength: 1, maxLength: 4 })
const tableAndFilter = fc.constantFrom(
  ...(['plain', 'even', 'cycles'] as const).map((table) => [table, ''] as const),
  ...(["= '1'", "<> '1'", "IN ('0', '2')", 'IS NULL'] as const).map(
    (words) => ['cycles', ` WHERE cycle ${words}`] as const,
  ),
)

/** Aggregates of calls, of which nothing follows for any file, so that all are read. */
const hidden = (plain: string): string =>
  plain
    .replaceAll(/\((lat|lon|temp|cycle|"day")\)/g, '(coalesce($1, NULL))')
    .replaceAll(/\bcycle /g, 'coalesce(cycle, NULL) ')

const PATHS = { plain: 'p/**/*.nc', cycles: 'p/*/cycle=*/*.nc', even: 'even/**/*.nc' }

async function same(
  t: Test,
  list: readonly string[],
  table: keyof typeof PATHS,
  where: string,
): Promise<void> {
  const sums = list.map((each, nth) => `${each} AS a${nth}`).join(', ')
  const all = await rowsOf({ sql: `SELECT ${sums} FROM ${table}${where}` })
  // Of paths main lists all files.
  const isHidden = where !== '' || hidden(sums) !== sums
  const source = isHidden ? table : `read_netcdf('${PATHS[table]}')`
  const expected = await rowsOf({ sql: `SELECT ${hidden(sums)} FROM ${source}${hidden(where)}` })
  t.same(all, expected, `${table}: ${sums}${where}`)
}

const cases = (count: number) => fc.sample(fc.tuple(aggregates, tableAndFilter), count)

t.test('aggregates are those of all rows', async (t) => {
  for (const [list, [table, where]] of cases(16)) await same(t, list, table, where)
  await same(t, ['count(*)'], 'even', '')
  await same(t, ['min(cycle)', 'max(cycle)', 'count(cycle)', 'count(*)'], 'cycles', '')
  await same(t, ['max(cycle)', 'count(temp)'], 'cycles', " WHERE cycle <> '2'")
  t.match(await service.explain('SELECT count(*) FROM even'), 'Files Summed')
  t.match(await service.explain('SELECT min(temp), count(temp), max(lat) FROM even'), 'Files Summed')
})

t.test('statements that DuckDB runs give the same', async (t) => {
  const sums = 'count(*) AS n, count(temp) AS c, min(temp) AS low, max(lat) AS high'
  const onDuckDB = `SELECT ${sums} FROM even, (SELECT 1 AS one) AS once`
  t.same(await rowsOf({ sql: `SELECT ${sums} FROM even` }), await rowsOf({ sql: onDuckDB }))
})

t.test('files that change, vanish and come are counted as they are', async (t) => {
  const changes = fc.oneof(
    fc.nat({ max: FILES - 1 }).map((nth) => () => write(nth, profileAt(nth + 1))),
    fc
      .nat({ max: FILES - 1 })
      .map((nth) => () => rmSync(join(datasets, folderOf(nth), nameOf(nth)), { force: true })),
    fc
      .nat({ max: 999 })
      .map((nth) => () => writeProfile(join(datasets, folderOf(nth)), `new-${nth}.nc`, profileAt(nth))),
    fc.nat({ max: 999 }).map((nth) => () => {
      writeProfile(join(datasets, 'even/b'), `p${nth % 100}x.nc`, { lat: 0, lon: -0, day: 1, temp: [nth] })
    }),
    fc.nat({ max: 98 }).map((nth) => () => {
      const folder = join(datasets, `even/${'ab'[nth % 2]}`)
      try {
        renameSync(join(folder, `p${nth}.nc`), join(folder, `p${nth + 1}.nc`))
      } catch {
        // It has been renamed before.
      }
    }),
  )
  for (const some of fc.sample(fc.array(changes, { minLength: 1, maxLength: 4 }), 5)) {
    for (const change of some) change()
    for (const [list, [table, where]] of cases(4)) await same(t, list, table, where)
  }
})

t.test('a file that a link leads to as well counts once', async (t) => {
  mkdirSync(join(datasets, 'even/c'))
  symlinkSync(join(datasets, 'even/a/p20.nc'), join(datasets, 'even/c/link.nc'))
  await same(t, ['count(*)', 'count(temp)'], 'even', '')
  rmSync(join(datasets, 'even/c'), { recursive: true })
})

t.test('what is known of blocks and cannot be read is not used', async (t) => {
  const database = new Database(join(dataDir, 'tables', 'learned.db'))
  t.ok(database.prepare('SELECT count(*) FROM summaries').pluck().get())
  database.exec(
    'UPDATE summaries SET groups = zeroblob(length(groups)); UPDATE service SET changes = changes + 1',
  )
  for (const [list, [table, where]] of cases(4)) await same(t, list, table, where)
  database.exec('DELETE FROM summaries; UPDATE service SET changes = changes + 1')
  for (const [list, [table, where]] of cases(4)) await same(t, list, table, where)
  database.close()
})
