import t from 'tap'
import { writeNetcdf } from '../../src/sample/write-netcdf.ts'
import { startTables } from './tables.ts'

const { put, ask, command, settle, post } = await startTables(t)

const array = (name: string, dimensions: readonly string[], cells: number, from = 0) => ({
  name,
  dimensions,
  attributes: { units: 'm' },
  values: Float64Array.from({ length: cells }, (_, index) => from + index),
})

// The default rows are those of (cycle, level): most variables are along them.
const trajectory = (from: number) =>
  writeNetcdf({ cycle: 2, level: 3, point: 4, step: 2 }, { title: 'a float' }, [
    array('CYCLE', ['cycle'], 2, from),
    array('LEVEL', ['level'], 3, from),
    array('TEMP', ['cycle', 'level'], 6, from),
    array('PSAL', ['cycle', 'level'], 6, from),
    array('JULD', ['point'], 4, from),
    array('Latitude', ['point'], 4, from + 10),
    array('PATH', ['point', 'step'], 8, from),
    array('STEP', ['step'], 2, from),
  ])
put('t/a.nc', trajectory(0))
put('t/b.nc', trajectory(100))
put('one/a.nc', trajectory(0))
put('one/c.nc', writeNetcdf({ cycle: 2, level: 3 }, {}, [array('TEMP', ['cycle', 'level'], 6)]))
put(
  'grid.nc',
  writeNetcdf({ time: 3, lat: 4, lon: 5 }, {}, [
    array('time', ['time'], 3),
    array('lat', ['lat'], 4),
    array('lon', ['lon'], 5),
    array('sst', ['time', 'lat', 'lon'], 60),
  ]),
)
await settle()
const created = [
  await command("CREATE EXTERNAL TABLE tracks STORED AS NC LOCATION 't/'"),
  await command("CREATE EXTERNAL TABLE grids STORED AS NC LOCATION 'grid.nc'"),
  await command(`CREATE EXTERNAL TABLE declared ("TEMP" DOUBLE) STORED AS NC LOCATION 't/'`),
]

async function noticeOf(query: object | string): Promise<string | null> {
  const body = typeof query === 'string' ? { sql: query } : query
  const answer = await post(body)
  const text = await answer.text()
  return answer.status === 200 ? answer.headers.get('x-service-notice') : `${answer.status} ${text}`
}

const READ = "read_netcdf('t/*.nc')"
const FROM = { netcdf: { paths: ['t/*.nc'] } }
const ALONG = "read_netcdf('t/*.nc', ['point'])"

t.test('tables are created', async (t) => t.same(created, ['', '', '']))

t.test('names that lie on one other grid are read along its dimensions', async (t) => {
  const points = [
    'JULD,Latitude',
    ...[0, 100].flatMap((from) => [0, 1, 2, 3].map((at) => `${from + at}.0,${from + at + 10}.0`)),
  ]
  t.same(await ask(`SELECT "JULD", "Latitude" FROM ${ALONG}`), points)
  const select = ['JULD', 'Latitude']
  for (const query of [
    { from: FROM, select },
    { from: 'tracks', select },
    `SELECT "JULD", "Latitude" FROM ${READ}`,
    `SELECT juld AS "JULD", LATITUDE AS "Latitude" FROM ${READ}`,
    `SELECT x.Juld AS "JULD", latitude AS "Latitude" FROM ${READ} AS x WHERE juld >= 0`,
    `SELECT JULD, Latitude FROM tracks`,
    `SELECT JULD + 0 AS "JULD", Latitude - 0 AS "Latitude" FROM ${READ}`,
    `SELECT JULD + 0 AS "JULD", latitude AS "Latitude" FROM tracks`,
    `WITH p AS (SELECT JULD, Latitude FROM ${READ}) SELECT * FROM p`,
  ])
    for (const time of ['first', 'second', 'third']) {
      t.same(await ask(query), points, `${JSON.stringify(query)} ${time}`)
      t.match(
        await noticeOf(query),
        /^"(JULD|Latitude)" is not among the default rows of (tracks|netcdf\(t\/\*\.nc\)): the rows are those of dimensions = \["point"\]$/,
        `${JSON.stringify(query)} ${time}`,
      )
    }
})

t.test('the dimensions are those of the array that has the most', async (t) => {
  const written = await ask(
    `SELECT "JULD", "PATH", "STEP", ".title" FROM read_netcdf('t/*.nc', ['point', 'step'])`,
  )
  t.equal(written.length, 17)
  t.same(await ask({ from: FROM, select: ['JULD', 'PATH', 'STEP', '.title'] }), written)
  t.same(await ask(`SELECT JULD, PATH, STEP, ".title" FROM ${READ}`), written)
  t.same(await ask(`SELECT JULD + 0 AS "JULD", PATH, STEP, ".title" FROM ${READ}`), written)
  t.match(await noticeOf(`SELECT JULD, PATH FROM ${READ}`), /dimensions = \["point","step"\]$/)
})

