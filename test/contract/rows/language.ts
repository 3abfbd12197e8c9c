import { csv, file, stream, told } from '../expected.ts'
import { admin, query, sql } from '../requests.ts'
import type { Expected } from '../row.ts'
import { type Row, row } from '../row.ts'

/** A JSON query over the table `obs`, as CSV. */
function obs(body: object) {
  return query({ select: ['id'], from: 'obs', ...body, output: { format: 'csv' } })
}

/** The ids of its rows. */
function ids(...numbers: readonly number[]): Expected {
  return csv(['id', ...numbers, ''].join('\n'))
}

const ID_ORDER = { sort_by: [{ Asc: 'id' }] }
const POLYGON = {
  type: 'Polygon',
  coordinates: [
    [
      [10, 50],
      [12, 50],
      [12, 52],
      [10, 52],
      [10, 50],
    ],
  ],
}
const UNION = 'An unknown member of a filter'

/** By its operators, the ids that pass. */
const FILTERS: readonly (readonly [object, readonly number[]])[] = [
  [{ column: 'id', eq: 2 }, [2]],
  [{ column: 'platform', eq: 'A' }, [1, 2]],
  [{ column: 'id', neq: 2 }, [1, 3, 4, 5]],
  [{ column: 'id', not_eq: 2 }, [1, 3, 4, 5]],
  [{ column: 'id', not_equal: 2 }, [1, 3, 4, 5]],
  [{ column: 'id', gt: 4 }, [5]],
  [{ column: 'id', gt_eq: 4 }, [4, 5]],
  [{ column: 'id', min: 4 }, [4, 5]],
  [{ column: 'id', lt: 2 }, [1]],
  [{ column: 'id', lt_eq: 2 }, [1, 2]],
  [{ column: 'id', max: 2 }, [1, 2]],
  [{ column: 'id', gt_eq: 2, lt_eq: 3 }, [2, 3]],
  [{ column: 'id', min: 2, max: 3 }, [2, 3]],
  [{ column: 'id', low: 2, high: 3 }, [2, 3]],
  [{ column: 'id', low: 2, max: 3 }, [2, 3]],
  [{ column: 'id', min: 2, high: 3 }, [2, 3]],
  [{ for_query_parameter: 'id', min: 2, max: 3 }, [2, 3]],
  [{ column: 'id', min: 4, max: null }, [4, 5]],
  [{ column: 'id', min: null, max: 2 }, [1, 2]],
  [{ is_null: { column: 'temperature' } }, [3]],
  [{ is_not_null: { column: 'temperature' } }, [1, 2, 4, 5]],
  [{ skip_fill_values: { column: 'temperature' } }, [1, 2, 4, 5]],
  [{ skip_missing: { column: 'temperature' } }, [1, 2, 4, 5]],
  [{ is_null: { for_query_parameter: 'temperature' } }, [3]],
  [
    {
      and: [
        { column: 'id', gt: 1 },
        { column: 'id', lt: 4 },
      ],
    },
    [2, 3],
  ],
  [
    {
      or: [
        { column: 'id', eq: 1 },
        { column: 'id', eq: 4 },
      ],
    },
    [1, 4],
  ],
  [{ and: [] }, [1, 2, 3, 4, 5]],
  [{ or: [] }, []],
  [
    {
      or: [
        {
          and: [
            { column: 'id', gt: 1 },
            { column: 'id', lt: 3 },
          ],
        },
        { column: 'id', eq: 5 },
      ],
    },
    [2, 5],
  ],
  [{ column: 'temperature', neq: 4.5 }, [1, 2, 5]],
  [{ or: [{ column: 'temperature', neq: 4.5 }, { is_null: { column: 'temperature' } }] }, [1, 2, 3, 5]],
  [{ column: 'time', eq: '2024-01-02T00:00:00' }, [2]],
  [{ column: 'time', gt_eq: '2024-01-04T00:00:00.000' }, [4, 5]],
  [{ column: 'time', min: '2024-01-02T00:00:00', max: '2024-01-03T00:00:00' }, [2, 3]],
  [{ column: 'time', gt: '2024-01-04' }, [5]],
  [{ column: 'time', gt_eq: '2024-01-05 00:00:00' }, [5]],
  [{ column: 'time', gt_eq: '2024-01-05T00:00:00Z' }, [5]],
  [{ column: 'platform', gt: 'B' }, [5]],
  [{ column: 'platform', eq: '2024-01-01T00:00:00' }, []],
  [{ longitude_column: 'longitude', latitude_column: 'latitude', geometry: POLYGON }, [1, 2]],
  [
    { longitude_query_parameter: 'longitude', latitude_query_parameter: 'latitude', geometry: POLYGON },
    [1, 2],
  ],
]

