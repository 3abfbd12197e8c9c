/** Coordinates, which many rows share, nulls and NaNs among them: DuckDB gets each value once, and has the rows of the core. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { type ClassicAttribute, type ClassicVariable, writeClassic } from '../../netcdf/write-classic.ts'
import { answersOf } from '../answers.ts'
import { startTestService } from '../service.ts'

const [CHAR, SHORT, FLOAT, DOUBLE] = [2, 3, 5, 6]
const SIZES = [30, 7, 5, 9] as const
const [TIME, LAT, LON, WIDTH] = [0, 1, 2, 3]

const text = (name: string, value: string): ClassicAttribute => ({
  name,
  type: CHAR,
  bytes: Buffer.from(value),
})
const doubles = (values: readonly number[]) => Buffer.from(Float64Array.from(values).buffer).swap64()
const shorts = (values: readonly number[]) => Buffer.from(Int16Array.from(values).buffer).swap16()
const upTo = (size: number) => Array.from({ length: size }, (_, index) => index)

const variables: readonly ClassicVariable[] = [
  {
    name: 'time',
    dimensions: [TIME],
    type: DOUBLE,
    attributes: [text('units', 'hours since 2000-01-01 00:30'), text('calendar', 'noleap')],
    bytes: doubles(upTo(30).map((index) => (index === 3 ? Number.NaN : index * 700.25))),
  },
  {
    name: 'lat',
    dimensions: [LAT],
    type: DOUBLE,
    attributes: [{ name: '_FillValue', type: DOUBLE, bytes: doubles([-999]) }],
    bytes: doubles([-60, -999, 0, Number.NaN, 30, 30, -0]),
  },
  {
    name: 'lon',
    dimensions: [LON],
    type: SHORT,
    attributes: [
      { name: 'scale_factor', type: DOUBLE, bytes: doubles([0.5]) },
      { name: 'missing_value', type: SHORT, bytes: shorts([9]) },
    ],
    bytes: shorts([0, 9, 2, 9, 4]),
  },
  { name: 'level', dimensions: [LAT, LON], type: SHORT, attributes: [], bytes: shorts(upTo(35)) },
  {
    name: 'name',
    dimensions: [LAT, WIDTH],
    type: CHAR,
    attributes: [],
    bytes: Buffer.from('north\0\0\0\0south    east\0\0\0\0\0'.padEnd(63, ' ')),
  },
  {
    name: 'v',
    dimensions: [TIME, LAT, LON],
    type: FLOAT,
    attributes: [],
    bytes: Buffer.from(Float32Array.from(upTo(30 * 35)).buffer).swap32(),
  },
]

const service = await startTestService(t)
const { rowsOf } = answersOf(service)
const names = ['time', 'lat', 'lon', 'strlen']
const dimensions = names.map((name, index) => ({ name, size: SIZES[index] ?? 0 }))
writeFileSync(
  join(service.datasets, 'shared.nc'),
  writeClassic({ version: 1, records: 0, attributes: [], dimensions, variables }),
)
const COLUMNS = 'time, lat, lon, level, name, v'

t.test('rows', async (t) => {
  const onCore = await rowsOf({ sql: `SELECT ${COLUMNS} FROM read_netcdf('shared.nc')` })
  const inDuckDb = await rowsOf({ sql: `SELECT ${COLUMNS}, chr(65) AS a FROM read_netcdf('shared.nc')` })
  t.equal(onCore.length, 30 * 35)
  t.same(
    inDuckDb,
    onCore.map((row) => ({ ...row, a: 'A' })),
  )
  const [first] = onCore
  t.match(first, { time: /^2000-01-01T00:30:00/, lat: -60, lon: 0, level: 0, name: 'north', v: 0 })
  for (const column of ['time', 'lat', 'lon'])
    t.ok(
      onCore.some((row) => row[column] === null),
      `${column} has nulls`,
    )
})

t.test('what is computed of them, and groups', async (t) => {
  for (const key of ['time', 'lat', 'lon', 'level', 'name']) {
    const list = `${key}, count(*) AS n, count(v) AS c, min(v) AS low, max(v) AS high`
    const onCore = await rowsOf({
      sql: `SELECT ${list} FROM read_netcdf('shared.nc') GROUP BY ${key} ORDER BY low`,
    })
    const inDuckDb = await rowsOf({
      sql: `SELECT ${list}, max(abs(v)) > -1 AS a FROM (SELECT * FROM read_netcdf('shared.nc') WHERE v + 0 >= 0) GROUP BY ${key} ORDER BY low`,
    })
    t.same(
      inDuckDb,
      onCore.map((row) => ({ ...row, a: true })),
      key,
    )
  }
})
