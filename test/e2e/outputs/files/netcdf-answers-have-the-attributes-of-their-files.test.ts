import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { runPython, skipWithout } from '../../../support/python.ts'
import { untilSettled } from '../../../support/settled.ts'
import { startTestService } from '../../service.ts'

const service = await startTestService(t, { workers: 2 })
const { query, datasets } = service

/** Writes a grid of packed temperatures, times and dates with xarray, and a second file of other titles and rows. */
const MAKE = `
import sys, numpy as np, xarray as xr
for number, name in enumerate(['a', 'b']):
    sst = np.arange(24, dtype='float32').reshape(2, 3, 4) / 2 + number
    sst[0, 0, 0] = np.nan
    data = xr.Dataset(
        {
            'sst': (('time', 'lat', 'lon'), sst, {'units': 'kelvin', 'long_name': 'température', 'cell_methods': 'time: mean', 'level': np.int16(3)}),
            'ice': (('time', 'lat', 'lon'), np.arange(24, dtype='int32').reshape(2, 3, 4), {'valid_min': np.int32(0), 'units': '1'}),
            'qc': (('time', 'lat', 'lon'), np.arange(24, dtype='int8').reshape(2, 3, 4) % 3, {
                'flag_values': np.array([0, 1, 2], 'int8'), 'flag_meanings': 'good bad missing', 'valid_range': np.array([0, 2], 'int8'),
                'weights': np.array([0.1, 1.5e30], 'float32'), 'exact': np.array([2**60 + 1, -1], 'int64'), 'masks': np.array([1, 65535], 'uint16'),
                'listed': '1, 2'}),
        },
        {
            'time': ('time', np.array(['2024-01-01', '2024-01-02'], 'datetime64[ns]') + np.timedelta64(number * 2, 'D'), {'standard_name': 'time', 'long_name': 'day'}),
            'lat': ('lat', np.array([10.0, 20.0, 30.0]), {'units': 'degrees_north', 'axis': 'Y'}),
            'lon': ('lon', np.array([1.0, 2.0, 3.0, 4.0]), {'units': 'degrees_east'}),
        },
        {'title': f'file {name}', 'Conventions': 'CF-1.8', 'number': np.float32(1.5), 'empty': ''},
    )
    data.to_netcdf(f'{sys.argv[1]}/{name}.nc', encoding={'sst': {'dtype': 'int16', 'scale_factor': 0.5, 'add_offset': 1.0, '_FillValue': -1}})
`

/** Prints what xarray sees of the file, its values as the sum of each variable. */
const SEEN = `
import sys, json, numpy as np, xarray as xr
data = xr.open_dataset(sys.argv[1])
plain = lambda value: [str(value.dtype), *map(str, value)] if isinstance(value, np.ndarray) else value.tolist() if isinstance(value, np.generic) else value
attributes = lambda of: {name: plain(value) for name, value in of.items()}
print(json.dumps({
    'attributes': attributes(data.attrs),
    'dimensions': dict(data.sizes),
    'variables': {name: attributes(each.attrs) for name, each in data.variables.items()},
    'sums': {name: float(each.astype('int64').sum() if each.dtype.kind == 'M' else each.sum()) for name, each in data.variables.items()},
}))
`

interface Seen {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly dimensions: Readonly<Record<string, number>>
  readonly variables: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly sums: Readonly<Record<string, number>>
}

const seen = async (path: string): Promise<Seen> => JSON.parse(await runPython(SEEN, [path]))

/** The attributes that files are stored with, and that the writer makes itself. */
const grid = { format: { nd_netcdf: { dimension_columns: ['time', 'lat', 'lon'] } } }

interface Written {
  readonly seen: Seen
  readonly bytes: number
  readonly notice: string | null
}

let count = 0
async function written(body: object): Promise<Written> {
  const response = await query(body)
  const bytes = Buffer.from(await response.arrayBuffer())
  if (response.status !== 200) throw new Error(bytes.toString())
  const path = join(datasets, `written-${count++}.nc`)
  writeFileSync(path, bytes)
  const notice = [...response.headers].find(([name]) => name.endsWith('notice'))?.[1] ?? null
  return { seen: await seen(path), bytes: bytes.length, notice }
}