const WRONG_FILTERS: readonly object[] = [
  { column: 'nope', eq: 1 },
  { eq: 1 },
  { column: 'id' },
  { column: 'id', eq: true },
  { column: 'id', eq: [] },
  { column: 'id', eq: {} },
  { column: 'id', gt_eq: 1, min: 1 },
  { column: 'id', lt_eq: 1, max: 1 },
  { column: 'id', min: 1, max: 'x' },
  { column: 'id', eq: 'words' },
  { column: 'time', eq: 'words' },
  { column: 'time', gt: '3000-01-01T00:00:00' },
  { is_null: 'temperature' },
  { is_null: { column: 'nope' } },
  { AND: [] },
  { and: {} },
  { or: 1 },
  { longitude_column: 'longitude', latitude_column: 'latitude', geometry: { type: 'Polygon' } },
  { longitude_column: 'longitude', latitude_column: 'latitude', geometry: 'POINT (1 2)' },
  { longitude_column: 'longitude', geometry: POLYGON },
]

const WRONG_QUERIES: readonly (readonly [string, object, RegExp])[] = [
  ['an unknown member', { select: ['id'], from: 'obs', limmit: 1 }, /limmit/],
  ['SQL beside a member', { sql: 'SELECT 1 AS one', select: ['id'] }, /select|sql/],
  ['SQL beside an unknown one', { sql: 'SELECT 1 AS one', nope: 1 }, /nope/],
  ['SQL that is no text', { sql: 1 }, /sql/],
  ['no select', { from: 'obs' }, /select/],
  ['select that is no array', { select: 'id', from: 'obs' }, /select/],
  ['select without entries', { select: [], from: 'obs' }, /select/],
  ['the star', { select: ['*'], from: 'obs' }, /\*/],
  ['two columns of a name', { select: ['id', 'id'], from: 'obs' }, /id/],
  [
    'two aliases of a name',
    {
      select: [
        { column: 'id', alias: 'a' },
        { column: 'depth', alias: 'a' },
      ],
      from: 'obs',
    },
    /a/,
  ],
  ['a column of another case', { select: ['ID'], from: { csv: { paths: ['obs/a.csv'] } } }, /ID/],
  ['an aggregate', { select: [{ function: 'sum', args: ['id'], alias: 's' }], from: 'obs' }, /sum/],
  ['an unknown function', { select: [{ function: 'nope', args: ['id'], alias: 's' }], from: 'obs' }, /nope/],
  ['a function without args', { select: [{ function: 'abs', alias: 's' }], from: 'obs' }, /args/],
  [
    'two formats',
    { select: ['id'], from: { csv: { paths: ['obs/a.csv'] }, parquet: { paths: ['a'] } } },
    /from/,
  ],
  ['an unknown format', { select: ['id'], from: { excel: { paths: ['a'] } } }, /excel/],
  ['no paths', { select: ['id'], from: { csv: {} } }, /paths/],
  ['paths that are a text', { select: ['id'], from: { csv: { paths: 'obs/a.csv' } } }, /paths/],
  ['paths without one', { select: ['id'], from: { csv: { paths: [] } } }, /paths/],
  ['a scheme', { select: ['id'], from: { csv: { paths: ['s3://a/b.csv'] } } }, /s3/],
  ['a scheme of files', { select: ['id'], from: { csv: { paths: ['file:///etc/passwd'] } } }, /file:/],
  ['..', { select: ['id'], from: { csv: { paths: ['../a.csv'] } } }, /\.\./],
  ['an absolute path', { select: ['id'], from: { csv: { paths: ['/etc/passwd'] } } }, /\/etc\/passwd/],
  ['asc in lower case', { select: ['id'], from: 'obs', sort_by: [{ asc: 'id' }] }, /asc|Asc/],
  ['a direction as text', { select: ['id'], from: 'obs', sort_by: ['id'] }, /sort_by/],
  ['both directions', { select: ['id'], from: 'obs', sort_by: [{ Asc: 'id', Desc: 'id' }] }, /sort_by/],
  ['an unknown column of sort_by', { select: ['id'], from: 'obs', sort_by: [{ Asc: 'nope' }] }, /nope/],
  ['a limit below 0', { select: ['id'], from: 'obs', limit: -1 }, /limit/],
  ['a limit with a fraction', { select: ['id'], from: 'obs', limit: 1.5 }, /limit/],
  ['a limit as text', { select: ['id'], from: 'obs', limit: '1' }, /limit/],
  ['an offset below 0', { select: ['id'], from: 'obs', offset: -1 }, /offset/],
  ['distinct without select', { select: ['id'], from: 'obs', distinct: { on: ['id'] } }, /distinct/],
  ['distinct without on', { select: ['id'], from: 'obs', distinct: { select: ['id'] } }, /distinct/],
  [
    'filters that are an object',
    { select: ['id'], from: 'obs', filters: { column: 'id', eq: 1 } },
    /filters/,
  ],
  ['filter that is an array', { select: ['id'], from: 'obs', filter: [] }, /filter/],
  ['from as a number', { select: ['id'], from: 1 }, /from/],
  [
    'a delimiter of two characters',
    { select: ['a'], from: { csv: { paths: ['semicolons.csv'], delimiter: ';;' } } },
    /delimiter/,
  ],
  ['output without format', { select: ['id'], from: 'obs', output: {} }, /format/],
  ['output as text', { select: ['id'], from: 'obs', output: 'csv' }, /output/],
  ['a format in upper case', { select: ['id'], from: 'obs', output: { format: 'CSV' } }, /CSV/],
  [
    'two formats of output',
    { select: ['id'], from: 'obs', output: { format: { csv: {}, parquet: {} } } },
    /format/,
  ],
  ['odv as text', { select: ['id'], from: 'obs', output: { format: 'odv' } }, /odv/],
  [
    'nd_netcdf without columns',
    { select: ['id'], from: 'obs', output: { format: { nd_netcdf: {} } } },
    /dimension_columns/,
  ],
  [
    'nd_netcdf with a column that is none',
    { select: ['id'], from: 'obs', output: { format: { nd_netcdf: { dimension_columns: ['nope'] } } } },
    /nope/,
  ],
  [
    'nd_netcdf with no column',
    { select: ['id'], from: 'obs', output: { format: { nd_netcdf: { dimension_columns: [] } } } },
    /dimension_columns/,
  ],
  [
    'nd_netcdf of text',
    {
      select: ['id', 'platform'],
      from: 'obs',
      output: { format: { nd_netcdf: { dimension_columns: ['id'] } } },
    },
    /platform/,
  ],
  [
    'geoparquet with a column that is none',
    {
      select: ['longitude', 'latitude'],
      from: 'obs',
      output: { format: { geoparquet: { longitude_column: 'nope', latitude_column: 'latitude' } } },
    },
    /nope/,
  ],
  [
    'geoparquet without coordinates',
    { select: ['id'], from: 'obs', output: { format: 'geoparquet' } },
    /longitude|latitude/,
  ],
]

