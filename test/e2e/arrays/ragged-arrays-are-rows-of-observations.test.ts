import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { untilSettled } from '../../support/settled.ts'
import { answersOf } from '../answers.ts'
import { startTestService } from '../service.ts'

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures')
const service = await startTestService(t)
const { rowsOf, scalarOf, failure } = answersOf(service)
const folder = join(service.datasets, 'ragged')
mkdirSync(folder)
for (const [from, to] of [
  ['netcdf/ragged-timeseries-cdf1.nc', 'contiguous.nc'],
  ['netcdf4/ragged-timeseries-nc4.nc', 'contiguous4.nc'],
  ['netcdf/ragged-profiles-cdf5.nc', 'casts.nc'],
  ['netcdf/ragged-indexed-cdf2.nc', 'indexed.nc'],
  ['netcdf4/ragged-indexed-nc4.nc', 'indexed4.nc'],
] as const) {
  copyFileSync(join(FIXTURES, from), join(folder, to))
  await untilSettled(join(folder, to))
}

const STATIONS = [
  ['north', -45.5, 3],
  ['', 12.25, 5],
  ['west', 80, 2],
] as const

t.test('contiguous: each observation has the values of its station, in each engine and format', async (t) => {
  for (const call of [
    "read_netcdf('ragged/contiguous.nc')",
    "read_netcdf('ragged/contiguous4.nc')",
    "read_hdf5('ragged/contiguous4.nc')",
  ]) {
    const columns = 'station_name, lat, time, temp, humidity'
    const rows = await rowsOf({ sql: `SELECT ${columns} FROM ${call}` })
    t.same(
      rows.map(({ station_name }) => station_name),
      STATIONS.flatMap(([name, , count]) => Array.from({ length: count }, () => name)),
    )
    t.same(
      rows.map(({ humidity }) => humidity),
      [5, null, 15, 20, 25, 30, 35, 40, 45, 50],
    )
    t.same(await rowsOf({ sql: `SELECT ${columns} FROM (SELECT *, random() FROM ${call})` }), rows, 'DuckDB')
    for (const [what, count] of [
      ['lat', 10],
      ['temp', 10],
      ['".featureType"', 10],
      ['crs', 10],
    ] as const)
      t.equal(await scalarOf(`SELECT count(*) AS n FROM (SELECT ${what} FROM ${call})`), count, what)
    t.equal(await scalarOf(`SELECT count(*) AS n FROM ${call}`), 10)
    t.equal(await scalarOf(`SELECT count(lat) AS n FROM ${call}`), 10)
    t.same(await rowsOf({ sql: `SELECT station_name, count(*) AS n FROM ${call} GROUP BY 1 ORDER BY 1` }), [
      { station_name: '', n: 5 },
      { station_name: 'north', n: 3 },
      { station_name: 'west', n: 2 },
    ])
  }
})

t.test('conditions on observations and on stations', async (t) => {
  const from = (format: string, file: string) => ({ [format]: { paths: [`ragged/${file}`] } })
  for (const [format, file] of [
    ['netcdf', 'contiguous.nc'],
    ['hdf5', 'contiguous4.nc'],
  ] as const) {
    const read = (...filters: readonly object[]) =>
      rowsOf({ select: ['time', 'lat', 'temp'], from: from(format, file), filters })
    const temps = async (...filters: readonly object[]) => (await read(...filters)).map(({ temp }) => temp)
    t.same(await temps({ column: 'lat', gt: 50 }), [9.5, 10.5])
    t.same(await temps({ column: 'time', min: '1970-01-05' }), [8.5, 9.5, 10.5])
    t.same(await temps({ column: 'time', min: '1970-01-05' }, { column: 'lat', lt: 50 }), [8.5])
    t.same(await temps({ column: 'lat', eq: 0 }), [], 'a station without observations')
  }
  t.same(
    await rowsOf({
      sql: "SELECT min(lat) AS low, max(lat) AS high FROM read_netcdf('ragged/contiguous.nc')",
    }),
    [{ low: -45.5, high: 80 }],
  )
  const [plan] = await rowsOf({
    sql: "EXPLAIN SELECT temp FROM read_netcdf('ragged/contiguous.nc') WHERE lat > 50",
  })
  t.match(String(plan?.['plan']), /Grids: .*"Dimensions":\{"obs":10\}.*"Ranges":\{"obs":"8\.\.10"\}/)
  const [both] = await rowsOf({
    sql: "EXPLAIN SELECT temp FROM read_netcdf('ragged/contiguous.nc') WHERE lat < 50 AND time >= '1970-01-04' AND temp > 6",
  })
  t.match(String(both?.['plan']), /"Ranges":\{"obs":"6\.\.8"\}/, 'all of them prune')
})

