import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { answersOf } from '../answers.ts'
import { startTestService } from '../service.ts'

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures', 'netcdf')
const TRAJECTORY = '5900865_Rtraj'
const ARGO = ['D5900865_001', 'R13857_001', 'R2901746_058', 'D1900857_000']

const service = await startTestService(t)
const { rowsOf, scalarOf, failure } = answersOf(service)
const { datasets } = service
for (const folder of ['argo', 'floats/centre=a', 'floats/centre=b', 'made'])
  mkdirSync(join(datasets, folder), { recursive: true })
for (const name of ARGO)
  copyFileSync(join(FIXTURES, 'argo', `${name}.nc`), join(datasets, 'argo', `${name}.nc`))
mkdirSync(join(datasets, 'mixed'))
copyFileSync(join(FIXTURES, 'argo', `${TRAJECTORY}.nc`), join(datasets, 'mixed', `${TRAJECTORY}.nc`))
for (const [centre, name] of [
  ['a', 'D5900865_001'],
  ['b', 'R2901746_058'],
] as const)
  copyFileSync(
    join(FIXTURES, 'argo', `${name}.nc`),
    join(datasets, 'floats', `centre=${centre}`, `${name}.nc`),
  )
copyFileSync(join(FIXTURES, 'grid-cdf1.nc'), join(datasets, 'made', 'grid.nc'))

const DEEP = `SELECT PRES, TEMP, JULD, LATITUDE, PLATFORM_NUMBER FROM read_netcdf('argo/D5900865_001.nc') WHERE PRES > 1500`

t.test('a profile, in JSON and in SQL', async (t) => {
  const json = await rowsOf({
    select: ['PRES', 'TEMP', 'JULD', 'LATITUDE', 'PLATFORM_NUMBER'],
    from: { netcdf: { paths: ['argo/D5900865_001.nc'] } },
    filters: [{ column: 'PRES', gt: 1500 }],
  })
  t.ok(json.length > 0)
  t.same(await rowsOf({ sql: DEEP }), json)
  // An expression in the list is run by DuckDB.
  t.same(await rowsOf({ sql: DEEP.replace('SELECT PRES', 'SELECT PRES + 0 AS PRES') }), json, 'and in DuckDB')
  t.match(json[0], { PLATFORM_NUMBER: '5900865', JULD: /^2005-08-28T06:28:06/ })
})

t.test('rows follow the columns that are read', async (t) => {
  const from = "read_netcdf('argo/D1900857_000.nc')"
  const levels = await scalarOf(`SELECT count(*) AS n FROM ${from} WHERE PRES > -1000 OR PRES IS NULL`)
  t.equal(await scalarOf(`SELECT count(*) AS n FROM ${from}`), levels, 'no columns: the whole grid')
  const profiles = (await rowsOf({ sql: `SELECT LATITUDE FROM ${from}` })).length
  t.ok(Number(levels) > profiles && profiles > 0)
  t.equal(
    await scalarOf(`SELECT count(*) AS n FROM ${from} WHERE LATITUDE > -91`),
    profiles,
    'latitudes are counted',
  )
  t.equal(
    await scalarOf(`SELECT count(*) AS n FROM ${from} WHERE abs(LATITUDE) >= 0`),
    profiles,
    'in DuckDB too',
  )
  t.equal(
    (await rowsOf({ select: ['LATITUDE'], from: netcdf('argo/D1900857_000.nc') })).length,
    profiles,
    'in JSON too',
  )
  t.same(await rowsOf({ sql: `SELECT ".title", "PRES.units" FROM ${from}` }), [
    { '.title': 'Argo float vertical profile', 'PRES.units': 'decibar' },
  ])
})

t.test('dimensions choose which variables are rows', async (t) => {
  const file = 'argo/D1900857_000.nc'
  const inJson = { netcdf: { paths: [file], dimensions: ['N_PROF', 'N_HISTORY'] } }
  const json = await rowsOf({ select: ['HISTORY_ACTION', 'CYCLE_NUMBER'], from: inJson })
  for (const call of [
    `read_netcdf('${file}', ['N_HISTORY', 'N_PROF'])`,
    `read_netcdf('${file}', dimensions = ['N_PROF', 'N_HISTORY'])`,
    `read_netcdf(['${file}'], dimensions := ['N_PROF', 'N_HISTORY', 'N_PROF'])`,
  ])
    t.same(await rowsOf({ sql: `SELECT HISTORY_ACTION, CYCLE_NUMBER FROM ${call}` }), json, call)
  t.ok(json.length > 0)
  t.match(
    await failure({ select: ['PRES'], from: { netcdf: { paths: [file], dimensions: ['N_PROFS'] } } }),
    /D1900857_000.nc" cannot be read as NetCDF: dimension 'N_PROFS' not found in dataset, did you mean "N_PROF"\?/,
  )
  t.match(
    await failure({ select: ['PRES'], from: { netcdf: { paths: [file], dimensions: 'N_PROF' } } }),
    /dimensions/,
  )
})

