import { cpSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { untilSettled } from '../../support/settled.ts'
import { answersOf } from '../answers.ts'
import { startTestService } from '../service.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const FIXTURES = join(ROOT, 'test', 'fixtures')

const service = await startTestService(t)
cpSync(join(ROOT, 'src', 'sample', 'sst.nc'), join(service.datasets, 'sst.nc'))
for (const path of [
  'hdf5/compound.h5',
  'hdf5/types.h5',
  'netcdf/ragged-profiles-cdf1.nc',
  'netcdf/axes-cdf1.nc',
  'zarr/groups.zarr',
])
  cpSync(join(FIXTURES, path), join(service.datasets, path), { recursive: true })
cpSync(join(FIXTURES, 'hdf5', 'kinds-v200.h5'), join(service.datasets, 'kinds.h5'))
await untilSettled(service.datasets)
const { rowsOf, scalarOf, failure } = answersOf(service)

t.test('a row for each variable, with types of its own', async (t) => {
  const [row] = await rowsOf({ sql: "SELECT * FROM read_netcdf_variables('sst.nc') WHERE name = 'sst'" })
  t.same(row, {
    path: 'sst.nc',
    group_path: '/',
    name: 'sst',
    type: 'int16',
    dimensions: '["time","lat","lon"]',
    shape: '[12,36,42]',
    chunks: '[4,18,21]',
    filters: '[{"name":"shuffle","parameters":[2]},{"name":"deflate","parameters":[9]}]',
    units: 'degree_Celsius',
    long_name: 'temperature of the sea surface',
    standard_name: 'sea_surface_temperature',
    attributes:
      '{"_FillValue":-32768,"standard_name":"sea_surface_temperature","long_name":"temperature of the sea surface","units":"degree_Celsius","scale_factor":0.01,"add_offset":0}',
    is_in_grid: true,
    column_name: 'sst',
    column_type: 'Float64',
    note: null,
  })
  const described = await rowsOf({ sql: "DESCRIBE SELECT * FROM read_zarr_variables('zarr/groups.zarr')" })
  t.same(
    described.map((each) => [each['column_name'], each['data_type']]),
    Object.keys(row ?? {}).map((name) => [name, name === 'is_in_grid' ? 'Boolean' : 'Utf8']),
  )
})

t.test('they are those of /api/dataset-structure, in its order', async (t) => {
  for (const [path, format] of [
    ['sst.nc', 'netcdf'],
    ['netcdf/ragged-profiles-cdf1.nc', 'netcdf'],
    ['hdf5/compound.h5', 'hdf5'],
    ['hdf5/types.h5', 'hdf5'],
    ['kinds.h5', 'hdf5'],
    ['zarr/groups.zarr', 'zarr'],
  ] as const) {
    const response = await fetch(`${service.url}/api/dataset-structure?file=${path}`)
    const { variables } = (await response.json()) as {
      readonly variables: readonly Readonly<Record<string, unknown>>[]
    }
    const rows = await rowsOf({ sql: `SELECT * FROM read_${format}_variables('${path}')` })
    t.same(
      rows.map((row) => [
        row['group_path'],
        row['name'],
        row['type'],
        row['column_name'],
        row['column_type'],
      ]),
      variables.map((each) => [
        each['group'],
        each['name'],
        each['type'],
        each['column'],
        each['column_type'],
      ]),
      path,
    )
    for (const name of ['dimensions', 'shape', 'chunks', 'filters'])
      t.same(
        rows.map((row) => JSON.parse(String(row[name]))),
        variables.map((each) => each[name]),
        `${path} ${name}`,
      )
  }
})

t.test('they are filtered, sorted, counted and joined as any rows', async (t) => {
  const names = await rowsOf({
    sql: "SELECT name FROM read_netcdf_variables('sst.nc') WHERE units LIKE 'degree%' ORDER BY name DESC LIMIT 2",
  })
  t.same(names, [{ name: 'sst' }, { name: 'lon' }])
  const columns = await rowsOf({
    sql: `SELECT v.name, s.data_type FROM read_netcdf_variables('sst.nc') v
      JOIN read_netcdf_schema('sst.nc') s ON s.column_name = v.column_name ORDER BY v.name`,
  })
  t.same(columns, [
    { name: 'lat', data_type: 'Float32' },
    { name: 'lon', data_type: 'Float32' },
    { name: 'sst', data_type: 'Float64' },
    { name: 'time', data_type: 'Timestamp(ns)' },
  ])
})

t.test('a pattern and a list name several files, each with its rows', async (t) => {
  const counts = await rowsOf({
    sql: "SELECT path, count(*) > 0 AS some FROM read_hdf5_variables('hdf5/*.h5') GROUP BY path ORDER BY path",
  })
  t.same(counts, [
    { path: 'hdf5/compound.h5', some: true },
    { path: 'hdf5/types.h5', some: true },
  ])
  t.equal(
    await scalarOf(
      "SELECT count(DISTINCT path) FROM read_netcdf_variables(['sst.nc', 'netcdf/axes-cdf1.nc', 'hdf5/types.h5'])",
    ),
    3,
  )
})

t.test('arguments are those of the function that reads rows', async (t) => {
  const inGrid = (more: string): Promise<unknown> =>
    scalarOf(
      `SELECT string_agg(name ORDER BY name) FROM read_netcdf_variables('sst.nc'${more}) WHERE is_in_grid`,
    )
  t.equal(await inGrid(''), 'lat,lon,sst,time')
  t.equal(await inGrid(", ['lat']"), 'lat')
  t.match(
    await failure({ sql: "FROM read_netcdf_variables('sst.nc', depth = 1)" }),
    /read_netcdf_variables has no depth\. It is read_netcdf_variables\(paths, dimensions = NULL/,
  )
})

t.test('what cannot be read is a 400 that says where and why', async (t) => {
  for (const [sql, why] of [
    ["FROM read_netcdf_variables('nowhere.nc')", /line 1, column 28: No file matched "nowhere\.nc"/],
    ["FROM read_netcdf_variables(['sst.nc', '../x'])", /"\.\.\/x" has a `\.\.` part/],
    ["FROM read_hdf5_variables('netcdf/axes-cdf1.nc')", /holds NetCDF, and was read as HDF5/],
    ["FROM read_zarr_variables('sst.nc')", /No Zarr v3 metadata/],
    ["FROM read_parquet_variables('x.parquet')", /"read_parquet_variables" is not available/],
    ['FROM read_netcdf_variables()', /read_netcdf_variables/],
  ] as const)
    t.match(await failure({ sql }), why, sql)
})

t.test('ragged rows lie along each dimension of observations', async (t) => {
  const response = await fetch(`${service.url}/api/dataset-structure?file=netcdf/ragged-profiles-cdf1.nc`)
  const structure = (await response.json()) as {
    readonly grids: unknown
    readonly dimensions: readonly { readonly name: string; readonly is_in_grid: boolean }[]
  }
  t.same(structure.grids, [{ group: '/', dimensions: ['Salinity_obs, Temperature_obs, z_obs'] }])
  t.same(
    structure.dimensions.filter((each) => each.is_in_grid).map(({ name }) => name),
    ['z_obs', 'Temperature_obs', 'Salinity_obs'],
  )
})