const ODV = {
  longitude_column: { column_name: 'longitude' },
  latitude_column: { column_name: 'latitude' },
  depth_column: { column_name: 'depth', units: 'm' },
  time_column: { column_name: 'time' },
  key_column: 'platform',
  qf_schema: 'SEADATANET',
  data_columns: [{ column_name: 'temperature', unit: 'degC', comment: 'in situ', significant_digits: 3 }],
  meta_columns: [{ column_name: 'id' }],
}
const { meta_columns, ...OTHER_ODV } = ODV
const ODV_SELECT = ['longitude', 'latitude', 'depth', 'time', 'platform', 'temperature', 'id']
const ZIP = file('application/zip', 'output.zip', 'PK')

/** The language of JSON queries: H 4. */
export const LANGUAGE: readonly Row[] = [
  row(
    'H4.1',
    'query_parameters is select',
    query({ query_parameters: ['id'], from: 'obs' }),
    stream(['id'], { rows: 5 }),
  ),
  row(
    'H4.1',
    'filter and filters hold both',
    obs({ filter: { column: 'id', gt: 1 }, filters: [{ column: 'id', lt: 4 }], ...ID_ORDER }),
    ids(2, 3),
  ),
  row(
    'H4.1',
    'the last of two members counts',
    query('{"select": ["depth"], "select": ["id"], "from": "obs"}'),
    stream(['id'], { rows: 5 }),
  ),
  row(
    'H4.1',
    'extra members in output',
    query({ select: ['id'], from: 'obs', output: { format: 'csv', color: 1 } }),
    told(400, /color/),
    {
      differs: UNION,
    },
  ),
  ...WRONG_QUERIES.map(([what, body, message]) => row('H4.1', what, query(body), told(400, message))),
  row(
    'H4.2',
    'a filter on a column that is not selected',
    obs({ filters: [{ column: 'depth', gt: 50 }], ...ID_ORDER }),
    ids(3, 4, 5),
    { differs: 'A filter on a column that is not selected' },
  ),
  row(
    'H4.2',
    'a filter on an alias',
    query({
      select: [{ column: 'id', alias: 'n' }],
      from: 'obs',
      filters: [{ column: 'n', eq: 2 }],
      output: { format: 'csv' },
    }),
    csv('n\n2\n'),
  ),
  row(
    'H4.2',
    'sort_by a column that is not selected',
    obs({ sort_by: [{ Desc: 'depth' }] }),
    ids(5, 4, 3, 2, 1),
  ),
  row('H4.3', 'no from: the default table', query({ select: ['id'] }), stream(['id'], { rows: 5 }), {
    world: 'obs is the default table',
  }),
  row('H4.3', 'null as from', query({ select: ['id'], from: null }), stream(['id'], { rows: 5 }), {
    world: 'obs is the default table',
  }),
  row(
    'H4.10',
    'a value without from',
    query({ select: [{ value: 1 }] }),
    stream(['Float64(1)'], { rows: 0 }),
  ),
  row(
    'H4.10',
    'a value of an unknown default table',
    query({ select: [{ value: 1 }] }),
    told(400, /nothing/),
    { world: 'no default table' },
  ),
  row(
    'H4.3',
    'a table with its schema',
    query({ select: ['id'], from: 'public.obs' }),
    stream(['id'], { rows: 5 }),
  ),
  row(
    'H4.3',
    'and with its catalog',
    query({ select: ['id'], from: 'service.public.obs' }),
    stream(['id'], { rows: 5 }),
  ),
  row(
    'H4.3',
    'a name in quotes',
    query({ select: ['TEMP'], from: '"MyTable"' }),
    stream(['TEMP'], { rows: 3 }),
  ),
  row('H4.3', 'the exact name', query({ select: ['TEMP'], from: 'MyTable' }), stream(['TEMP'], { rows: 3 })),
  row('H4.3', 'a name of another case', query({ select: ['id'], from: 'OBS' }), stream(['id'], { rows: 5 }), {
    differs: 'Names of tables and views',
  }),
  row(
    'H4.3',
    'CSV with a delimiter',
    query({
      select: ['a', 'b'],
      from: { csv: { paths: ['semicolons.csv'], delimiter: ';' } },
      output: { format: 'csv' },
    }),
    csv('a,b\n1,2\n'),
  ),
  row(
    'H4.3',
    'Parquet',
    query({ select: ['id'], from: { parquet: { paths: ['ctd/*.parquet'] } } }),
    stream(['id'], { rows: 10 }),
  ),
  row(
    'H4.3',
    'Arrow',
    query({ select: ['id'], from: { arrow: { paths: ['feather/a.arrow'] } } }),
    stream(['id'], { rows: 5 }),
  ),
  row(
    'H4.3',
    'NetCDF',
    query({ select: ['id'], from: { netcdf: { paths: ['grid/one.nc'] } } }),
    stream(['id'], { rows: 5 }),
  ),
  row(
    'H4.3',
    'nc is NetCDF',
    query({ select: ['id'], from: { nc: { paths: ['grid/one.nc'] } } }),
    stream(['id'], { rows: 5 }),
  ),
  row(
    'H4.3',
    'hdf5',
    query({ select: ['id'], from: { hdf5: { paths: ['grid/one.nc'] } } }),
    stream(['id'], { rows: 5 }),
  ),
  row(
    'H4.3',
    'geoparquet',
    query({ select: ['id'], from: { geoparquet: { paths: ['ctd/part-0.parquet'] } } }),
    stream(['id'], { rows: 5 }),
    { differs: '`geoparquet`, `hdf5` and `nc` as names of formats' },
  ),
  row(
    'H4.3',
    'a Zarr group',
    query({ select: ['x'], from: { zarr: { paths: ['store.zarr'] } } }),
    stream(['x'], { rows: 2 }),
  ),
  row(
    'H4.3',
    'its zarr.json',
    query({ select: ['x'], from: { zarr: { paths: ['store.zarr/zarr.json'] } } }),
    stream(['x'], { rows: 2 }),
  ),
  row(
    'H4.3',
    'a folder',
    query({ select: ['id'], from: { csv: { paths: ['obs/'] } } }),
    stream(['id'], { rows: 5 }),
  ),
  row(
    'H4.3',
    '* stays in a folder',
    query({ select: ['id'], from: { csv: { paths: ['deep/*.csv'] } } }),
    told(400, /deep\/\*\.csv/),
  ),
  row(
    'H4.3',
    '** does not',
    query({ select: ['id'], from: { csv: { paths: ['deep/**/*.csv'] } } }),
    stream(['id'], { rows: 1 }),
  ),
  row(
    'H4.3',
    '?',
    query({ select: ['id'], from: { csv: { paths: ['obs/?.csv'] } } }),
    stream(['id'], { rows: 5 }),
  ),
  row(
    'H4.3',
    '[…]',
    query({ select: ['id'], from: { csv: { paths: ['obs/[a].csv'] } } }),
    stream(['id'], { rows: 3 }),
  ),
  row(
    'H4.3',
    'several paths',
    query({ select: ['id'], from: { csv: { paths: ['obs/a.csv', 'deep/er/c.csv'] } } }),
    stream(['id'], { rows: 4 }),
  ),
  row(
    'H4.3',
    'a column that one file lacks',
    query({
      select: ['id', 'depth'],
      from: { csv: { paths: ['obs/a.csv', 'deep/er/c.csv'] } },
      filters: [{ is_null: { column: 'depth' } }],
      output: { format: 'csv' },
    }),
    csv('id,depth\n9,\n'),
  ),
  row(
    'H4.3',
    'number and text do not merge',
    query({ select: ['id'], from: { csv: { paths: ['obs/a.csv', 'text.csv'] } } }),
    told(400, /(?=.*a\.csv)(?=.*text\.csv)/s),
  ),

  row(
    'H4.4',
    'an alias',
    query({
      select: [{ column: 'id', alias: 'n' }],
      from: 'obs',
      output: { format: 'csv' },
      limit: 1,
      sort_by: [{ Asc: 'id' }],
    }),
    csv('n\n1\n'),
  ),
  row(
    'H4.4',
    'column_name is column',
    query({ select: [{ column_name: 'id', alias: 'n' }], from: 'obs' }),
    stream(['n'], { rows: 5 }),
  ),
  row(
    'H4.4',
    'a column as an object',
    query({ select: [{ column: 'id' }], from: 'obs' }),
    stream(['id'], { rows: 5 }),
  ),
  row(
    'H4.4',
    'a function with an alias',
    query({
      select: [{ function: 'abs', args: ['longitude'], alias: 'a' }],
      from: 'obs',
      filters: [{ column: 'id', eq: 5 }],
      output: { format: 'csv' },
    }),
    csv('a\n30.5\n'),
  ),
  row(
    'H4.4',
    'a function in a function',
    query({
      select: [
        { function: 'round', args: [{ function: 'abs', args: ['longitude'] }, { value: 0 }], alias: 'a' },
      ],
      from: 'obs',
      filters: [{ column: 'id', eq: 1 }],
      output: { format: 'csv' },
    }),
    csv(/^a\n1[01](?:\.0)?\n$/),
  ),
  row(
    'H4.4',
    'a function without an alias',
    query({ select: [{ function: 'abs', args: ['longitude'] }], from: 'obs' }),
    stream(['abs(tmp.longitude)'], { rows: 5 }),
  ),
  ...(
    [
      ['x', 'words'],
      [1, 'w'],
      [true, 'w'],
      [null, 'w'],
    ] as const
  ).map(([value]) =>
    row(
      'H4.4',
      `the literal ${value}`,
      query({ select: [{ value, alias: 'v' }], from: 'obs', limit: 1 }),
      stream(['v'], { rows: 1 }),
    ),
  ),
  row(
    'H4.4',
    'extra members of an entry',
    query({ select: [{ column: 'id', alais: 'n' }], from: 'obs' }),
    told(400, /alais/),
    { differs: UNION },
  ),

  ...FILTERS.map(([filter, passing]) =>
    row('H4.5', JSON.stringify(filter), obs({ filter, ...ID_ORDER }), ids(...passing)),
  ),
  ...WRONG_FILTERS.map((filter) =>
    row('H4.5', `no filter: ${JSON.stringify(filter)}`, obs({ filters: [filter] }), told(400)),
  ),
  row('H4.5', 'low alone', obs({ filter: { column: 'id', low: 4 }, ...ID_ORDER }), ids(4, 5), {
    differs: '`low` or `high` alone',
  }),
  row('H4.5', 'high alone', obs({ filter: { column: 'id', high: 2 }, ...ID_ORDER }), ids(1, 2), {
    differs: '`low` or `high` alone',
  }),
  row(
    'H4.5',
    'gt and lt hold both',
    obs({ filter: { column: 'id', gt: 1, lt: 4 }, ...ID_ORDER }),
    ids(2, 3),
    { differs: '`{"gt": …, "lt": …}`' },
  ),
  row('H4.5', 'a null operator', obs({ filter: { column: 'temperature', eq: null }, ...ID_ORDER }), ids(3), {
    differs: '`{"eq": null}`',
  }),
  row(
    'H4.5',
    'a fraction for an integer is cut',
    obs({ filter: { column: 'id', gt_eq: 4.5 }, ...ID_ORDER }),
    ids(5),
    { differs: 'A fractional number that is compared with an integer column' },
  ),
  row(
    'H4.5',
    'NaN is greater than every number',
    query({
      select: ['x'],
      from: { csv: { paths: ['nan.csv'] } },
      filters: [{ column: 'x', gt: 1 }],
      sort_by: [{ Asc: 'x' }],
      output: { format: 'csv' },
    }),
    csv('x\n1.5\nNaN\n'),
  ),
  row(
    'H4.5',
    'NaN is not null',
    query({
      select: ['x'],
      from: { csv: { paths: ['nan.csv'] } },
      filters: [{ is_not_null: { column: 'x' } }],
      sort_by: [{ Asc: 'x' }],
    }),
    stream(['x'], { rows: 2 }),
  ),
  row(
    'H4.5',
    'NaN is in no range',
    query({
      select: ['x'],
      from: { csv: { paths: ['nan.csv'] } },
      filters: [{ column: 'x', min: 0, max: 9 }],
    }),
    stream(['x'], { rows: 1 }),
  ),

  row('H4.6', 'Desc and limit: the maximum', obs({ sort_by: [{ Desc: 'temperature' }], limit: 1 }), ids(1)),
  row('H4.6', 'nulls come last, up', obs({ sort_by: [{ Asc: 'temperature' }] }), ids(5, 4, 2, 1, 3)),
  row('H4.6', 'and down', obs({ sort_by: [{ Desc: 'temperature' }] }), ids(1, 2, 4, 5, 3)),
  row(
    'H4.6',
    'several entries',
    obs({ sort_by: [{ Desc: 'platform' }, { Desc: 'id' }] }),
    ids(5, 4, 3, 2, 1),
  ),
  row(
    'H4.6',
    'a name as it is',
    query({ select: ['TEMP'], from: 'MyTable', sort_by: [{ Asc: 'TEMP' }], output: { format: 'csv' } }),
    csv('TEMP\n1\n2\n3\n'),
  ),
  row(
    'H4.6',
    'a name in quotes',
    query({ select: ['TEMP'], from: 'MyTable', sort_by: [{ Asc: '"TEMP"' }], output: { format: 'csv' } }),
    csv('TEMP\n1\n2\n3\n'),
  ),
  row('H4.6', 'offset and limit', obs({ ...ID_ORDER, offset: 1, limit: 2 }), ids(2, 3)),
  row(
    'H4.7',
    'distinct',
    query({
      select: ['platform'],
      from: 'obs',
      distinct: { on: ['platform'], select: ['platform'] },
      sort_by: [{ Asc: 'platform' }],
      output: { format: 'csv' },
    }),
    csv('platform\nA\nB\nC\n'),
  ),
  row(
    'H4.7',
    'the first row of each',
    query({
      select: ['platform', 'id'],
      from: 'obs',
      distinct: { on: ['platform'], select: ['platform', 'id'] },
      sort_by: [{ Desc: 'id' }],
      output: { format: 'csv' },
    }),
    csv('platform,id\nC,5\nB,4\nA,2\n'),
  ),
  row(
    'H4.9',
    'distinct without select',
    query({
      from: 'obs',
      distinct: { on: ['platform'], select: ['platform'] },
      sort_by: [{ Asc: 'platform' }],
      output: { format: 'csv' },
    }),
    csv('platform\nA\nB\nC\n'),
  ),
  row('H4.8', 'an offset past the end', obs({ ...ID_ORDER, offset: 99 }), ids()),
  row(
    'H4.8',
    'a limit of 0',
    query({ select: ['id'], from: 'obs', limit: 0 }),
    stream(['id'], { rows: 0, types: ['Int64'] }),
  ),
  row(
    'H4.8',
    'a limit above 2^53',
    query('{"select": ["id"], "from": "obs", "limit": 99999999999999999999}'),
    stream(['id'], { rows: 5 }),
    { differs: '`limit` or `offset` above 2^53' },
  ),

  row(
    'H4.11',
    'floats and times of CSV',
    sql(
      "SELECT 0.1 + 0.2 AS a, 1.0::DOUBLE AS b, TIMESTAMP '2025-01-01 00:00:00' AS t, true AS f, NULL::INTEGER AS n, 'a,b' AS c",
      'csv',
    ),
    csv(/^a,b,t,f,n,c\n0\.3\d*,1(?:\.0)?,2025-01-01T00:00:00,true,,"a,b"\n$/),
  ),
  row(
    'H4.11',
    'GeoParquet with nulls for its columns',
    query({
      select: ['longitude', 'latitude'],
      from: 'obs',
      output: { format: { geoparquet: { longitude_column: null, latitude_column: null } } },
    }),
    file('application/vnd.apache.arrow.geo+parquet', 'output.parquet', 'PAR1'),
  ),
  row(
    'H4.11',
    'GeoParquet as text',
    query({ select: ['longitude', 'latitude'], from: 'obs', output: { format: 'geoparquet' } }),
    file('application/vnd.apache.arrow.geo+parquet', 'output.parquet', 'PAR1'),
  ),
  row('H4.11', 'NetCDF of a boolean', sql('SELECT true AS a', 'netcdf'), told(400, /a/)),
  row(
    'H4.12',
    'an archive',
    query({ select: ODV_SELECT, from: 'obs', output: { format: { odv: ODV } } }),
    ZIP,
  ),
  row(
    'H4.12',
    'metadata_columns is meta_columns',
    query({
      select: ODV_SELECT,
      from: 'obs',
      output: { format: { odv: { ...OTHER_ODV, metadata_columns: meta_columns } } },
    }),
    ZIP,
  ),
  ...['Stored', 'Deflate', 'Zstd'].map((compression) =>
    row(
      'H4.12',
      `compression ${compression}`,
      query({
        select: ODV_SELECT,
        from: 'obs',
        output: { format: { odv: { ...ODV, compression, archiving: 'ZipStd', feature_type_column: null } } },
      }),
      ZIP,
    ),
  ),
  row(
    'H4.12',
    'archiving zip_deflate',
    query({
      select: ODV_SELECT,
      from: 'obs',
      output: { format: { odv: { ...ODV, archiving: 'zip_deflate' } } },
    }),
    ZIP,
  ),
  row(
    'H4.12',
    'no data columns',
    query({ select: ODV_SELECT, from: 'obs', output: { format: { odv: { ...ODV, data_columns: [] } } } }),
    ZIP,
  ),
  row(
    'H4.12',
    'no rows',
    query({
      select: ODV_SELECT,
      from: 'obs',
      filters: [{ column: 'id', gt: 99 }],
      output: { format: { odv: ODV } },
    }),
    ZIP,
  ),
  row(
    'H4.12',
    'a column that is missing',
    query({
      select: ODV_SELECT,
      from: 'obs',
      output: { format: { odv: { ...ODV, data_columns: [{ column_name: 'nope' }] } } },
    }),
    told(400, /nope/),
  ),
  row(
    'H4.12',
    'a member that is missing',
    query({ select: ODV_SELECT, from: 'obs', output: { format: { odv: OTHER_ODV } } }),
    told(400, /meta_columns/),
  ),
  row(
    'H4.12',
    'an unknown compression',
    query({
      select: ODV_SELECT,
      from: 'obs',
      output: { format: { odv: { ...ODV, compression: 'Brotli' } } },
    }),
    told(400, /compression/),
  ),
  row(
    'I2.9',
    'a table of the service in JSON',
    {
      ...query({ select: ['query_id'], from: 'service.system.query_metrics', limit: 0 }),
      caller: 'super-user',
    },
    stream(['query_id'], { rows: 0 }),
  ),
  row(
    'I2.9',
    'tiff',
    query({ select: ['geo.lon'], from: { tiff: { paths: ['image.tif'] } }, limit: 1 }),
    told(400, /geo\.lon/),
  ),
  row(
    'I2.9',
    'bbf',
    { ...query({ select: ['__entry_key'], from: { bbf: { paths: ['small.bbf'] } }, limit: 1 }) },
    stream(['__entry_key'], { rows: 1 }),
  ),
  row(
    'I2.9',
    'odv',
    query({ select: ['Cruise'], from: { odv: { paths: ['stations.txt'] } }, limit: 1 }),
    stream(['Cruise'], { rows: 1 }),
  ),
  row(
    'H11',
    'a preset of a table',
    query({
      select: ['id'],
      from: 'obs',
      preset: 'surface',
      sort_by: [{ Asc: 'id' }],
      output: { format: 'csv' },
    }),
    ids(1, 2),
    { differs: '`"preset"` in a JSON query' },
  ),
  row(
    'I2.9',
    'a JSON query over a view',
    query({ select: ['id'], from: 'warm', sort_by: [{ Asc: 'id' }], output: { format: 'csv' } }),
    ids(1, 2),
  ),
  row(
    'H4.3',
    'the super-user reads metrics by name',
    admin('SELECT count(*) >= 0 AS ok FROM service.system.query_metrics'),
    stream(['ok'], { rows: 1 }),
  ),
]