t.test('several files are one table', async (t) => {
  const all = await rowsOf({
    sql: "SELECT filename, count(PRES) AS n FROM read_netcdf('argo/*.nc', filename = true) GROUP BY filename ORDER BY filename",
  })
  t.equal(all.length, ARGO.length)
  for (const { filename, n } of all)
    t.equal(await scalarOf(`SELECT count(PRES) AS n FROM read_netcdf('${filename}')`), n, String(filename))
  const folders = await rowsOf({
    sql: "SELECT centre, max(PRES) AS deepest FROM read_netcdf('floats/**/*.nc') GROUP BY centre ORDER BY centre",
  })
  t.same(
    folders.map(({ centre }) => centre),
    ['a', 'b'],
  )
  const of = (centre: string) => `FROM read_netcdf('floats/**/*.nc') WHERE centre = '${centre}'`
  const [own] = await rowsOf({ sql: `SELECT count(*) AS n ${of('a')}` })
  t.equal(
    await scalarOf("SELECT count(*) AS n FROM read_netcdf('argo/D5900865_001.nc')"),
    own?.['n'],
    'columns of paths leave rows alone',
  )
  t.ok((await rowsOf({ sql: `SELECT LATITUDE ${of('b')}` })).length > 0)
})

t.test('schemas, listings and plans know the format', async (t) => {
  const { fields } = (await (
    await fetch(`${service.url}/api/dataset-schema?file=argo/R13857_001.nc`)
  ).json()) as {
    fields: { name: string; data_type: unknown }[]
  }
  const names = fields.map(({ name }) => name)
  t.same(names, names.toSorted())
  const inSql = await rowsOf({
    sql: "SELECT column_name, data_type FROM read_netcdf_schema('argo/R13857_001.nc')",
  })
  t.same(
    inSql.map(({ column_name }) => column_name),
    names,
  )
  t.equal(inSql.find(({ column_name }) => column_name === 'JULD')?.['data_type'], 'Timestamp(ns)')
  const listed = (await (await fetch(`${service.url}/api/list-datasets?pattern=argo/*`)).json()) as {
    format: string
  }[]
  t.same(
    listed.map(({ format }) => format),
    ARGO.map(() => 'nc'),
  )
  const [plan] = await rowsOf({ sql: `EXPLAIN ${DEEP}` })
  t.match(JSON.stringify(plan), /netcdf/i)
  t.match(await failure({ sql: "SELECT * FROM read_parquet('made/grid.nc')" }), /NetCDF/)
})

t.test('a variable that a file leaves out is told with its dimensions', async (t) => {
  const file = 'argo/D1900857_000.nc'
  const told =
    /"HISTORY_ACTION" has the dimensions \(N_HISTORY, N_PROF\) in "argo\/D1900857_000.nc", whose rows have \(N_PROF, N_LEVELS\)\. Read it with dimensions = \["N_HISTORY","N_PROF"\]/
  const from = netcdf(file)
  const call = `read_netcdf('${file}')`
  for (const body of [
    { select: ['PRES', 'HISTORY_ACTION'], from },
    { select: ['PRES'], from, filters: [{ column: 'HISTORY_ACTION', eq: 'IP' }] },
    { select: ['PRES', { function: 'upper', args: ['HISTORY_ACTION'], alias: 'a' }], from },
    { select: ['PRES', 'HISTORY_ACTION'], from: netcdf('argo/*.nc') },
    { sql: `SELECT PRES, HISTORY_ACTION FROM ${call}` },
    { sql: `SELECT *, history_action FROM ${call}` },
    { sql: `SELECT p.HISTORY_ACTION FROM ${call} AS p WHERE PRES > 0` },
    { sql: `SELECT avg(PRES) FROM ${call} WHERE "HISTORY_ACTION" = 'IP'` },
    { sql: `SELECT upper(HISTORY_ACTION), PRES + 1 FROM ${call}` },
    { sql: `EXPLAIN SELECT HISTORY_ACTION, PRES FROM ${call}` },
  ])
    t.match(await failure(body), told, JSON.stringify(body))
  t.match(await failure({ select: ['HISTORY_ACTIONS'], from }), /there is no column "HISTORY_ACTIONS"/)
  t.match(await failure({ sql: `SELECT HISTORY_ACTIONS FROM ${call}` }), /HISTORY_ACTIONS/)
})

t.test('a variable that one file leaves out and another one has is told with its dimensions', async (t) => {
  // Of the profile the rows are levels, of the trajectory they are characters of its history.
  const paths = ['argo/D1900857_000.nc', 'mixed/5900865_Rtraj.nc']
  for (const body of [
    { select: ['HISTORY_DATE', 'DATE_CREATION'], from: { netcdf: { paths } } },
    { sql: `SELECT HISTORY_DATE FROM read_netcdf(['${paths.join("', '")}'])` },
    { sql: `SELECT * FROM read_netcdf(['${paths.join("', '")}'])` },
  ])
    t.match(
      await failure(body),
      /has the dimensions \(.*\) in "\w+\/\w+.nc", whose rows have \(N_PROF, N_LEVELS\)|has the dimensions \(.*\) in "\w+\/\w+.nc", whose rows have \(N_HISTORY, DATE_TIME\)/,
    )
})

function netcdf(...paths: readonly string[]) {
  return { netcdf: { paths } }
}