t.test('names of several grids, and all columns, are the 400 that names dimensions', async (t) => {
  for (const query of [
    { from: FROM, select: ['JULD', 'TEMP'] },
    { from: FROM, select: ['TEMP', 'JULD'] },
    { from: FROM, select: ['JULD'], filters: [{ column: 'CYCLE', min: 0 }] },
    { from: 'tracks', select: ['JULD', 'TEMP'] },
    `SELECT JULD, TEMP FROM ${READ}`,
    `SELECT JULD + TEMP FROM ${READ}`,
    `SELECT *, JULD FROM ${READ}`,
    `SELECT * FROM ${READ} WHERE juld > 0`,
    `SELECT * FROM ${READ} WHERE abs(juld) > 0`,
    `SELECT JULD FROM ${READ} ORDER BY TEMP`,
    `SELECT JULD, STEP FROM ${READ}`,
    `SELECT JULD FROM read_netcdf('t/*.nc', ['cycle'])`,
    { from: { netcdf: { paths: ['t/*.nc'], dimensions: ['cycle'] } }, select: ['JULD'] },
  ]) {
    const answer = String(await ask(query))
    t.match(answer, /JULD|juld/i, JSON.stringify(query))
    t.match(answer, /dimensions|no column/, JSON.stringify(query))
  }
})

t.test('a dimension that one file lacks, and columns that are declared', async (t) => {
  t.match(await ask("SELECT JULD FROM read_netcdf('one/*.nc')"), /"JULD" has the dimensions \(point\)/)
  t.match(
    await ask({ from: { netcdf: { paths: ['one/*.nc'] } }, select: ['JULD'] }),
    /"JULD" has the dimensions \(point\)/,
  )
  t.match(await ask('SELECT JULD FROM declared'), /JULD/)
  t.match(await ask({ from: 'declared', select: ['JULD'] }), /no column "JULD"/)
})

t.test('all columns are those of the contract', async (t) => {
  const all = await ask(`SELECT * FROM ${READ}`)
  t.notMatch(all[0], /"JULD"|,JULD,/)
  t.equal(await noticeOf(`SELECT * FROM ${READ}`), null)
})

t.test('aggregates over fewer dimensions than the grid', async (t) => {
  const read = "read_netcdf('grid.nc')"
  for (const [query, notice] of [
    [
      `SELECT avg(lat) FROM ${read}`,
      'avg(lat) is over the 4 rows of (lat), not over the grid (time, lat, lon)',
    ],
    [
      `SELECT avg(LAT) AS a FROM grids`,
      'avg(lat) is over the 4 rows of (lat), not over the grid (time, lat, lon)',
    ],
    [
      `SELECT count(*), max(time) FROM ${read}`,
      'count(*), max(time) are over the 3 rows of (time), not over the grid (time, lat, lon)',
    ],
    [
      `SELECT count(*) FROM ${read} WHERE lat > 1`,
      'count(*) is over the 4 rows of (lat), not over the grid (time, lat, lon)',
    ],
    [
      `SELECT lat, sum(lon) FROM ${read} GROUP BY lat`,
      'sum(lon) is over the 20 rows of (lon, lat), not over the grid (time, lat, lon)',
    ],
    [
      `SELECT avg(lat + 0) FROM ${read}`,
      'avg(lat + Float64(0)) is over the 4 rows of (lat), not over the grid (time, lat, lon)',
    ],
    [
      `SELECT sum(abs(lat)) + 1 FROM grids`,
      'sum(abs(lat)) is over the 4 rows of (lat), not over the grid (time, lat, lon)',
    ],
    [`SELECT count(*) FROM ${read}`, null],
    [`SELECT avg(sst), avg(lat) FROM ${read}`, null],
    [`SELECT avg(sst + lat) FROM ${read}`, null],
    [`SELECT lat FROM ${read}`, null],
    [`SELECT DISTINCT lat FROM ${read}`, null],
    [`SELECT lat + 1 FROM ${read}`, null],
    [`SELECT count(*) + 0 FROM ${read}`, null],
  ] as const)
    for (const time of ['first', 'second', 'third'])
      t.equal(await noticeOf(query), notice, `${query} ${time}`)
  const distinct = { from: { netcdf: { paths: ['grid.nc'] } }, distinct: { on: ['lat'], select: ['lat'] } }
  t.equal(await noticeOf(distinct), null)
})
