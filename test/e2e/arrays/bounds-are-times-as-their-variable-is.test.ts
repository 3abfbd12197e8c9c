/** Bounds have the units and the calendar of the variable that names them, unless they have their own, as xarray reads them. */
import t from 'tap'
import { runPython, skipWithout } from '../../support/python.ts'
import { answersOf } from '../answers.ts'
import { startTestService } from '../service.ts'

const skip = skipWithout('xarray') || skipWithout('netCDF4')

const WRITE = `
import json, sys, netCDF4, numpy, xarray
found = {}
for format in ['NETCDF3_CLASSIC', 'NETCDF4']:
    path = f'{sys.argv[1]}/{format}.nc'
    with netCDF4.Dataset(path, 'w', format=format) as data:
        data.createDimension('time', 3)
        data.createDimension('nv', 2)
        def variable(name, type, dimensions, values, **attributes):
            made = data.createVariable(name, type, dimensions)
            made.setncatts(attributes)
            made[:] = values
        middle = numpy.array([15.5, 45, 74.5])
        edges = numpy.array([[0, 31], [31, 59], [59, 90]], 'f8')
        variable('time', 'f8', ('time',), middle, units='days since 2001-01-01', calendar='noleap', bounds='time_bnds')
        variable('time_bnds', 'f8', ('time', 'nv'), edges)
        variable('hours', 'f8', ('time',), middle, units='hours since 1990-01-01 06:00', bounds='hours_bnds')
        variable('hours_bnds', 'i4', ('time', 'nv'), edges)
        variable('own', 'f8', ('time',), middle, units='days since 2001-01-01', bounds='own_bnds')
        variable('own_bnds', 'f8', ('time', 'nv'), edges, units='days since 2002-01-01')
        variable('depth', 'f4', ('time',), middle, units='m', bounds='depth_bnds')
        variable('depth_bnds', 'f4', ('time', 'nv'), edges)
        variable('lost', 'f4', ('time',), middle, units='days since 2001-01-01', bounds='nobody')
    with xarray.open_dataset(path) as data:
        found[format] = {name: [str(each).replace(' ', 'T')[:19] if data[name].dtype.kind in 'MO' else float(each) for each in data[name].values.ravel()] for name in data.variables if 'bnds' in name}
print(json.dumps(found))
`

t.test('bounds of times are times', { skip }, async (t) => {
  const service = await startTestService(t)
  const { rowsOf } = answersOf(service)
  const found: unknown = JSON.parse(await runPython(WRITE, [service.datasets]))
  for (const [format, columns] of Object.entries(found as Record<string, Record<string, unknown[]>>))
    for (const read of ['read_netcdf', 'read_hdf5']) {
      if (read === 'read_hdf5' && format !== 'NETCDF4') continue
      for (const [name, wanted] of Object.entries(columns)) {
        const rows = await rowsOf({ sql: `SELECT ${name} FROM ${read}('${format}.nc')` })
        const values = rows.map((row) => row[name])
        t.same(
          values.map((each) => (typeof each === 'string' ? each.slice(0, 19) : each)),
          wanted,
          `${read} ${format} ${name}`,
        )
      }
    }
  t.same(
    await rowsOf({
      sql: "SELECT count(*) AS n FROM read_netcdf('NETCDF4.nc') WHERE time_bnds >= TIMESTAMP '2001-03-01'",
    }),
    [{ n: 3 }],
  )
})
