import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { runPython, skipWithout } from '../../../support/python.ts'
import { untilSettled } from '../../../support/settled.ts'
import { startTestService } from '../../service.ts'

const service = await startTestService(t, { workers: 2 })
const { query, datasets } = service

/**
 * Compares a compressed file with the same answer as it is stored without: the filters of each variable, all values and attributes in
 * netCDF4, and the values in h5py, which then lengthens the file where it may and writes to it. Prints what differs.
 */
const COMPARE = `
import sys, json, shutil, numpy as np, netCDF4, h5py
plain, compressed, level = sys.argv[1], sys.argv[2], int(sys.argv[3])
faults = []
with netCDF4.Dataset(plain) as a, netCDF4.Dataset(compressed) as b:
    a.set_auto_maskandscale(False); b.set_auto_maskandscale(False)
    if {n: (len(d), d.isunlimited()) for n, d in a.dimensions.items()} != {n: (len(d), d.isunlimited()) for n, d in b.dimensions.items()}:
        faults.append('dimensions')
    if list(a.variables) != list(b.variables): faults.append('variables')
    for name, one in a.variables.items():
        two = b.variables[name]
        if one.dimensions != two.dimensions or one.dtype != two.dtype: faults.append(f'{name}: type')
        if not np.array_equal(one[...], two[...], equal_nan=one.dtype != str and one.dtype.kind == 'f'): faults.append(f'{name}: values')
        if {k: str(one.getncattr(k)) for k in one.ncattrs()} != {k: str(two.getncattr(k)) for k in two.ncattrs()}: faults.append(f'{name}: attributes')
        filters = two.filters()
        wanted = level > 0 and two.dtype != str and name not in b.dimensions
        if (filters['shuffle'], filters['zlib'], filters['complevel']) != (wanted, wanted, level if wanted else 0): faults.append(f'{name}: {filters}')
shutil.copy(compressed, compressed + '.h5')
with h5py.File(plain) as a, h5py.File(compressed + '.h5', 'r+') as b:
    for name, one in a.items():
        two = b[name]
        if one.shape != two.shape or one.maxshape != two.maxshape: faults.append(f'{name}: h5py shape {one.shape} {two.shape} {one.maxshape} {two.maxshape}')
        if one.shape and not np.array_equal(one[...], two[...], equal_nan=one.dtype.kind == 'f'): faults.append(f'{name}: h5py values')
        two.attrs['note'] = 'x' * 300
        if two.maxshape and two.maxshape[0] is None and two.shape[0] > 0:
            two.resize(two.shape[0] + 1, axis=0)
            two[-1] = two[0]
with h5py.File(plain) as a, h5py.File(compressed + '.h5') as b:
    for name, one in a.items():
        rows = one.shape[0]
        if not np.array_equal(one[...], b[name][:rows], equal_nan=one.dtype.kind == 'f'): faults.append(f'{name}: after writing')
        if b[name].attrs['note'] != 'x' * 300: faults.append(f'{name}: note')
print(json.dumps(faults))
`

/** Columns of each type. */
const TYPES = `(i % 100)::TINYINT AS i8, (i % 30000)::SMALLINT AS i16, (i * 7)::INTEGER AS i32, i * 123456789 AS i64, (i % 200)::UTINYINT AS u8,
  (i % 60000)::USMALLINT AS u16, (i * 5)::UINTEGER AS u32, (i * 3)::UBIGINT AS u64, CASE WHEN i % 11 <> 0 THEN (i / 3)::FLOAT END AS f32,
  sin(i / 100.0) AS f64, 'text ' || i % 9 AS s, TIMESTAMP '2024-01-01' + to_seconds(i) AS t`

let count = 0
async function write(body: object): Promise<string> {
  const response = await query(body)
  const bytes = Buffer.from(await response.arrayBuffer())
  if (response.status !== 200) throw new Error(bytes.toString())
  const path = join(datasets, `compressed-${count++}.nc`)
  writeFileSync(path, bytes)
  return path
}

t.test('compressed answers', { skip: skipWithout('xarray, netCDF4, h5py') }, async (t) => {
  async function check(sql: string, format: string, options: object, level: number): Promise<string> {
    const [plain, compressed, again] = [
      await write({ sql, output: { format: { [format]: options } } }),
      await write({ sql, output: { format: { [format]: { ...options, compression: level } } } }),
      await write({ sql, output: { format: { [format]: { ...options, compression: level } } } }),
    ]
    const faults = JSON.parse(await runPython(COMPARE, [plain, compressed, String(level)]))
    t.same(faults, [], `${format} ${level} ${JSON.stringify(options)} ${sql.slice(-40)}`)
    t.ok(readFileSync(compressed).equals(readFileSync(again)), 'equal rows are equal bytes')
    return compressed
  }

  t.test('flat, of any number of rows', async () => {
    for (const [rows, level] of [
      [0, 4],
      [1, 1],
      [5, 9],
      [131_073, 4],
      [300_000, 1],
    ] as const)
      await check(`SELECT ${TYPES} FROM range(${rows}) AS r(i)`, 'netcdf', {}, level)
  })

  t.test('grids whose chunks end beyond them', async () => {
    const values =
      '(i % 100)::TINYINT AS i8, (i % 30000)::SMALLINT AS i16, (i / 3)::FLOAT AS f32, i * 1000003 AS i64'
    const axes = (...lengths: number[]) =>
      lengths.map(
        (length, axis) =>
          `i // ${lengths.slice(axis + 1).reduce((a, b) => a * b, 1)} % ${length} AS ${'xyzw'[axis]}`,
      )
    for (const lengths of [[300_001], [401, 700], [3, 57, 2003], [2, 3, 5, 11_003]]) {
      const rows = lengths.reduce((a, b) => a * b, 1)
      const sql = `SELECT ${axes(...lengths)}, ${values} FROM range(${rows}) AS r(i) WHERE i % 10 <> 3`
      await check(sql, 'nd_netcdf', { dimension_columns: [...'xyzw'].slice(0, lengths.length) }, 4)
    }
    await check(`SELECT 1 AS x, 2 AS v LIMIT 0`, 'nd_netcdf', { dimension_columns: ['x'] }, 4)
  })

  t.test('of variables with many and long attributes, which the service reads as well', async (t) => {
    mkdirSync(join(datasets, 'in'), { recursive: true })
    await runPython(
      `
import sys, numpy as np, xarray as xr
attributes = {f'a{i}': 'x' * (i * 300) for i in range(30)}
v = ('x', np.arange(1000.0)/7, attributes)
xr.Dataset({'v': v, 'few': ('x', np.arange(1000, dtype='i2'), {'a': 1.0, 'b': 'y'})}, {'x': np.arange(1000)}).to_netcdf(sys.argv[1])`,
      [join(datasets, 'in/many.nc')],
    )
    await untilSettled(join(datasets, 'in'))
    const path = await check("SELECT * FROM read_netcdf('in/many.nc')", 'netcdf', {}, 5)
    await check("SELECT * FROM read_netcdf('in/many.nc')", 'nd_netcdf', { dimension_columns: ['x'] }, 5)
    await untilSettled(path)
    const name = path.split('/').at(-1)
    const response = await query({
      sql: `SELECT count(*) AS n, sum(v) AS v, sum(few) AS few FROM read_netcdf('${name}')`,
      output: { format: 'ndjson' },
    })
    t.match(await response.json(), { n: 1000, few: 499_500 })
  })
})
