import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parseTypeName } from '../../../src/plan/types/parse-type-name.ts'
import type { DataType } from '../../../src/plan/types/schema.ts'
import { runPython, skipWithout } from '../../support/python.ts'
import { runTool, skipWithoutTool } from '../../support/tools.ts'
import { type Given, writeGrid } from './write-grid.ts'

const i8: DataType = { kind: 'int', bits: 8, signed: true }
const i16: DataType = { kind: 'int', bits: 16, signed: true }
const f32: DataType = { kind: 'float', bits: 32 }
const f64: DataType = { kind: 'float', bits: 64 }
const bool: DataType = { kind: 'bool' }
const day: DataType = { kind: 'date', unit: 'day' }
const ns: DataType = { kind: 'timestamp', unit: 'nanosecond', zone: 'UTC' }

const HOUR = 3_600_000_000_000

/** The fifth row has no time. The first and the last row are in one cell. */
const ROWS: readonly Given[] = [
  ['time', ns, [HOUR, 0, HOUR, 0, null, 0, HOUR]],
  ['latitude', f32, [10.5, -1, -1, 10.5, 1, 10.5, 10.5]],
  ['n', i16, [3, 1, null, 4, 5, null, 6]],
  ['dense', f64, [1, 2, 3, 4, 5, 6, 7]],
  ['is_good', bool, [true, false, null, true, null, null, null]],
  ['seen', day, [1, 2, 3, 4, 5, 6, 7]],
]

t.test('as ncdump prints it', { skip: skipWithoutTool('ncdump') }, async (t) => {
  const path = join(t.testdir(), 'grid.nc')
  await writeGrid(path, 2, ROWS)
  t.equal(await runTool('ncdump', [path]), PRINTED)
})

t.test('equal rows give equal bytes, however they are cut into parts', async (t) => {
  const folder = t.testdir()
  const files = [1, 3, 100].map((partRows) => ({ partRows, path: join(folder, `${partRows}.nc`) }))
  for (const { partRows, path } of files) await writeGrid(path, 2, ROWS, { partRows })
  const [first, ...others] = files.map(({ path }) => readFileSync(path))
  for (const other of others) t.ok(first?.equals(other))
})

t.test(
  'as xarray and cdo read it',
  { skip: skipWithout('netCDF4, xarray') || skipWithoutTool('cdo') },
  async (t) => {
    const path = join(t.testdir(), 'grid.nc')
    const cells = Array.from({ length: 24 }, (_, cell) => cell).filter((cell) => cell % 5 !== 2)
    const of = (value: (cell: number) => number) => cells.map(value).reverse()
    await writeGrid(path, 3, [
      ['time', ns, of((cell) => Math.floor(cell / 12) * 24 * HOUR)],
      ['lat', f64, of((cell) => 40 + (Math.floor(cell / 4) % 3))],
      ['lon', f32, of((cell) => 2 * (cell % 4))],
      ['sst', f32, of((cell) => cell)],
    ])
    const program = `
import sys, json, xarray
data = xarray.open_dataset(sys.argv[1])
print(json.dumps([
  [str(v)[:19] for v in data.time.values], data.lat.values.tolist(), data.lon.values.tolist(),
  data.sst.dims, data.sst.fillna(-1).values.ravel().tolist(),
]))`
    t.same(JSON.parse(await runPython(program, [path])), [
      ['1970-01-01T00:00:00', '1970-01-02T00:00:00'],
      [40, 41, 42],
      [0, 2, 4, 6],
      ['time', 'lat', 'lon'],
      Array.from({ length: 24 }, (_, cell) => (cell % 5 === 2 ? -1 : cell)),
    ])
    const info = await runTool('cdo', ['-s', 'sinfon', path])
    t.match(info, /lonlat\s*: points=12 \(4x3\)/)
    t.match(info, /1970-01-02 00:00:00/)
  },
)

t.test('without rows, without values, and with one row', { skip: skipWithoutTool('ncdump') }, async (t) => {
  const folder = t.testdir()
  const print = async (name: string, dimensions: number, given: readonly Given[]): Promise<string> => {
    const path = join(folder, name)
    await writeGrid(path, dimensions, given)
    return (await runTool('ncdump', [path])).replaceAll(/\s+/g, ' ')
  }
  const none = await print('none', 2, [
    ['x', f32, []],
    ['y', i8, []],
    ['v', f64, []],
  ])
  t.match(none, 'x = UNLIMITED ; // (0 currently) y = UNLIMITED ; // (0 currently)')
  t.match(none, 'double v(x, y) ;')
  const nulls = await print('nulls', 1, [
    ['x', i16, [2, null, 1]],
    ['v', i8, [null, 1, null]],
    ['w', ns, [null, 1, null]],
  ])
  t.match(nulls, 'x = 1, 2 ; v = _, _ ; w = _, _ ;')
  t.match(nulls, 'units = "days since 1970-01-01T00:00:00Z"')
  const one = await print('one', 2, [
    ['x', bool, [true]],
    ['y', ns, [1_001_000]],
  ])
  t.match(one, 'x = 1 ; y = 1001 ;')
  t.match(one, 'microseconds since')
})

