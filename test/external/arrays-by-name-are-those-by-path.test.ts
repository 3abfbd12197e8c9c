import { copyFileSync, mkdirSync } from 'node:fs'
import t from 'tap'
import { startTables } from './tables.ts'

const tables = await startTables(t)
const { at, command, ask, columns, settle } = tables

for (const year of [2023, 2024]) {
  mkdirSync(at(`c/year=${year}`), { recursive: true })
  copyFileSync('src/sample/sst.nc', at(`c/year=${year}/sst.nc`))
}
await settle()

const created = await command(
  "CREATE EXTERNAL TABLE sst STORED AS NC PARTITIONED BY (year BIGINT) LOCATION 'c/'",
)
const names = (await columns('sst')).map((column) => column.slice(0, column.indexOf(' ')))
const [time, lat, lon, value] = ['time', 'lat', 'lon', 'sst'] as const

const PATH = { netcdf: { paths: ['c/**/*.nc'] } }
const FILES = "read_netcdf('c/**/*.nc')"

t.test('the columns of folders come last', async (t) => {
  t.equal(created, '')
  t.equal(names.at(-1), 'year')
  for (const name of [time, lat, lon, value]) t.ok(names.includes(name), name)
})

t.test('in JSON', async (t) => {
  for (const rest of [
    { select: [lat] },
    { select: [lat, 'year'] },
    { select: ['year'], filters: [{ column: 'year', eq: 2024 }], limit: 3 },
    { select: [lat, value], filters: [{ column: lat, lt: 0 }], limit: 20 },
    { select: [lon, value, 'year'], filters: [{ column: 'year', eq: 2023 }], limit: 20, offset: 7 },
    { select: [{ function: 'abs', args: [lat], alias: 'a' }], filters: [{ column: 'year', eq: 2023 }] },
    { distinct: { on: ['year'], select: ['year', lat] } },
  ]) {
    const expected = await ask({ from: PATH, ...rest })
    t.type(expected, Array, JSON.stringify(rest))
    t.same(await ask({ from: 'sst', ...rest }), expected, JSON.stringify(rest))
  }
})

t.test('in SQL, by the core and by DuckDB', async (t) => {
  const quoted = (name: string): string => `"${name}"`
  for (const query of [
    `SELECT ${quoted(lat)} FROM FILES`,
    `SELECT ${quoted(lat)}, year FROM FILES WHERE year = 2024`,
    `SELECT year, count(*), sum(${quoted(value)}) FROM FILES GROUP BY year ORDER BY year`,
    `SELECT min(${quoted(time)}), max(${quoted(lon)}) FROM FILES WHERE year > 2023`,
    `SELECT ${quoted(lat)} + 1 AS a FROM FILES WHERE year = 2024 ORDER BY a`,
    `SELECT count(${quoted(value)}), avg(${quoted(value)} * 2) FROM FILES WHERE year IN (2023) AND ${quoted(lat)} > 0`,
    `SELECT count(*) FROM FILES WHERE year = 1999`,
  ]) {
    const expected = await ask(query.replace('FILES', FILES))
    t.type(expected, Array, query)
    t.same(await ask(query.replace('FILES', 'sst')), expected, query)
  }
})

t.test('a column that no file has is told with its dimensions, if a file has such an array', async (t) => {
  t.match(await ask({ from: 'sst', select: ['nothing'] }), /nothing/)
})
