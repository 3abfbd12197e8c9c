/** A sea with land of NaN, in each format: a mean is that of the sea, and what is above a limit is no land. With `nan` NaN is a value. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { SUPER_USER } from '../../http/test-server.ts'
import { runPython, skipWithout } from '../../support/python.ts'
import { writeObjects, zarrObjects } from '../../zarr/write-zarr.ts'
import { answersOf } from '../answers.ts'
import { startTestService, type TestService } from '../service.ts'

const skip = skipWithout('xarray') || skipWithout('netCDF4')

const WRITE = `
import json, sys, numpy, xarray
folder = sys.argv[1]
time, lat, lon = 3, 40, 50
sst = numpy.sin(numpy.arange(time * lat * lon, dtype='f8')).reshape(time, lat, lon).astype('f4') * 20 + 15
sst[:, 5:20, 10:30] = numpy.nan
lats = numpy.linspace(-40, 38, lat)
lats[[3, 7]] = numpy.nan
fill = sst.copy()
fill[:, 30:32, :] = -999
packed = numpy.where(numpy.isnan(sst), 0, numpy.round(sst)).astype('f4')
packed[:, 5:20, 10:30] = numpy.nan
data = xarray.Dataset({
    'sst': (('time', 'lat', 'lon'), sst, {'units': 'degC'}),
    'filled': (('time', 'lat', 'lon'), fill, {'missing_value': numpy.float32(-999)}),
    'packed': (('time', 'lat', 'lon'), packed, {'scale_factor': 0.5, 'add_offset': 1.0}),
    'wide': (('time', 'lat', 'lon'), sst.astype('f8')),
}, {'lat': ('lat', lats), 'depth': ('lon', numpy.arange(lon, dtype='f4'))})
plain = {name: {'_FillValue': None} for name in data.variables}
chunked = {name: {'_FillValue': None, 'chunksizes': (1, 16, 16), 'zlib': True} for name in data.data_vars}
data.to_netcdf(folder + '/classic.nc', format='NETCDF3_64BIT', engine='netcdf4', encoding=plain)
data.to_netcdf(folder + '/contiguous.nc', engine='netcdf4', encoding=plain)
data.to_netcdf(folder + '/chunked.nc', engine='netcdf4', encoding={**plain, **chunked})
with xarray.open_dataset(folder + '/classic.nc') as read:
    sea = read.sst.values.astype('f8')
    found = {
        'mean': numpy.nanmean(sea), 'count': int(numpy.isfinite(sea).sum()), 'above': int((sea > 30).sum()),
        'least': float(numpy.nanmin(read.sst)), 'greatest': float(numpy.nanmax(read.sst)),
        'filled': float(read.filled.mean(dtype='f8')), 'packed': float(read.packed.mean(dtype='f8')), 'wide': float(read.wide.mean()),
        'lats': int(read.lat.notnull().sum()), 'greatest_lat': float(read.lat.max()),
    }
found['values'] = sst.astype('f8').ravel().tolist()
print(json.dumps(found, allow_nan=True).replace('NaN', 'null'))
`

interface Found {
  readonly [name: string]: number
}

const CELLS = 3 * 40 * 50

const SOURCES = {
  classic: "read_netcdf('classic.nc'",
  contiguous: "read_netcdf('contiguous.nc'",
  chunked: "read_netcdf('chunked.nc'",
  hdf5: "read_hdf5('chunked.nc'",
  zarr: "read_zarr('sea.zarr'",
} as const

async function write(service: TestService): Promise<Found> {
  const { values, ...found } = JSON.parse(await runPython(WRITE, [service.datasets])) as Found & {
    values: (number | null)[]
  }
  const numbers = values.map((each) => each ?? Number.NaN)
  const [shape, chunk, dimensions] = [
    [3, 40, 50],
    [1, 16, 16],
    ['time', 'lat', 'lon'],
  ]
  const arrays = [
    { name: 'sst', shape, chunk, dimensions, values: Float32Array.from(numbers) },
    { name: 'wide', shape, chunk, dimensions, values: Float64Array.from(Float32Array.from(numbers)) },
  ]
  writeObjects(join(service.datasets, 'sea.zarr'), zarrObjects(arrays, { version: 3, isCompressed: true }))
  return found as unknown as Found
}

/** A number of 32 bits, which has fewer digits in text. */
const single = (value: unknown): number => Math.fround(Number(value))

