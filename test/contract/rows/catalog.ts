import { csv, json, stream, text, told } from '../expected.ts'
import { admin, by, get, post, query, sql, step } from '../requests.ts'
import { type Row, row } from '../row.ts'
import { ANYTHING, all, atLeast, COUNT, each, either, including, inOrder, without } from '../shapes.ts'

const OBS_COLUMNS = ['id', 'platform', 'time', 'longitude', 'latitude', 'depth', 'temperature']
const FIELD = {
  name: String,
  data_type: either(String, ANYTHING),
  nullable: Boolean,
  dict_id: 0,
  dict_is_ordered: false,
  metadata: ANYTHING,
}
const SCHEMA = { fields: each(FIELD), metadata: ANYTHING }
const FIELDS = { fields: OBS_COLUMNS.map((name) => atLeast({ name })), metadata: ANYTHING }
const DATASET = {
  file_path: String,
  format: String,
  can_inspect: false,
  can_partial_explore: false,
  size: COUNT,
  last_modified: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?\+00:00$/,
}
const UNREADABLE = 'A file that cannot be read, in `dataset-schema`'

function field(name: string, data_type: unknown) {
  return { name, data_type, nullable: Boolean, dict_id: 0, dict_is_ordered: false, metadata: ANYTHING }
}

const DATASETS: readonly (readonly [path: string, format: string])[] = [
  ['ctd/part-0.parquet', 'parquet'],
  ['obs/a.csv', 'csv'],
  ['feather/a.arrow', 'arrow'],
  ['image.tif', 'tiff'],
  ['store.zarr/zarr.json', 'zarr'],
  ['small.bbf', 'bbf'],
  ['points.geoparquet', 'geoparquet'],
  ['grid/one.nc', 'nc'],
  ['fibre.h5', 'hdf5'],
]

