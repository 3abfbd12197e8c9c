/** Packed numbers of each type, with factors and offsets of each precision, against the values that xarray reads, bit by bit. */
import t from 'tap'
import { runPython, skipWithout } from '../../support/python.ts'
import { answersOf } from '../answers.ts'
import { startTestService } from '../service.ts'

const skip = skipWithout('xarray') || skipWithout('netCDF4')

/** Of numbers of 64 bits with two attributes of 32 bits xarray makes 32 bits too, which loses most of their digits: that is not followed. */
const WRITE = `
import json, sys, netCDF4, numpy, xarray
random = numpy.random.default_rng(int(sys.argv[2]))
found = {}
for format in ['NETCDF3_64BIT_OFFSET', 'NETCDF4', 'NETCDF3_64BIT_DATA']:
    path = f'{sys.argv[1]}/{format}.nc'
    with netCDF4.Dataset(path, 'w', format=format) as data:
        data.createDimension('x', 200)
        types = ['i1', 'i2', 'i4', 'f4', 'f8'] + ([] if 'OFFSET' in format else ['u1', 'u2', 'u4', 'i8', 'u8'])
        for stored in types:
            for scale in [None, 'f4', 'f8']:
                for offset in [None, 'f4', 'f8']:
                    if (scale, offset) == (None, None) or (scale, offset) == ('f4', 'f4') and stored in ('f4', 'f8', 'i8', 'u8'): continue
                    chunks = {'chunksizes': (64,), 'zlib': True} if format == 'NETCDF4' and offset is None else {}
                    variable = data.createVariable(f'{stored}_{scale}_{offset}', stored, ('x',), fill_value=7 if scale == 'f4' else None, **chunks)
                    variable.set_auto_maskandscale(False)
                    if scale: variable.scale_factor = numpy.dtype(scale).type(random.choice([0.01, 0.001, 0.1, 1.5, 2e-5]))
                    if offset: variable.add_offset = numpy.dtype(offset).type(random.choice([273.15, 0, -20.1, 25]))
                    if stored[0] == 'f': variable[:] = random.normal(size=200).astype(stored)
                    else:
                        limits = numpy.iinfo(stored)
                        variable[:] = random.integers(limits.min, limits.max, 200, stored, endpoint=True)
                        variable[:3] = numpy.array([0, 7, 100], stored)
        if format == 'NETCDF4':
            hundred = data.createVariable('hundred', 'i2', ('x',))
            hundred.set_auto_maskandscale(False)
            hundred.scale_factor = numpy.float32(0.01)
            hundred[:] = numpy.arange(9900, 10100, dtype='i2')
    with xarray.open_dataset(path) as data:
        found[format] = {name: [None if numpy.isnan(each) else float(each).hex() for each in data[name].values] for name in data.data_vars}
print(json.dumps(found))
`

t.test('each number is that of xarray, widened', { skip }, async (t) => {
  const service = await startTestService(t)
  const { rowsOf, scalarOf } = answersOf(service)
  const seed = process.env['HALOCLINE_SEED'] ?? '1'
  const found: unknown = JSON.parse(await runPython(WRITE, [service.datasets, seed]))
  for (const [format, columns] of Object.entries(found as Record<string, Record<string, string[]>>)) {
    const names = Object.keys(columns)
    for (const more of ['', ', chr(65) AS a']) {
      const rows = await rowsOf({
        sql: `SELECT ${names.map((name) => `"${name}"`).join(', ')}${more} FROM read_netcdf('${format}.nc')`,
      })
      for (const name of names)
        t.same(
          rows.map((row) => row[name]),
          columns[name]?.map((each) => (each === null ? null : numberOf(each))),
          `${format} ${name}${more}`,
        )
    }
  }
  for (const more of ['', ' AND chr(65) = chr(65)']) {
    const count = (condition: string): Promise<unknown> =>
      scalarOf(`SELECT count(*) FROM read_netcdf('NETCDF4.nc') WHERE ${condition}${more}`)
    t.equal(await count('hundred = 100'), 1)
    t.equal(await count('hundred >= 100'), 100)
    t.equal(await count('hundred < 100'), 100)
  }
  const filters = [{ column: 'hundred', eq: 100 }]
  const json = await rowsOf({ select: ['hundred'], from: { netcdf: { paths: ['NETCDF4.nc'] } }, filters })
  t.same(json, [{ hundred: 100 }])
})

/** A number as Python writes it in base 16. */
function numberOf(hex: string): number {
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] =
    /^(-?)0x(\d)(?:\.([0-9a-f]+))?p([+-]\d+)$/.exec(hex) ?? []
  const digits = BigInt(`0x${whole}${fraction}`)
  return (sign === '-' ? -1 : 1) * Number(digits) * 2 ** (Number(exponent) - 4 * fraction.length)
}