const near = (t: Test, got: unknown, wanted: number | undefined, name: string): void => {
  t.ok(
    Math.abs(Number(got) - Number(wanted)) <= 1e-9 * Math.abs(Number(wanted)),
    `${name}: ${got}, ${wanted}`,
  )
}

t.test('a mean over a sea', { skip }, async (t) => {
  const service = await startTestService(t)
  const found = await write(service)
  const { rowsOf } = answersOf(service)
  for (const [name, call] of Object.entries(SOURCES)) {
    // The second time columns are kept. Between them NaN is a value, which must not be kept for the others.
    for (const round of ['first', 'second'])
      for (const more of ['', ', chr(65) AS a']) {
        const engine = more === '' ? 'core' : 'DuckDB'
        const title = `${name}, ${engine}, ${round}`
        const aggregates = `count(*) AS cells, avg(sst) AS mean, count(sst) AS n, min(sst) AS least, max(sst) AS greatest`
        const [row] = await rowsOf({ sql: `SELECT ${aggregates}${more} FROM ${call})` })
        t.same([row?.['cells'], row?.['n']], [CELLS, found['count']], title)
        near(t, row?.['mean'], found['mean'], title)
        t.same(
          [single(row?.['least']), single(row?.['greatest'])],
          [found['least'], found['greatest']],
          title,
        )
        const above = `SELECT count(*) AS n${more} FROM ${call}`
        t.same((await rowsOf({ sql: `${above}) WHERE sst > 30` }))[0]?.['n'], found['above'], title)
        const land = CELLS - Number(found['count'])
        t.same((await rowsOf({ sql: `${above}) WHERE sst IS NULL` }))[0]?.['n'], land, title)
        const [value] = await rowsOf({ sql: `SELECT ${aggregates}${more} FROM ${call}, nan = 'value')` })
        t.same([value?.['n'], value?.['mean'], value?.['greatest']], [CELLS, null, null], `${title}, value`)
        t.same(single(value?.['least']), found['least'])
        const among = Number(found['above']) + land
        t.same((await rowsOf({ sql: `${above}, nan = 'value') WHERE sst > 30` }))[0]?.['n'], among, title)
        const nans = `SELECT count(*) AS n${more} FROM ${call}, nan = 'value') WHERE isnan(sst)`
        t.same((await rowsOf({ sql: nans }))[0]?.['n'], land, title)
      }
    const [, kind = '', path = ''] = /read_(\w+)\('(.*)'/.exec(call) ?? []
    const paths = [path]
    const json = async (options: object): Promise<number> => {
      const filters = [{ column: 'sst', gt: 30 }]
      return (await rowsOf({ select: ['sst'], from: { [kind]: { paths, ...options } }, filters })).length
    }
    const land = CELLS - Number(found['count'])
    t.same(await json({}), found['above'], `${name}, JSON`)
    t.same(await json({ nan: 'value' }), Number(found['above']) + land, `${name}, JSON, value`)
    t.same(await json({ nan: 'null' }), found['above'], `${name}, JSON, null`)
  }
})

t.test('with fill values, packed, and of 64 bits', { skip }, async (t) => {
  const service = await startTestService(t)
  const found = await write(service)
  const { rowsOf } = answersOf(service)
  for (const name of ['classic', 'contiguous', 'chunked', 'hdf5'] as const)
    for (const column of ['filled', 'packed', 'wide']) {
      const sql = `SELECT avg(${column}) AS mean FROM ${SOURCES[name]})`
      near(t, (await rowsOf({ sql }))[0]?.['mean'], found[column], `${name} ${column}`)
    }
})

t.test('what is known of coordinates', { skip }, async (t) => {
  const service = await startTestService(t)
  const found = await write(service)
  const ask = async (of: TestService): Promise<void> => {
    const { rowsOf } = answersOf(of)
    for (const round of ['first', 'second']) {
      const aggregates = 'count(lat) AS n, min(lat) AS least, max(lat) AS greatest'
      const [row] = await rowsOf({ sql: `SELECT ${aggregates} FROM read_netcdf('classic.nc')` })
      t.same(row, { n: found['lats'], least: -40, greatest: found['greatest_lat'] }, round)
      const [value] = await rowsOf({
        sql: `SELECT ${aggregates} FROM read_netcdf('classic.nc', nan = 'value')`,
      })
      t.same(value, { n: 40, least: -40, greatest: null }, round)
      const above = "SELECT count(*) AS n FROM read_netcdf('classic.nc'"
      t.same(await rowsOf({ sql: `${above}) WHERE lat > 37` }), [{ n: 1 }], round)
      t.same(await rowsOf({ sql: `${above}, nan = 'value') WHERE lat > 37` }), [{ n: 3 }], round)
      t.same(await rowsOf({ sql: `${above}) WHERE lat IS NULL` }), [{ n: 2 }], round)
    }
  }
  await ask(service)
  await service.close()
  // What was learned of the file is kept.
  await ask(await startTestService(t, { dataDir: service.dataDir }))
})

t.test('tables, and all of a service', { skip }, async (t) => {
  const service = await startTestService(t)
  const found = await write(service)
  const { rowsOf } = answersOf(service)
  const count = async (from: string, of = rowsOf): Promise<unknown> =>
    (await of({ sql: `SELECT count(sst) AS n FROM ${from}` }))[0]?.['n']
  const command = async (sql: string): Promise<void> => {
    const response = await service.query(
      { sql },
      { headers: { 'content-type': 'application/json', ...SUPER_USER } },
    )
    t.equal(response.status, 200, `${sql}: ${await response.text()}`)
  }
  const create = 'CREATE EXTERNAL TABLE'
  await command(`${create} sea STORED AS NC LOCATION 'classic.nc'`)
  await command(`${create} sea_and_land STORED AS NC LOCATION 'classic.nc' OPTIONS (nan 'value')`)
  await command(`${create} stores STORED AS ZARR LOCATION 'sea.zarr' OPTIONS (nan 'value')`)
  const made = await fetch(`${service.url}/api/admin/external-tables`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...SUPER_USER },
    body: JSON.stringify({
      name: 'by_rest',
      location: 'chunked.nc',
      file_type: 'hdf5',
      options: { nan: 'value' },
    }),
  })
  t.equal(made.status, 200)
  t.equal(await count('sea'), found['count'])
  for (const name of ['sea_and_land', 'stores', 'by_rest']) {
    t.equal(await count(name), CELLS, name)
    const json = { select: ['sst'], from: name, filters: [{ column: 'sst', gt: 30 }] }
    t.equal((await rowsOf(json)).length, Number(found['above']) + CELLS - Number(found['count']), name)
  }
  await service.close()
  const valued = await startTestService(t, {
    dataDir: service.dataDir,
    settings: { SERVICE_ARRAY_NAN: 'value' },
  })
  const { rowsOf: rowsOfValued } = answersOf(valued)
  t.equal(await count('sea', rowsOfValued), CELLS, 'a table without the option')
  for (const name of Object.values(SOURCES)) {
    t.equal(await count(`${name})`, rowsOfValued), CELLS, name)
    t.equal(await count(`${name}, nan = 'null')`, rowsOfValued), found['count'], name)
    t.equal(await count(`${name}, nan = 'value')`, rowsOfValued), CELLS, name)
  }
})

t.test('another word is a 400', async (t) => {
  const { failure } = answersOf(await startTestService(t))
  t.match(
    await failure({ sql: "SELECT 1 FROM read_netcdf('a.nc', nan = 'drop')" }),
    /nan must be 'null' or 'value'/,
  )
  t.match(
    await failure({ select: ['a'], from: { zarr: { paths: ['a.zarr'], nan: 1 } } }),
    /nan must be 'null' or 'value'/,
  )
})
