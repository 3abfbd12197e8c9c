import { join } from 'node:path'
import t from 'tap'
import { answersOf } from '../e2e/answers.ts'
import { startTestService } from '../e2e/service.ts'
import { fc, generator } from '../support/generate.ts'
import { FILL, type Profile, writeProfile } from './profiles.ts'

const FILES = 40
const ALL = "read_netcdf('p/*.nc')"

const service = await startTestService(t)
const { rowsOf, scalarOf } = answersOf(service)
const below = generator('profiles')

/** Profiles on a line from south to north, among them some of all kinds that the format allows. */
const profiles = Array.from({ length: FILES }, (_, nth): Profile => {
  const temp = Array.from({ length: nth % 9 === 8 ? 0 : 3 + below(4) }, () => below(200) / 10)
  if (nth % 10 === 3) temp[1] = FILL
  if (nth % 10 === 4) temp[2] = Number.NaN
  return {
    lat: nth % 13 === 5 ? FILL : nth % 13 === 6 ? Number.NaN : nth * 2 - 40,
    lon: below(360) - 180,
    day: nth,
    temp,
    isMoving: nth % 11 === 7,
    isShort: nth % 17 === 9,
  }
})
for (const [nth, profile] of profiles.entries())
  writeProfile(join(service.datasets, 'p'), `p${String(nth).padStart(2, '0')}.nc`, profile)

const planOf = async (sql: string): Promise<string> => JSON.stringify(await rowsOf({ sql: `EXPLAIN ${sql}` }))

t.test('EXPLAIN says how many, whatever runs the query', async (t) => {
  const pruned = /Files Pruned: \d+ of 40/
  const core = `SELECT temp FROM ${ALL} WHERE lat > 34`
  const duck = `SELECT temp + 1 AS warmer FROM ${ALL} WHERE lat > 34`
  for (const sql of [core, duck]) t.match(await planOf(sql), pruned, sql)
  t.notMatch(await planOf(`SELECT temp FROM ${ALL}`), pruned)
  const json = {
    select: ['temp'],
    from: { netcdf: { paths: ['p/*.nc'] } },
    filters: [{ column: 'lat', gt: 34 }],
  }
  t.same(await rowsOf(json), await rowsOf({ sql: core }))
})

t.test('filters give the rows of a scan of all files', async (t) => {
  const column = fc.constantFrom('lat', 'lon', 'temp')
  const comparison = fc.constantFrom('=', '<>', '<', '<=', '>', '>=')
  const constant = fc.integer({ min: -60, max: 60 })
  const condition = fc.oneof(
    fc.tuple(column, comparison, constant).map((words) => words.join(' ')),
    fc.tuple(column, constant, constant).map(([name, low, high]) => `${name} BETWEEN ${low} AND ${high}`),
    fc
      .tuple(column, fc.array(constant, { minLength: 1, maxLength: 3 }))
      .map(([name, values]) => `${name} IN (${values})`),
    column.map((name) => `${name} IS NULL`),
    column.map((name) => `${name} IS NOT NULL`),
  )
  const filter = fc.oneof(
    condition,
    fc.tuple(condition, fc.constantFrom('AND', 'OR'), condition).map((words) => words.join(' ')),
    condition.map((each) => `NOT (${each})`),
  )
  const runs = fc.sample(fc.tuple(filter, fc.constantFrom('temp', 'lat, lon', 'temp, lat')), 16)
  for (const [plain, columns] of runs) {
    // Nothing is known of what functions return, so this reads all files. The columns that it reads are the same.
    const hidden = plain.replaceAll(/\b(lat|lon|temp)\b/g, 'coalesce($1, NULL)')
    const select = (condition: string): object => ({
      sql: `SELECT ${columns} FROM ${ALL} WHERE ${condition}`,
    })
    t.same(await rowsOf(select(plain)), await rowsOf(select(hidden)), plain)
    const count = (condition: string): object => ({
      sql: `SELECT count(*), min(lat), max(lat), count(temp) FROM ${ALL} WHERE ${condition}`,
    })
    t.same(await rowsOf(count(plain)), await rowsOf(count(hidden)), plain)
  }
})

t.test('times are compared too, and a file that was left out is seen when it has changed', async (t) => {
  const late = `SELECT lat FROM ${ALL} WHERE "day" >= TIMESTAMP '2020-02-08' AND "day" < TIMESTAMP '2021-01-01'`
  t.match(await planOf(late), 'Files Pruned: 38 of 40')
  const before = await rowsOf({ sql: late })
  writeProfile(join(service.datasets, 'p'), 'p00.nc', { lat: -1.5, lon: 0, day: 100, temp: [1] })
  t.same(await rowsOf({ sql: late }), [{ lat: -1.5 }, ...before])
})

t.test('what is known of all values is the answer', async (t) => {
  const [row] = await rowsOf({
    sql: `SELECT min(lon) AS least, max(lon) AS most, count(lon) AS n FROM ${ALL}`,
  })
  const lons = [0, ...profiles.slice(1).flatMap(({ isShort, lon }) => (isShort ? [] : lon))]
  t.same(row, { least: Math.min(...lons), most: Math.max(...lons), n: lons.length })
  t.equal(await scalarOf(`SELECT count(*) FROM ${ALL} WHERE lon > -181`), lons.length)
})