t.test('files of arrays', { skip: skipWithout('xarray, netCDF4') }, async (t) => {
  mkdirSync(join(datasets, 'in'), { recursive: true })
  await runPython(MAKE, [join(datasets, 'in')])
  await untilSettled(join(datasets, 'in'))
  const source = await seen(join(datasets, 'in/a.nc'))
  const ALL = "SELECT * FROM read_netcdf('in/a.nc')"

  t.test('all of a grid is written back', async (t) => {
    for (const sql of [ALL, `${ALL} WHERE lat + 1 > 0`]) {
      const { seen, notice } = await written({ sql, output: grid })
      t.same(seen.attributes, source.attributes, sql)
      t.same(seen.variables, source.variables)
      t.same(seen.dimensions, source.dimensions)
      t.same(seen.sums, source.sums)
      t.equal(notice, null)
    }
    const json = {
      from: { netcdf: { paths: ['in/a.nc'] } },
      select: ['time', 'lat', 'lon', 'sst', '.title', 'sst.level'],
    }
    const { seen } = await written({ ...json, output: grid })
    t.same(seen.attributes, { title: 'file a' })
    t.same(seen.variables['sst'], source.variables['sst'])
  })

  t.test('a flat file has the same attributes', async (t) => {
    const { seen } = await written({ sql: ALL, output: { format: 'netcdf' } })
    t.same(seen.attributes, source.attributes)
    t.same(seen.variables, source.variables)
    t.same(seen.dimensions, { obs: 24 })
    t.equal(seen.sums['sst'], source.sums['sst'])
  })

  t.test('columns that are renamed or computed are no attributes of others', async (t) => {
    const sql = `SELECT time, lat, lon, sst AS warmth, sst - 273.15 AS celsius, ".number" AS number, "ice.units" FROM read_netcdf('in/a.nc')`
    const { seen } = await written({ sql, output: grid })
    t.equal(seen.variables['warmth']?.['units'], 'kelvin')
    t.same(seen.variables['celsius'], {})
    t.equal(seen.sums['number'], 24 * 1.5)
    t.same(seen.attributes, { 'ice.units': '1' }, 'of a variable that is not written, under its whole name')
  })

  t.test('of several files, what has several values is left out, with a notice', async (t) => {
    for (const format of [grid, { format: 'netcdf' }]) {
      const { seen, notice } = await written({ sql: "SELECT * FROM read_netcdf('in/*.nc')", output: format })
      t.same(seen.attributes, { Conventions: 'CF-1.8', number: 1.5, empty: '' })
      t.same(seen.variables, source.variables)
      t.match(notice, /left out.*"\.title"/)
      const { seen: one } = await written({
        sql: `SELECT * FROM read_netcdf('in/*.nc') WHERE ".title" = 'file b'`,
        output: format,
      })
      t.equal(one.attributes['title'], 'file b', 'all rows have it')
    }
  })

  t.test('without rows there is no value', async (t) => {
    for (const format of [grid, { format: 'netcdf' }]) {
      const { seen } = await written({ sql: `${ALL} WHERE lat > 100`, output: format })
      t.same(seen.attributes, {})
      t.equal(seen.variables['sst']?.['units'], 'kelvin', 'which the column has')
    }
  })

  t.test('values are compressed as it is asked', async (t) => {
    const sql =
      'SELECT i // 100 AS i, (i % 7)::DOUBLE AS d, i % 3 AS x, i // 3 AS y FROM range(60000) AS r(i)'
    for (const [name, options] of [
      ['netcdf', {}],
      ['nd_netcdf', { dimension_columns: ['x', 'y'] }],
    ] as const) {
      const sizes = []
      for (const compression of [undefined, 0, 1, 9]) {
        const given = compression === undefined ? options : { ...options, compression }
        const { seen, bytes } = await written({ sql, output: { format: { [name]: given } } })
        t.equal(seen.sums['d'], 179_994)
        sizes.push(bytes)
      }
      const [none = 0, zero, least = 0, most = 0] = sizes
      t.equal(zero, none)
      t.ok(least < none / 5 && most <= least, sizes.join())
    }
    for (const compression of [-1, 10, 1.5, '4', true]) {
      const response = await query({ sql, output: { format: { netcdf: { compression } } } })
      t.equal(response.status, 400, String(compression))
      t.match(await response.text(), /output\.format\.netcdf\.compression.* integer from 0 to 9/)
    }
  })

  t.test('flags of bytes without a sign have none either', async (t) => {
    const flags = `
import sys, numpy as np, netCDF4
with netCDF4.Dataset(sys.argv[1], 'w') as file:
    file.createDimension('x', 3)
    variable = file.createVariable('dqf', 'i1', ('x',))
    variable.setncatts({'_Unsigned': 'true', 'flag_values': np.array([0, 1, -1], 'i1'), 'valid_range': np.array([0, -2], 'i1')})
    variable[:] = [0, 1, -1]`
    await runPython(flags, [join(datasets, 'in/flags.nc')])
    await untilSettled(join(datasets, 'in'))
    const { seen } = await written({
      sql: "SELECT dqf FROM read_netcdf('in/flags.nc')",
      output: { format: 'netcdf' },
    })
    t.same(seen.variables['dqf'], {
      flag_values: ['uint8', '0', '1', '255'],
      valid_range: ['uint8', '0', '254'],
    })
    t.equal(seen.sums['dqf'], 256)
  })

  t.test('dates are days', async (t) => {
    const sql = "SELECT d FROM (VALUES (DATE '2024-02-29'), (DATE '1969-12-31'), (NULL)) AS v(d)"
    const { seen } = await written({ sql, output: { format: 'netcdf' } })
    t.same(seen.variables['d'], { standard_name: 'time' })
    const path = `written-${count - 1}.nc`
    await untilSettled(join(datasets, path))
    const rows = await service.query({
      sql: `SELECT d FROM read_netcdf('${path}')`,
      output: { format: 'csv' },
    })
    t.equal(await rows.text(), 'd\n2024-02-29T00:00:00\n1969-12-31T00:00:00\n""\n')
  })
})
