import { renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { withSyncCalls } from '../../src/main/datasets/file-system/sync-calls.ts'
import { openDatasetRoot } from '../../src/main/datasets/root.ts'
import { createLearnedFolders, type LearnedFolders } from '../../src/main/learned/store/learned-table.ts'
import { openLearnedReader } from '../../src/main/learned/store/open-learned.ts'
import { findRemaining } from '../../src/main/query/source/many/find-remaining.ts'
import { createFolderLists } from '../../src/main/query/source/many/folder-lists.ts'
import { createLearnedIndex } from '../../src/main/query/source/many/learned-index.ts'
import { VERSION } from '../../src/main/settings/version.ts'
import { compare } from '../../src/plan/condition/condition.ts'
import { columnExpression } from '../../src/plan/expression.ts'
import { fileFormat } from '../../src/plan/format/file-format.ts'
import { field } from '../../src/plan/types/schema.ts'
import { never } from '../datasets/dataset-root.ts'
import { answersOf } from '../e2e/answers.ts'
import { startTables } from '../external/tables.ts'
import { FILL, type Profile, writeProfile } from '../learned/profiles.ts'
import { fc, generator } from '../support/generate.ts'
import { untilSettled } from '../support/settled.ts'

const FILES = 60
const below = generator('many')

/** Profiles at the poles, at both sides of the dateline, in both ways to count longitudes, and among them some of all kinds. */
function profileAt(nth: number): Profile {
  const temp = Array.from({ length: nth % 9 === 8 ? 0 : 2 + below(3) }, () => below(200) / 10)
  if (nth % 10 === 3) temp[1] = FILL
  if (nth % 10 === 4) temp[0] = Number.NaN
  const lats = [90, -90, 89.999_999_9, 0, -0, below(1800) / 10 - 90]
  const lons = [180, -180, 179.999_999_9, 359.9, 0, 360, below(3600) / 10, below(3600) / 10 - 180]
  return {
    lat: nth % 13 === 5 ? FILL : nth % 13 === 6 ? Number.NaN : (lats[nth % lats.length] ?? 0),
    lon: nth % 19 === 11 ? Number.NaN : (lons[nth % lons.length] ?? 0),
    day: nth,
    temp,
    isMoving: nth % 11 === 7,
    isShort: nth % 17 === 9,
  }
}

const folderOf = (nth: number): string => `p/float-${nth % 7}/cycle=${nth % 3}`
const nameOf = (nth: number): string => `p${String(nth).padStart(2, '0')}.nc`

const before = await startTables(t)
const { dataDir, datasets } = before
const write = (nth: number, profile = profileAt(nth)): void =>
  writeProfile(join(datasets, folderOf(nth)), nameOf(nth), profile)
for (let nth = 0; nth < FILES; nth++) write(nth)
await untilSettled(join(datasets, 'p'))
await before.command("CREATE EXTERNAL TABLE plain STORED AS NETCDF LOCATION 'p/'")
await before.command(
  "CREATE EXTERNAL TABLE cycles STORED AS NETCDF PARTITIONED BY (cycle) LOCATION 'p/*/cycle=*/*.nc'",
)
const LEARNING = 'WHERE lat > 0 OR lon > 0 OR temp > 0 OR "day" IS NULL'
for (let run = 0; run < 2; run++) await before.ask(`SELECT count(*) FROM plain ${LEARNING}`)
await before.close()

const service = await startTables(t, { dataDir, mostListedFiles: 8 })
const { rowsOf } = answersOf(service)

const constant = fc.oneof(
  fc.integer({ min: -200, max: 400 }),
  fc.constantFrom(90, -90, 180, -180, 179.999_999_9, 359.9, 0),
)
const column = fc.constantFrom('lat', 'lon', 'temp')
const condition = fc.oneof(
  fc
    .tuple(column, fc.constantFrom('=', '<>', '<', '<=', '>', '>='), constant)
    .map((words) => words.join(' ')),
  fc.tuple(column, constant, constant).map(([name, low, high]) => `${name} BETWEEN ${low} AND ${high}`),
  column.map((name) => `${name} IS NULL`),
  column.map((name) => `NOT (${name} IS NULL)`),
)
const place = fc.tuple(constant, constant, constant, constant)
const box = place.map(([south, north, west, east]) => {
  const lon = west <= east ? `lon BETWEEN ${west} AND ${east}` : `(lon >= ${west} OR lon <= ${east})`
  return `lat BETWEEN ${Math.min(south, north)} AND ${Math.max(south, north)} AND ${lon}`
})
const filter = fc.oneof(
  { weight: 3, arbitrary: box },
  { weight: 1, arbitrary: condition },
  {
    weight: 1,
    arbitrary: fc.tuple(condition, fc.constantFrom('AND', 'OR'), condition).map((words) => words.join(' ')),
  },
)

/** A filter of which nothing follows for any file, so that all are read. */
const hidden = (plain: string): string => plain.replaceAll(/\b(lat|lon|temp|cycle)\b/g, 'coalesce($1, NULL)')

async function same(t: Test, table: string, plain: string): Promise<void> {
  const rows = (where: string) => rowsOf({ sql: `SELECT lat, lon, temp FROM ${table} WHERE ${where}` })
  t.same(await rows(plain), await rows(hidden(plain)), `${table}: ${plain}`)
  const counted = (where: string) =>
    rowsOf({ sql: `SELECT count(*), min(lat), max(lon), count(temp) FROM ${table} WHERE ${where}` })
  t.same(await counted(plain), await counted(hidden(plain)), `${table}: ${plain}`)
}

t.test('boxes and other filters give the rows of a scan of all files', async (t) => {
  for (const plain of fc.sample(filter, 25)) await same(t, 'plain', plain)
  const whole = 'SELECT count(*), count(lat), sum("temp") FROM'
  // The first one tells how many files there are.
  for (let run = 0; run < 2; run++)
    t.same(
      await rowsOf({ sql: `${whole} plain` }),
      await rowsOf({ sql: `${whole} read_netcdf('p/**/*.nc')` }),
    )
  for (const plain of fc.sample(filter, 8)) await same(t, 'cycles', `cycle = '1' AND ${plain}`)
  t.match(await service.explain('SELECT lat FROM plain WHERE lat > 91'), `Files Pruned`)
})

t.test('files that change, vanish and come under it are seen', async (t) => {
  write(1, { lat: 12, lon: 34, day: 5, temp: [1, 2] })
  rmSync(join(datasets, folderOf(2), nameOf(2)))
  writeProfile(join(datasets, 'p/new/cycle=1'), 'a.nc', { lat: 12.5, lon: 34.5, day: 5, temp: [3] })
  renameSync(join(datasets, folderOf(3), nameOf(3)), join(datasets, folderOf(4), 'moved.nc'))
  t.same(
    await rowsOf({
      sql: 'SELECT lat FROM plain WHERE lat BETWEEN 12 AND 12.5 AND lon > 33 AND lon < 35 GROUP BY lat ORDER BY lat',
    }),
    [{ lat: 12 }, { lat: 12.5 }],
  )
  for (const plain of fc.sample(filter, 10)) await same(t, 'plain', plain)
  symlinkSync(join(datasets, 'p/new/cycle=1/a.nc'), join(datasets, 'p/float-0/cycle=0/link.nc'))
  await same(t, 'plain', 'lat BETWEEN 12 AND 13')
  await same(t, 'cycles', "lat BETWEEN 12 AND 13 AND cycle = '0'")
})

t.test(
  'most files of a narrow box are left out by the thread, and none without what is learned',
  async (t) => {
    rmSync(join(datasets, 'p/float-0/cycle=0/link.nc'))
    const root = await openDatasetRoot(datasets)
    const database = openLearnedReader(join(dataDir, 'tables', 'learned.db'), VERSION)
    t.teardown(() => database?.close())
    t.ok(database)
    const asked = {
      relation: 'plain',
      location: { path: 'p/', extensions: ['nc'], keys: [] },
      format: fileFormat('netcdf', 'grid', {}),
      schema: { fields: [field('lat', { kind: 'float', bits: 64 })], metadata: {} },
      partitions: [],
      sums: null,
      filter: compare(columnExpression('lat', { kind: 'float', bits: 64 }), 'gt', {
        kind: 'float',
        value: 91,
      }),
    } as const
    const local = { ...root, files: withSyncCalls(root.files) }
    const lists = createFolderLists([])
    const openIndex = createLearnedIndex()
    const find = (learned: LearnedFolders | null) =>
      findRemaining(local, openIndex(learned), lists, asked, never)
    const remaining = await find(database && createLearnedFolders(database))
    t.ok((remaining?.pruned ?? 0) > FILES / 2, `${remaining?.pruned}`)
    const all = await find(null)
    t.equal(all?.pruned, 0)
    t.equal(all?.files.length, (remaining?.pruned ?? 0) + (remaining?.files.length ?? 0))
    t.equal(openLearnedReader(join(dataDir, 'tables', 'learned.db'), `${VERSION}-other`), null)
  },
)