t.test('several sample dimensions: each cast is padded by itself', async (t) => {
  const sql = "SELECT cruise, z, Temperature AS t, Salinity AS s FROM read_netcdf('ragged/casts.nc')"
  const rows = await rowsOf({ sql })
  t.same(
    rows.map(({ cruise, z, t, s }) => [cruise, z, t, s]),
    [
      ['a', 0, 20, 35],
      ['a', 10, 19, null],
      ['a', 20, 18, null],
      ['bb', 0, 15, 34],
      ['bb', 10, null, 34.5],
      ['', 0, 12, 33],
      ['', 10, null, 33.1],
      ['', 20, null, 33.2],
      ['', null, null, 33.3],
      ['fffff', 0, 9, null],
    ],
  )
  t.same(await rowsOf({ sql: sql.replace('cruise,', "cruise || '' AS cruise,") }), rows, 'DuckDB')
  t.equal(await scalarOf("SELECT count(*) AS n FROM read_netcdf('ragged/casts.nc') WHERE Salinity > 33"), 6)
  t.equal(
    await scalarOf("SELECT count(*) AS n FROM read_netcdf('ragged/casts.nc') WHERE abs(Salinity) > 33"),
    6,
  )
  t.match(
    await failure({ sql: "SELECT z FROM read_netcdf('ragged/casts.nc', ['casts'])" }),
    /dimension projections are not supported for ragged datasets/,
  )
})

t.test('indexed: the index is no column, and values of stations are looked up', async (t) => {
  for (const file of ['indexed.nc', 'indexed4.nc']) {
    const call = `read_netcdf('ragged/${file}')`
    const names = (await rowsOf({ sql: `SELECT column_name FROM read_netcdf_schema('ragged/${file}')` })).map(
      ({ column_name }) => String(column_name),
    )
    t.notOk(names.some((name) => name.startsWith('stationIndex')))
    const sql = `SELECT lon, station_name, temp FROM ${call}`
    const rows = await rowsOf({ sql })
    t.same(
      rows.map(({ lon }) => lon),
      [30, 10, 10, null, 20, null, null, 30, 30, 20],
    )
    t.same(
      rows.map(({ station_name }) => station_name),
      ['south', 'north', 'north', null, '', null, null, 'south', 'south', ''],
    )
    t.same(await rowsOf({ sql: sql.replace('lon,', 'lon + 0 AS lon,') }), rows, 'DuckDB')
    t.equal(await scalarOf(`SELECT count(*) AS n FROM ${call} WHERE lon > 10`), 5)
    t.equal(await scalarOf(`SELECT count(*) AS n FROM ${call} WHERE lon IS NULL`), 3)
    t.equal(await scalarOf(`SELECT count(*) AS n FROM ${call} WHERE abs(lon) > 10`), 5)
    t.equal(await scalarOf(`SELECT max(lat) AS n FROM ${call}`), 3)
    t.same(
      await rowsOf({ sql: `SELECT lon, station_name FROM read_netcdf('ragged/${file}', ['station'])` }),
      [
        { lon: 10, station_name: 'north' },
        { lon: 20, station_name: '' },
        { lon: 30, station_name: 'south' },
      ],
      'each station once',
    )
    t.same(
      await rowsOf({ sql: `SELECT lon FROM read_netcdf('ragged/${file}', ['obs'])` }),
      rows.map(({ lon }) => ({ lon })),
    )
  }
})

t.test('variables that are no columns are told', async (t) => {
  for (const [file, name, message, ...beside] of [
    [
      'contiguous.nc',
      'bounds',
      /"bounds" has the dimensions \(station, nv\) in .*whose rows are the observations along \(obs\)/,
    ],
    [
      'contiguous.nc',
      'row_size',
      /"row_size" says in .* which instance each observation belongs to, and is no column/,
    ],
    ['indexed.nc', 'stationIndex', /"stationIndex" says in .* is no column/],
    // Alone it has rows along its own dimensions.
    [
      'indexed.nc',
      'levels',
      /"levels" has the dimensions \(station, z\) in .*, whose rows have \(obs\)/,
      'temp',
    ],
  ] as const) {
    const paths = [`ragged/${file}`]
    t.match(await failure({ select: [...beside, name], from: { netcdf: { paths } } }), message)
    const list = [name, ...beside].join(', ')
    t.match(await failure({ sql: `SELECT ${list} FROM read_netcdf('ragged/${file}')` }), message)
  }
})