t.test('the value that would mark empty cells', { skip: skipWithoutTool('ncdump') }, async (t) => {
  const path = join(t.testdir(), 'grid.nc')
  await writeGrid(path, 1, [
    ['x', i8, [2, 1]],
    ['v', i8, [127, 1]],
  ])
  t.match(
    (await runTool('ncdump', [path])).replaceAll(/\s+/g, ' '),
    'byte v(x) ; data: x = 1, 2 ; v = 1, 127 ;',
  )
  const holes: readonly Given[] = [
    ['x', i8, [2, 1]],
    ['v', i8, [127, null]],
  ]
  await t.rejects(writeGrid(path, 1, holes), { code: 'type_mismatch', message: /"v".*greatest value.*byte/ })
})

t.test('a grid that is larger than it may be', async (t) => {
  const path = join(t.testdir(), 'grid.nc')
  const values = Array.from({ length: 100 }, (_, i) => i)
  const rows: readonly Given[] = [
    ['x', i8, values],
    ['y', i8, values],
    ['v', f64, values],
  ]
  await writeGrid(path, 2, rows, { maximumBytes: 80_000 })
  const early = writeGrid(path, 2, rows, { maximumBytes: 79_999, partRows: 10 })
  const message = /at least 100 values of "x" times 100 values of "y".*SERVICE_MAX_GRID_BYTES/
  await t.rejects(early, { code: 'output_too_large', message })
})

t.test('each type that the page says it has', { skip: skipWithoutTool('ncdump') }, async (t) => {
  const [head = [], , ...rows] = readFileSync('docs/reference/file-types.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '))
  const at = head.indexOf('nd_netcdf')
  const types = rows.flatMap(([name = '', ...cells]) => {
    const [type, cell] = [parseTypeName(name), cells[at - 1]]
    return type === null || cell === undefined ? [] : [{ name, type, cell }]
  })
  t.ok(types.length > 40)
  const written = types.filter(({ cell }) => cell !== '400')
  const path = join(t.testdir(), 'types.nc')
  const columns = written.map(({ type }, i): Given => [`v${i}`, type, [type.kind === 'bool' ? true : 1]])
  // Each of them is a variable of the one file, and a dimension of the other.
  await writeGrid(path, 1, [['x', i8, [1]], ...columns])
  const variables = await runTool('ncdump', [path])
  await writeGrid(path, columns.length, columns)
  const dimensions = await runTool('ncdump', [path])
  for (const [i, { name, cell }] of written.entries()) {
    t.ok(variables.includes(`\t${cell} v${i}(x) ;`), name)
    t.match(variables, new RegExp(`^ v${i} = 1 ;`, 'm'), name)
    t.ok(dimensions.includes(`\t${cell} v${i}(v${i}) ;`), name)
  }
})

t.test('a full disk is heard', async (t) => {
  const folder = t.testdir()
  const full = { code: 'disk_full' }
  await t.rejects(writeGrid(join(folder, 'a.nc'), 2, ROWS, { spoolPath: '/dev/full' }), full)
  await t.rejects(writeGrid('/dev/full', 2, ROWS, { spoolPath: join(folder, 'spool') }), full)
})

const PRINTED = `netcdf grid {
dimensions:
	time = 2 ;
	latitude = 2 ;
variables:
	int64 time(time) ;
		time:calendar = "gregorian" ;
		time:standard_name = "time" ;
		time:units = "hours since 1970-01-01T00:00:00Z" ;
	float latitude(latitude) ;
		latitude:standard_name = "latitude" ;
		latitude:units = "degrees_north" ;
	short n(time, latitude) ;
		n:_FillValue = 32767s ;
	double dense(time, latitude) ;
	ubyte is_good(time, latitude) ;
		is_good:_FillValue = 255UB ;
	int seen(time, latitude) ;
		seen:calendar = "gregorian" ;
		seen:standard_name = "time" ;
		seen:units = "days since 1970-01-01T00:00:00Z" ;
data:

 time = 0, 1 ;

 latitude = -1, 10.5 ;

 n =
  1, 4,
  _, 6 ;

 dense =
  2, 6,
  3, 7 ;

 is_good =
  0, 1,
  _, 1 ;

 seen =
  2, 6,
  3, 7 ;
}
`