/** What is there: H 6, and the forms of schemas, H 9. */
export const CATALOG: readonly Row[] = [
  row('H6.4', 'grouped by format, in this order', get('/api/list-datasets'), {
    ...json(null),
    form: {
      kind: 'text',
      shape: new RegExp(
        `^\\[${['parquet', 'csv', 'arrow', 'tiff', 'zarr', 'bbf', 'geoparquet', 'nc', 'hdf5'].map((format) => `(?:\\{"file_path":"[^"]*","format":"${format}",[^}]*\\},?)+`).join('')}\\]$`,
      ),
    },
  }),
  row(
    'H6.4',
    'in a format by their bytes',
    get('/api/datasets?pattern=obs/*'),
    json(all(inOrder(), including('obs/a.csv'))),
  ),
  row('H6.1', 'health', get('/api/health'), text(200, 'Ok')),
  row('I4.4', 'health in the document', get('/openapi.json'), json(atLeast({ paths: ANYTHING }))),
  row(
    'H6.2',
    'info',
    get('/api/info'),
    json(atLeast({ service_version: /^\d+\.\d+\.\d+/, system_info: null })),
  ),
  row(
    'H12.3',
    'the settings and the tables',
    get('/api/info'),
    json(
      atLeast({
        config: atLeast({
          enable_sql: true,
          default_table: 'default',
          auth_anonymous_enabled: true,
          max_upload_bytes: 5_368_709_120,
        }),
        table_count: COUNT,
      }),
    ),
  ),
  row('H12.3', 'no secrets and no folders', by('anonymous', get('/api/info')), {
    ...json(null),
    form: { kind: 'text', shape: /^(?!.*(?:service-password|\/tmp\/|datasets_dir))/s },
  }),
  row(
    'H6.2',
    'the version by SQL',
    sql('SELECT service_version() AS v'),
    stream(['v'], { rows: 1, types: ['Utf8'] }),
  ),
  row(
    'H6.2',
    'the member is named by the setting',
    get('/api/info'),
    json(atLeast({ ocean_version: String })),
    { world: 'another name' },
  ),
  row(
    'H6.2',
    'and so is the function',
    sql('SELECT ocean_version() AS v'),
    { ...stream(['v'], { rows: 1 }), headers: {} },
    { world: 'another name' },
  ),
  row(
    'H6.2',
    'of the machine, where it is told',
    get('/api/info'),
    json(
      atLeast({
        system_info: atLeast({
          global_cpu_usage: Number,
          cpus: each(atLeast({ name: String, cpu_usage: Number })),
          total_memory: COUNT,
          available_memory: COUNT,
          used_memory: COUNT,
          free_memory: COUNT,
          total_swap: COUNT,
          used_swap: COUNT,
          uptime: Number,
          load_average: { one: Number, five: Number, fifteen: Number },
        }),
      }),
    ),
    { world: 'obs is the default table' },
  ),
  row(
    'H6.2',
    'of its system to the super-user',
    by('super-user', get('/api/info')),
    json(
      atLeast({
        system_info: atLeast({
          host_name: String,
          kernel_version: String,
          long_os_version: String,
          physical_core_count: either(COUNT, null, ANYTHING),
        }),
      }),
    ),
    { world: 'obs is the default table' },
  ),

  row(
    'H6.3',
    'the default table has no columns',
    get('/api/default-table-schema'),
    json({ fields: [], metadata: {} }),
  ),
  row('H6.3', 'it is listed', get('/api/tables'), json(including('default'))),
  row(
    'H6.3',
    'its schema by name',
    get('/api/table-schema?table_name=default'),
    json({ fields: [], metadata: {} }),
  ),
  row('H6.4', 'files by format', get('/api/list-datasets'), json(each(DATASET))),
  ...DATASETS.map(([path, format]) =>
    row(
      'H6.4',
      `of the format ${format}`,
      get('/api/list-datasets'),
      json(including({ ...DATASET, file_path: path, format })),
    ),
  ),
  row(
    'H6.4',
    'a pattern',
    get('/api/list-datasets?pattern=obs/*.csv'),
    json([
      { ...DATASET, file_path: 'obs/a.csv' },
      { ...DATASET, file_path: 'obs/b.csv' },
    ]),
  ),
  row(
    'H6.4',
    'a pattern matches the whole path',
    get('/api/list-datasets?pattern=*.parquet'),
    json([atLeast({ file_path: 'types.parquet' })]),
  ),
  row(
    'H6.4',
    'an exact path',
    get('/api/list-datasets?pattern=obs/b.csv'),
    json([atLeast({ file_path: 'obs/b.csv', size: 144 })]),
  ),
  row('H6.4', 'no match', get('/api/list-datasets?pattern=none/*'), json([])),
  row(
    'H6.4',
    'a page',
    get('/api/list-datasets?pattern=obs/*.csv&offset=1&limit=1'),
    json([atLeast({ file_path: 'obs/b.csv' })]),
  ),
  row('H6.4', 'a page of none', get('/api/list-datasets?limit=0'), json([])),
  row('H6.4', 'past the end', get('/api/list-datasets?offset=100000'), json([])),
  row('H6.4', 'as the web pages ask', get('/api/list-datasets?limit=100000'), json(each(DATASET))),
  row(
    'H6.4',
    'text files and unknown ones are not listed',
    get('/api/datasets'),
    json(without(/notes\.txt$|stations\.txt$/)),
  ),
  row('H6.4', 'nothing in a store is', get('/api/datasets'), json(without(/store\.zarr\/x/))),
  row('H6.4', 'a scheme in the pattern', get('/api/list-datasets?pattern=s3://a/*'), text(400, /s3/), {
    differs: 'A file that cannot be read, in `dataset-schema`',
  }),
  row('H6.5', 'the paths alone', get('/api/datasets?pattern=obs/*.csv'), json(['obs/a.csv', 'obs/b.csv'])),
  row('H6.5', 'a page of them', get('/api/datasets?pattern=obs/*.csv&limit=1'), json(['obs/a.csv'])),
  row('H6.6', 'how many', get('/api/total-datasets'), json(COUNT)),
  row('H6.6', 'unfiltered', get('/api/total-datasets?pattern=none'), json(COUNT)),
  row(
    'S1.17',
    'the same by SQL',
    sql("SELECT * FROM list_datasets('obs/*.csv')"),
    stream(['file_name', 'file_format', 'can_inspect', 'can_partial_explore', 'size', 'last_modified'], {
      rows: 2,
      types: ['Utf8', 'Utf8', 'Bool', 'Bool', 'Uint64', 'Utf8'],
    }),
  ),
  row(
    'S1.17',
    'a page by SQL',
    sql("SELECT file_name FROM list_datasets('obs/*.csv', 1, 1)"),
    stream(['file_name'], { rows: 1 }),
  ),
  row(
    'S1.17',
    'past the end by SQL',
    sql("SELECT file_name FROM list_datasets('obs/*.csv', 9)"),
    stream(['file_name'], { rows: 0 }),
  ),

  row(
    'H6.7',
    'of CSV',
    get('/api/dataset-schema?file=obs/a.csv'),
    json({
      fields: [
        field('id', 'Int64'),
        field('platform', 'Utf8'),
        field('time', { Timestamp: [/Second|Microsecond|Nanosecond|Millisecond/, null] }),
        field('longitude', 'Float64'),
        field('latitude', 'Float64'),
        field('depth', 'Float64'),
        field('temperature', 'Float64'),
      ],
      metadata: ANYTHING,
    }),
  ),
  row('H6.7', 'of a glob: one schema', get('/api/dataset-schema?file=obs/*.csv'), json(FIELDS)),
  row(
    'H6.7',
    'of Parquet',
    get('/api/dataset-schema?file=ctd/part-0.parquet'),
    json({
      fields: [field('id', 'Int64'), field('depth', 'Float64'), field('temperature', 'Float64')],
      metadata: ANYTHING,
    }),
  ),
  ...[
    'feather/a.arrow',
    'grid/one.nc',
    'image.tif',
    'small.bbf',
    'fibre.h5',
    'store.zarr/zarr.json',
    'store.zarr',
    'ctd/*.parquet',
  ].map((path) =>
    row('H6.7', `of ${path}`, get(`/api/dataset-schema?file=${encodeURIComponent(path)}`), json(SCHEMA)),
  ),
  row(
    'H6.7',
    'one field for each variable, and for each attribute',
    get('/api/dataset-schema?file=store.zarr'),
    json(
      atLeast({
        fields: including(atLeast({ name: 'x' }), atLeast({ name: 'x.units' }), atLeast({ name: '.title' })),
      }),
    ),
  ),
  ...['none.csv', 'none/*.csv', 'notes.txt', 'obs', '../x.csv'].map((path) =>
    row(
      'H6.7',
      `what cannot be read: ${path}`,
      get(`/api/dataset-schema?file=${encodeURIComponent(path)}`),
      text(400),
      { differs: UNREADABLE },
    ),
  ),

  row(
    'H6.8',
    'names in their order',
    get('/api/tables'),
    json(all(each(String), inOrder(), including('MyTable', 'ctd', 'obs', 'warm'))),
  ),
  row('H6.8', 'a new table is there at once', get('/api/tables'), json(including('%new%')), {
    first: [step(admin('CREATE VIEW %new% AS SELECT 1 AS one'))],
  }),
  row('H6.8', 'a dropped one is gone', get('/api/tables'), json(without('%new%')), {
    first: [step(admin('CREATE VIEW %new% AS SELECT 1 AS one')), step(admin('DROP TABLE %new%'))],
  }),
  row('H6.9', 'the default table', get('/api/default-table'), json('default')),
  row('H6.9', 'another one', get('/api/default-table'), json('obs'), { world: 'obs is the default table' }),
  row('H6.9', 'one that is not there', get('/api/default-table'), json('nothing'), {
    world: 'no default table',
  }),
  row(
    'H6.10',
    'the tree of the super-user',
    by('super-user', get('/api/catalogs')),
    json({
      default_catalog: 'service',
      default_schema: 'public',
      catalogs: [
        {
          name: 'service',
          schemas: [
            {
              name: 'information_schema',
              tables: including(
                ...['columns', 'df_settings', 'parameters', 'routines', 'schemata', 'tables', 'views'].map(
                  (name) => ({ name, table_type: 'VIEW' }),
                ),
              ),
            },
            {
              name: 'public',
              tables: including(
                { name: 'obs', table_type: 'BASE TABLE' },
                { name: 'warm', table_type: 'VIEW' },
                { name: 'default', table_type: 'BASE TABLE' },
              ),
            },
            {
              name: 'system',
              tables: including(
                { name: 'query_metrics', table_type: 'BASE TABLE' },
                { name: 'roles', table_type: 'VIEW' },
                { name: 'users', table_type: 'VIEW' },
              ),
            },
          ],
        },
      ],
    }),
  ),
  row(
    'H6.10',
    'the tree of others',
    by('reader', get('/api/catalogs')),
    json({
      default_catalog: 'service',
      default_schema: 'public',
      catalogs: [
        {
          name: 'service',
          schemas: [
            {
              name: 'public',
              tables: all(
                inOrder('name'),
                including({ name: 'obs', table_type: 'BASE TABLE' }, { name: 'warm', table_type: 'VIEW' }),
              ),
            },
          ],
        },
      ],
    }),
  ),
  row(
    'H6.10',
    'the catalog is named by the setting',
    get('/api/catalogs'),
    json(atLeast({ default_catalog: 'ocean' })),
    { world: 'another name' },
  ),
  row(
    'H6.10',
    'statistics of files in the tree',
    by('super-user', get('/api/catalogs')),
    json(
      atLeast({
        catalogs: [
          atLeast({
            schemas: including(
              atLeast({
                name: 'system',
                tables: including(
                  { name: 'file_stats', table_type: 'VIEW' },
                  { name: 'file_stats_segments', table_type: 'VIEW' },
                ),
              }),
            ),
          }),
        ],
      }),
    ),
  ),

  row('H6.11', 'the schema of a table', get('/api/table-schema?table_name=obs'), json(FIELDS)),
  row(
    'H6.11',
    'of a view',
    get('/api/table-schema?table_name=warm'),
    json({ fields: [field('id', 'Int64'), field('temperature', 'Float64')], metadata: ANYTHING }),
  ),
  row('H6.11', 'with its schema', get('/api/table-schema?table_name=obs&schema=public'), json(FIELDS)),
  row(
    'H6.11',
    'with its catalog too',
    get('/api/table-schema?table_name=obs&schema=public&catalog=service'),
    json(FIELDS),
  ),
  row(
    'H6.11',
    'a catalog without schema is ignored',
    get('/api/table-schema?table_name=obs&catalog=nope'),
    json(FIELDS),
  ),
  row(
    'H6.11',
    'another catalog',
    get('/api/table-schema?table_name=obs&schema=public&catalog=nope'),
    text(404, 'Table nope.public.obs not found'),
  ),
  row(
    'H6.11',
    'another schema',
    get('/api/table-schema?table_name=obs&schema=nope'),
    text(404, 'Table service.nope.obs not found'),
  ),
  row(
    'H6.11',
    'an unknown table',
    get('/api/table-schema?table_name=nope'),
    text(404, 'Table service.public.nope not found'),
  ),
  row(
    'H6.11',
    'a name is not split at dots',
    get('/api/table-schema?table_name=public.obs'),
    text(404, /public\.obs/),
  ),
  row('H6.11', 'names of another case', get('/api/table-schema?table_name=OBS'), json(FIELDS), {
    differs: 'Names of tables and views',
  }),
  row(
    'H6.11',
    'users without schema',
    by('super-user', get('/api/table-schema?table_name=users')),
    text(404, 'Table service.public.users not found'),
  ),
  row(
    'H6.11',
    'users with it',
    by('super-user', get('/api/table-schema?table_name=users&catalog=service&schema=system')),
    json(atLeast({ fields: including(atLeast({ name: 'username', data_type: 'Utf8' })) })),
  ),
  row(
    'H6.11',
    'of the information schema',
    by('super-user', get('/api/table-schema?table_name=tables&schema=information_schema')),
    json(SCHEMA),
  ),
  row('H6.12', 'the schema of the default table', get('/api/default-table-schema'), json(FIELDS), {
    world: 'obs is the default table',
  }),
  row(
    'H6.12',
    'of one that is not there',
    get('/api/default-table-schema'),
    json({ fields: [], metadata: {} }),
    { world: 'no default table' },
  ),
  row(
    'H6.13',
    'tables with their columns',
    get('/api/tables-with-schema'),
    json(
      all(
        each({ table_name: String, columns: each(FIELD) }),
        inOrder('table_name'),
        including(
          { table_name: 'obs', columns: OBS_COLUMNS.map((name) => atLeast({ name })) },
          { table_name: 'default', columns: [] },
        ),
      ),
    ),
  ),

  row(
    'H6.14',
    'functions',
    get('/api/functions'),
    json(
      all(
        each({
          function_name: String,
          description: String,
          return_type: String,
          params: each({ name: String, description: '', data_type: String }),
        }),
        inOrder('function_name'),
      ),
    ),
  ),
  row(
    'H6.14',
    'one entry for each name',
    get('/api/functions'),
    json(
      including(
        atLeast({ function_name: 'abs' }),
        atLeast({ function_name: 'st_within_point' }),
        atLeast({ function_name: 'count' }),
        atLeast({ function_name: 'row_number' }),
      ),
    ),
  ),
  row(
    'H6.14',
    'with nothing looked up for whoever asks',
    by('wrong password', get('/api/functions')),
    json(ANYTHING),
  ),
  row(
    'H6.14',
    'table functions are not there',
    get('/api/functions'),
    json(without(atLeast({ function_name: /^read_/ }))),
  ),
  row(
    'H6.14',
    'those of geometry',
    get('/api/functions'),
    json(
      including(
        ...[
          'st_point',
          'st_makepoint',
          'st_geomfromtext',
          'st_geomfromgeojson',
          'st_within_point',
          'st_geojson_as_wkt',
        ].map((function_name) => atLeast({ function_name })),
      ),
    ),
    { later: 'geometry' },
  ),
  row('H6.15', 'table functions', get('/api/table-functions'), json([])),
  row(
    'H6.16',
    'extensions of a table',
    by('super-user', get('/api/table-extensions?table_name=obs')),
    json({ preset: ANYTHING }),
  ),
  row('H6.16', 'of a table without', by('super-user', get('/api/table-extensions?table_name=ctd')), json({})),
  row(
    'H6.16',
    'for others that may read it',
    by('reader', get('/api/table-extensions?table_name=obs')),
    json({ preset: ANYTHING }),
    { differs: 'Extensions of a table that the caller may read' },
  ),
  row(
    'H6.16',
    'of an unknown table',
    by('super-user', get('/api/table-extensions?table_name=nope')),
    text(404, /nope/),
  ),

  ...[
    ['flag', 'Boolean'],
    ['i8', 'Int8'],
    ['i16', 'Int16'],
    ['i32', 'Int32'],
    ['i64', 'Int64'],
    ['u8', 'UInt8'],
    ['u16', 'UInt16'],
    ['u32', 'UInt32'],
    ['u64', 'UInt64'],
    ['f32', 'Float32'],
    ['f64', 'Float64'],
    ['words', 'Utf8'],
    ['bytes', 'Binary'],
    ['day', 'Date32'],
    ['clock', { Time64: 'Microsecond' }],
    ['moment', { Timestamp: ['Microsecond', null] }],
    ['zoned', { Timestamp: ['Microsecond', /UTC|\+00:00/] }],
    ['price', { Decimal128: [9, 2] }],
    ['numbers', { List: atLeast({ data_type: 'Int32' }) }],
    ['parts', { Struct: [atLeast({ name: 'x' })] }],
    ['pairs', { Map: [atLeast({ data_type: { Struct: [ANYTHING, ANYTHING] } }), false] }],
  ].map(([name, data_type]) =>
    row(
      'H9',
      `the type of ${name}`,
      get('/api/dataset-schema?file=types.parquet'),
      json(atLeast({ fields: including(field(String(name), data_type)) })),
    ),
  ),
  row('H9', 'members of a field in their order', get('/api/dataset-schema?file=ctd/part-0.parquet'), {
    ...json(null),
    form: {
      kind: 'text',
      shape:
        /^\{"fields":\[\{"name":"id","data_type":"Int64","nullable":(?:true|false),"dict_id":0,"dict_is_ordered":false,"metadata":\{/,
    },
  }),
  row(
    'H9',
    'types leave as they came',
    query({
      select: ['i8', 'u64', 'f32', 'day', 'price', 'words'],
      from: { parquet: { paths: ['types.parquet'] } },
    }),
    stream(['i8', 'u64', 'f32', 'day', 'price', 'words'], {
      rows: 1,
      types: ['Int8', 'Uint64', 'Float32', 'Date32<DAY>', 'Decimal[9e+2]', 'Utf8'],
    }),
  ),

  row(
    'S1.17',
    'several readers',
    sql(
      "SELECT (SELECT count(*) FROM read_csv('obs/*.csv')) + (SELECT count(*) FROM read_parquet(['ctd/*.parquet'])) + (SELECT count(*) FROM read_arrow('feather/a.arrow')) + (SELECT count(*) FROM read_netcdf('grid/one.nc')) AS n",
    ),
    stream(['n'], { rows: 1 }),
  ),
  ...[
    ["read_geoparquet('ctd/part-0.parquet')", ['id', 'depth', 'temperature']],
    ["read_hdf5('grid/one.nc')", null],
    ["read_odv_ascii('stations.txt')", null],
    ["read_bbf('small.bbf')", null],
    ["read_tiff('image.tif')", null],
    ["read_zarr('store.zarr')", null],
    ["read_zarr('store.zarr', ['x'])", null],
    ["read_netcdf('grid/one.nc', NULL)", null],
  ].map(([call]) =>
    row('S1.17', `${call}`, sql(`SELECT count(*) > 0 AS some FROM ${call}`, 'csv'), {
      status: 200,
      type: 'text/csv',
      form: { kind: 'text', shape: 'some\ntrue\n' },
      headers: {},
    }),
  ),
  ...['parquet', 'csv', 'arrow', 'netcdf'].map((format) =>
    row(
      'S1.17',
      `the schema of ${format}`,
      sql(
        `SELECT * FROM read_${format}_schema('${{ parquet: 'ctd/part-0.parquet', csv: 'obs/a.csv', arrow: 'feather/a.arrow', netcdf: 'grid/one.nc' }[format]}')`,
      ),
      stream(['column_name', 'data_type', 'nullable']),
    ),
  ),
  row(
    'S1.17',
    'nulls in a list are left out',
    sql("SELECT count(*) AS n FROM read_csv(['obs/a.csv', NULL])", 'csv'),
    csv('n\n3\n'),
  ),
  row(
    'S1.17',
    'a number of records',
    sql("SELECT count(*) AS n FROM read_csv('obs/a.csv', ',', 2)", 'csv'),
    csv('n\n3\n'),
  ),
  row(
    'S1.17',
    'a delimiter as an escape',
    sql("SELECT count(*) AS n FROM read_csv('obs/a.csv', '\\t')", 'csv'),
    csv('n\n3\n'),
  ),
  row(
    'S1.17',
    'dimensions of an array',
    sql("SELECT count(*) AS n FROM read_netcdf('grid/one.nc', ['obs'])", 'csv'),
    csv('n\n5\n'),
  ),
  row(
    'S1.17',
    'a convention',
    sql("SELECT count(*) > 0 AS some FROM read_hdf5('fibre.h5', NULL, 'optodas')", 'csv'),
    csv('some\ntrue\n'),
  ),
  row(
    'S1.17',
    'no convention',
    sql("SELECT count(*) > 0 AS some FROM read_hdf5('fibre.h5', NULL, 'none')", 'csv'),
    csv('some\ntrue\n'),
  ),
  row(
    'S1.17',
    'an unknown one',
    sql("SELECT count(*) AS n FROM read_hdf5('fibre.h5', NULL, 'nope')"),
    told(400, /convention/),
  ),
  row('S1.17', 'a folder', sql("SELECT count(*) AS n FROM read_csv('obs/')", 'csv'), csv('n\n5\n')),
  row(
    'S1.17',
    'several in a list',
    sql("SELECT count(*) AS n FROM read_csv(['obs/a.csv', 'obs/b*.csv'])", 'csv'),
    csv('n\n5\n'),
  ),
  row(
    'S1.17',
    'a pattern that matches nothing',
    sql("SELECT * FROM read_csv('none/*.csv')"),
    told(400, /none\/\*\.csv/),
  ),
  row(
    'S1.17',
    'columns of attributes',
    sql('SELECT x, "x.units", ".title" FROM read_zarr(\'store.zarr\') ORDER BY x', 'csv'),
    csv('x,x.units,.title\n1,m,grid\n2,m,grid\n'),
  ),
  row(
    'S1.17',
    'a plain schema',
    sql("SELECT * FROM read_csv_schema('obs/a.csv') LIMIT 1", 'csv'),
    csv(/^column_name,data_type,nullable\nid,Int64,(?:true|false)\n$/),
  ),
  row('S1.17', 'an empty list', sql('SELECT * FROM read_csv([])'), told(400)),
  row('S1.17', 'a path that is no literal', sql('SELECT * FROM read_csv(1)'), told(400)),
  row(
    'S1.17',
    'a delimiter by SQL',
    sql("SELECT a, b FROM read_csv('semicolons.csv', ';')"),
    stream(['a', 'b'], { rows: 1 }),
  ),
  row(
    'S1.17',
    'a delimiter of two characters',
    sql("SELECT a FROM read_csv('semicolons.csv', ';;')"),
    told(400, /delimiter/),
  ),
  row(
    'S1.17',
    'statistics of files',
    admin("SELECT * FROM file_statistics('ctd/part-0.parquet')"),
    stream(['path', 'column', 'data_type', 'min', 'max', 'null_count', 'row_count', 'segment']),
  ),
  row('S1.17', 'lake tables', sql("SELECT * FROM read_delta('none')"), told(400, /none/), {
    later: 'lake tables',
  }),
  row(
    'I2.2',
    'a caller cannot reach another schema',
    by('reader', post('/api/query', { sql: 'SELECT 1 FROM service.nope.obs' })),
    told(400),
  ),
]
