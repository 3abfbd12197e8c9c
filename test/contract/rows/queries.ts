import {
  arrowFile,
  csv,
  DONE,
  empty,
  file,
  json,
  stream,
  text,
  told,
  UUID,
  withHeaders,
} from '../expected.ts'
import { admin, by, get, post, query, sql, step, stepGiving } from '../requests.ts'
import { type Row, row } from '../row.ts'
import { ANYTHING, atLeast, COUNT, each, including } from '../shapes.ts'

const SQL_OFF = told(400, 'SQL queries are not enabled')
const FILES = { csv: { paths: ['obs/*.csv'] } }
const NODE = atLeast({
  'Node Type': String,
  Plans: each(atLeast({ 'Node Type': String })),
  Output: each(String),
})
const METRICS = {
  input_rows: COUNT,
  input_bytes: COUNT,
  result_num_rows: 5,
  result_size_in_bytes: COUNT,
  file_paths: each(String),
  execution_time_ms: COUNT,
  query: ANYTHING,
  query_id: UUID,
  username: String,
  finished_at: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/,
  parsed_logical_plan: [{ Plan: NODE }],
  optimized_logical_plan: [{ Plan: NODE }],
  node_metrics: atLeast({ operator: String, metrics: ANYTHING, children: each(ANYTHING) }),
}

/** Queries: H 3 and H 5. */
export const QUERIES: readonly Row[] = [
  row(
    'H3',
    'SQL',
    sql('SELECT id, temperature FROM obs ORDER BY id'),
    stream(['id', 'temperature'], { rows: 5 }),
  ),
  row('H3', 'JSON', query({ select: ['id'], from: 'obs' }), stream(['id'], { rows: 5 })),
  row(
    'H3.1',
    'the headers of a stream',
    sql('SELECT 1 AS one'),
    withHeaders({ 'content-disposition': null, 'x-service-query-id': UUID }, stream(['one'])),
    { differs: '`content-disposition` of a stream' },
  ),
  row(
    'H3.1',
    'the id is sent for statements',
    admin('CREATE VIEW %new% AS SELECT 1 AS one'),
    withHeaders({ 'x-service-query-id': UUID }, DONE),
  ),
  row(
    'H3.1',
    'the header is named by the setting',
    sql('SELECT 1 AS one'),
    withHeaders({ 'x-service-query-id': null, 'x-ocean-query-id': UUID }, stream(['one'])),
    { world: 'another name' },
  ),
  row(
    'H3.2',
    'an empty result has its schema',
    sql('SELECT id, platform FROM obs WHERE id > 99'),
    stream(['id', 'platform'], { rows: 0, types: ['Int64', 'Utf8'] }),
  ),
  row(
    'H3.2',
    'also of an aggregate',
    sql('SELECT platform, count(*) AS n FROM obs WHERE id > 99 GROUP BY 1'),
    stream(['platform', 'n'], { rows: 0, types: ['Utf8', 'Int64'] }),
  ),
  row(
    'H3.2',
    'BIGINT is Int64 and VARCHAR Utf8',
    sql("SELECT 1::BIGINT AS a, 'x'::VARCHAR AS b"),
    stream(['a', 'b'], { rows: 1, types: ['Int64', 'Utf8'] }),
  ),
  row('H3.2', 'statements have neither columns nor rows', admin('CREATE ROLE %new%'), DONE),
  row('H3.3', 'an error in the first rows is a 400', sql("SELECT CAST('x' AS INTEGER) AS n"), told(400, /x/)),
  row('H3.3', 'also of a column', sql('SELECT CAST(platform AS INTEGER) AS n FROM obs'), told(400, /A|B|C/)),

  row('H3.5', 'SQL off', sql('SELECT 1 AS one'), SQL_OFF, { world: 'SQL off' }),
  row('H3.5', 'for the super-user too', admin('SELECT 1 AS one'), SQL_OFF, { world: 'SQL off' }),
  row('H3.5', 'statements too', admin('CREATE VIEW x AS SELECT 1 AS one'), SQL_OFF, { world: 'SQL off' }),
  row('H3.5', 'JSON goes on', query({ select: ['id'], from: FILES }), stream(['id'], { rows: 5 }), {
    world: 'SQL off',
  }),
  row(
    'H3.5',
    'explain-analyze is off too',
    post('/api/explain-analyze-query', { sql: 'SELECT 1 AS one' }),
    SQL_OFF,
    { world: 'SQL off' },
  ),
  row(
    'H3.5',
    'explain-query is not',
    post('/api/explain-query', { sql: 'SELECT 1 AS one' }),
    json([{ Plan: NODE }]),
    { world: 'SQL off' },
  ),
  row('H3.5', 'parse-query is not', post('/api/parse-query', { sql: 'SELECT 1 AS one' }), empty(), {
    world: 'SQL off',
  }),
  row(
    'H3.5',
    'administration is not',
    by(
      'super-user',
      post('/api/admin/external-tables', { name: '%new%', location: 'obs/', file_type: 'CSV' }),
    ),
    empty(),
    { world: 'SQL off' },
  ),

  row('H3.6', 'no form at all', query({}), told(400, /select|sql/)),
  row('H3.6', 'a member that is none', query({ not_a_query: true }), told(400, /not_a_query/)),
  row('H3.6', 'an unknown table', sql('SELECT * FROM nope'), told(400, /nope/)),
  row('H3.6', 'in JSON', query({ select: ['id'], from: 'nope' }), told(400, /nope/)),
  row('H3.6', 'an unknown column', sql("SELECT nope FROM read_csv('obs/*.csv')"), told(400, /nope/)),
  row('H3.6', 'in JSON', query({ select: ['nope'], from: FILES }), told(400, /nope/)),
  row('H3.6', 'an unknown function', sql('SELECT nope(id) FROM obs'), told(400, /nope/)),
  row('H3.6', 'number + text column', sql('SELECT id + platform AS n FROM obs'), told(400)),
  row('H3.6', 'an empty glob', sql("SELECT * FROM read_parquet('none/*.parquet')"), told(400, /no file/i)),
  row(
    'H3.6',
    'an empty glob names the pattern',
    sql("SELECT * FROM read_parquet('none/*.parquet')"),
    told(400, /none\/\*\.parquet/),
  ),
  row(
    'H3.6',
    'in JSON',
    query({ select: ['id'], from: { parquet: { paths: ['none/*.parquet'] } } }),
    told(400, /none\/\*\.parquet/),
  ),
  row('H3.6', 'an unknown output', sql('SELECT 1 AS one', 'bogus'), told(400, /bogus/)),
  row('H3.6', 'SQL that does not parse', sql('SELEC 1'), told(400, /SELEC/)),
  row('H3.6', 'an empty statement', sql(''), told(400)),
  row(
    'H3.6',
    'a statement that fails',
    admin("CREATE EXTERNAL TABLE %new% STORED AS NOTHING LOCATION 'obs/'"),
    told(400, /NOTHING/i),
  ),

  row('H5.1', 'a query', post('/api/parse-query', { sql: 'SELECT 1' }), empty()),
  row('H5.1', 'in JSON', post('/api/parse-query', { select: ['a'] }), empty()),
  row(
    'H5.1',
    'an unknown table is not looked up',
    post('/api/parse-query', { select: ['a'], from: 'nope' }),
    empty(),
  ),
  row(
    'H5.1',
    'types of columns are not checked',
    post('/api/parse-query', { select: ['id'], from: 'obs', filters: [{ column: 'id', eq: 'x' }] }),
    empty(),
  ),
  row('H5.1', 'no query', post('/api/parse-query', {}), told(400), {
    differs: '`parse-query` with any object',
  }),
  row(
    'H5.1',
    'a member that is none',
    post('/api/parse-query', { select: ['a'], limmit: 1 }),
    told(400, /limmit/),
    { differs: '`parse-query` with any object' },
  ),
  row('H5.1', 'an array', post('/api/parse-query', '[]'), told(422), { differs: 'Errors before a handler' }),

  row(
    'H5.2',
    'the plan of SQL',
    post('/api/explain-query', { sql: 'SELECT id FROM obs WHERE depth > 20 ORDER BY id LIMIT 3' }),
    json([{ Plan: NODE }]),
  ),
  row(
    'H5.2',
    'the plan of JSON',
    post('/api/explain-query', { select: ['id'], from: 'obs', filters: [{ column: 'depth', gt: 20 }] }),
    json([{ Plan: NODE }]),
  ),
  row(
    'H5.2',
    'of a statement that DuckDB runs',
    post('/api/explain-query', { sql: 'SELECT a.id FROM obs a JOIN obs b USING (id)' }),
    json([{ Plan: NODE }]),
  ),
  row('H5.2', 'it is pretty-printed', post('/api/explain-query', { sql: 'SELECT 1 AS one' }), {
    ...json(null),
    form: { kind: 'text', shape: /^\[\n {2}\{\n {4}"Plan": \{/ },
  }),
  row(
    'H5.2',
    'output is ignored',
    post('/api/explain-query', { sql: 'SELECT 1 AS one', output: { format: 'csv' } }),
    json([{ Plan: NODE }]),
  ),
  row(
    'H5.2',
    'what cannot be planned',
    post('/api/explain-query', { sql: 'SELECT nope FROM obs' }),
    told(400, /nope/),
  ),
  row(
    'H5.2',
    'an unknown table',
    post('/api/explain-query', { sql: 'SELECT 1 FROM nope' }),
    told(400, /nope/),
  ),
  row(
    'H5.2',
    'a statement, of the super-user too',
    by('super-user', post('/api/explain-query', { sql: 'CREATE VIEW x AS SELECT 1 AS one' })),
    told(400),
  ),
  row(
    'H5.2',
    'INSERT',
    by('super-user', post('/api/explain-query', { sql: 'INSERT INTO obs VALUES (1)' })),
    told(400),
  ),
  row('H5.2', 'SHOW', by('super-user', post('/api/explain-query', { sql: 'SHOW TABLES' })), told(400)),
  row('H5.2', 'the names of a scan', post('/api/explain-query', { select: ['id'], from: 'obs' }), {
    ...json(null),
    form: { kind: 'text', shape: /"Relation Name": "service\.public\.obs"/ },
  }),

  row(
    'H5.3',
    'the plan with what was measured',
    post('/api/explain-analyze-query', { select: ['id'], from: 'obs' }),
    json([
      {
        Plan: atLeast({
          'Node Type': String,
          Details: String,
          'Actual Rows': 5,
          'Actual Total Time': Number,
          Plans: each(ANYTHING),
        }),
      },
    ]),
  ),
  row(
    'H5.3',
    'of SQL',
    post('/api/explain-analyze-query', { sql: 'SELECT count(*) AS n FROM obs' }),
    json([{ Plan: atLeast({ 'Actual Rows': 1, Extras: ANYTHING }) }]),
  ),
  row(
    'H5.3',
    'of DuckDB',
    post('/api/explain-analyze-query', { sql: 'SELECT a.id FROM obs a JOIN obs b USING (id)' }),
    json([{ Plan: atLeast({ 'Actual Rows': 5 }) }]),
  ),
  row(
    'H5.3',
    'of no rows',
    post('/api/explain-analyze-query', { sql: 'SELECT id FROM obs WHERE id > 99' }),
    json([{ Plan: atLeast({ 'Actual Rows': 0 }) }]),
  ),
  row(
    'H5.3',
    'it is compact and has no id',
    post('/api/explain-analyze-query', { select: ['id'], from: 'obs' }),
    withHeaders(
      { 'x-service-query-id': null },
      { ...json(null), form: { kind: 'text', shape: /^\[\{"Plan":\{"Node Type":/ } },
    ),
  ),
  row(
    'H5.3',
    'each operator has its figures',
    post('/api/explain-analyze-query', { sql: 'SELECT platform, count(*) AS n FROM obs GROUP BY 1' }),
    json([
      {
        Plan: atLeast({
          'Actual Rows': 3,
          Plans: [atLeast({ 'Actual Rows': COUNT, 'Actual Total Time': Number, Plans: each(ANYTHING) })],
        }),
      },
    ]),
  ),
  row(
    'H5.3',
    'a statement (it runs in the reference)',
    by('super-user', post('/api/explain-analyze-query', { sql: 'CREATE VIEW %new% AS SELECT 1 AS one' })),
    told(400),
    { differs: 'Analysing a statement' },
  ),
  row(
    'H5.3',
    'DROP',
    by('super-user', post('/api/explain-analyze-query', { sql: 'DROP TABLE obs' })),
    told(400),
    { differs: 'Analysing a statement' },
  ),
  row(
    'H5.3',
    'what does not run',
    post('/api/explain-analyze-query', { sql: 'SELECT nope FROM obs' }),
    told(400, /nope/),
  ),

  row(
    'H5.4',
    'the metrics of a query',
    by('super-user', get('/api/query/metrics/%id%')),
    json(atLeast({ ...METRICS, username: 'anonymous' })),
    {
      first: [
        stepGiving(
          'id',
          'x-service-query-id',
          by('anonymous', query({ select: ['id', { value: '%new%', alias: 'w' }], from: 'obs' })),
        ),
      ],
    },
  ),
  row(
    'H5.4',
    'of SQL',
    by('super-user', get('/api/query/metrics/%id%')),
    json(
      atLeast({
        ...METRICS,
        query: { sql: "SELECT id, '%new%' AS w FROM obs", output: null },
        username: 'reader',
      }),
    ),
    {
      first: [stepGiving('id', 'x-service-query-id', by('reader', sql("SELECT id, '%new%' AS w FROM obs")))],
    },
  ),
  row(
    'H5.4',
    'for the one who ran it',
    by('reader', get('/api/query/metrics/%id%')),
    json(atLeast({ query_id: UUID, username: 'reader' })),
    {
      first: [stepGiving('id', 'x-service-query-id', by('reader', sql("SELECT id, '%new%' AS w FROM obs")))],
    },
  ),
  row(
    'H5.4',
    'for anonymous as one user',
    by('anonymous', get('/api/query/metrics/%id%')),
    json(atLeast({ username: 'anonymous' })),
    {
      first: [
        stepGiving('id', 'x-service-query-id', by('anonymous', sql("SELECT id, '%new%' AS w FROM obs"))),
      ],
    },
  ),
  row(
    'H12.2',
    'for nobody else',
    by('limited', get('/api/query/metrics/%id%')),
    told(404, 'Query ID not found'),
    {
      first: [stepGiving('id', 'x-service-query-id', by('reader', sql("SELECT id, '%new%' AS w FROM obs")))],
    },
  ),
  row(
    'H12.2',
    'nor for anonymous',
    by('anonymous', get('/api/query/metrics/%id%')),
    told(404, 'Query ID not found'),
    {
      first: [stepGiving('id', 'x-service-query-id', by('reader', sql("SELECT id, '%new%' AS w FROM obs")))],
    },
  ),
  row(
    'H5.4',
    'of a file: its bytes',
    by('super-user', get('/api/query/metrics/%id%')),
    json(atLeast({ result_num_rows: 5, result_size_in_bytes: 12 })),
    {
      first: [
        stepGiving(
          'id',
          'x-service-query-id',
          by('reader', sql("SELECT id AS n FROM obs WHERE platform <> '%new%'", 'csv')),
        ),
      ],
    },
  ),
  row('H5.4', 'no UUID', get('/api/query/metrics/1'), told(400, 'Invalid UUID format')),
  row(
    'H5.4',
    'an unknown id',
    get('/api/query/metrics/6f0c3f5e-8f0a-4c4f-9a0e-0f6d7a0b7c11'),
    told(404, 'Query ID not found'),
  ),
  row(
    'H5.4',
    'an id in upper case',
    get('/api/query/metrics/6F0C3F5E-8F0A-4C4F-9A0E-0F6D7A0B7C11'),
    told(404, 'Query ID not found'),
  ),
  row(
    'H5.4',
    'as a table',
    admin("SELECT username, result_num_rows FROM service.system.query_metrics WHERE query_id = '%id%'"),
    stream(['username', 'result_num_rows'], { rows: 1 }),
    {
      first: [stepGiving('id', 'x-service-query-id', by('reader', sql("SELECT id, '%new%' AS w FROM obs")))],
    },
  ),
  row(
    'H5.4',
    'its columns',
    admin('SELECT * FROM service.system.query_metrics LIMIT 0'),
    stream([
      'query_id',
      'username',
      'finished_at',
      'query',
      'input_rows',
      'input_bytes',
      'result_num_rows',
      'result_size_in_bytes',
      'execution_time_ms',
      'file_paths',
      'parsed_logical_plan',
      'optimized_logical_plan',
      'node_metrics',
      'stage_times_ms',
      'user_source',
    ]),
    { differs: '`system.query_metrics`' },
  ),
  row(
    'H5.4',
    'its operators',
    by('super-user', get('/api/query/metrics/%id%')),
    json(atLeast({ node_metrics: atLeast({ children: [ANYTHING] }) })),
    {
      first: [
        stepGiving(
          'id',
          'x-service-query-id',
          by('reader', sql("SELECT platform, '%new%' AS w, count(*) AS n FROM obs GROUP BY 1")),
        ),
      ],
    },
  ),
  row('H5.5', 'columns of the default table', get('/api/query/available-columns'), json([])),
  row(
    'H5.5',
    'of another one',
    get('/api/query/available-columns'),
    json(['id', 'platform', 'time', 'longitude', 'latitude', 'depth', 'temperature']),
    { world: 'obs is the default table' },
  ),
  row('H5.5', 'of one that is not there', get('/api/query/available-columns'), json([]), {
    world: 'no default table',
  }),

  row(
    'H3.4',
    'CSV',
    sql('SELECT id, platform FROM obs WHERE id < 3 ORDER BY id', 'csv'),
    csv('id,platform\n1,A\n2,A\n'),
  ),
  row('H3.4', 'a file of Arrow', sql('SELECT id FROM obs', 'arrow'), arrowFile(['id'], { rows: 5 })),
  row('H3.4', 'its other name', sql('SELECT id FROM obs', 'ipc'), arrowFile(['id'], { rows: 5 })),
  row(
    'H3.4',
    'Parquet',
    sql('SELECT id FROM obs', 'parquet'),
    file('application/vnd.apache.parquet', 'output.parquet', 'PAR1'),
  ),
  row(
    'H3.4',
    'GeoParquet',
    sql('SELECT longitude, latitude FROM obs', {
      geoparquet: { longitude_column: 'longitude', latitude_column: 'latitude' },
    }),
    file('application/vnd.apache.arrow.geo+parquet', 'output.parquet', 'PAR1'),
  ),
  ...['netcdf', 'hdf5', 'h5'].map((format) =>
    row(
      'H3.4',
      `NetCDF as ${format}`,
      sql('SELECT id, depth FROM obs', format),
      file('application/x-netcdf', 'output.nc', '\x89HDF'),
    ),
  ),
  ...['nd_netcdf', 'ndnetcdf'].map((format) =>
    row(
      'H3.4',
      `a grid as ${format}`,
      sql('SELECT id, depth FROM obs', { [format]: { dimension_columns: ['id'] } }),
      file('application/x-netcdf', 'output.nc', '\x89HDF'),
    ),
  ),
  row(
    'H3.4',
    'no JSON in the reference',
    sql('SELECT 1 AS one', 'json'),
    json(atLeast({ columns: each(ANYTHING), rows: [[1]] })),
    { differs: 'JSON answers' },
  ),
  row(
    'H3.4',
    'output of a statement',
    by('super-user', query({ sql: 'CREATE VIEW %new% AS SELECT 1 AS one', output: { format: 'csv' } })),
    told(400, /output|rows/),
  ),
  row('H3.4', 'output of EXPLAIN works here', sql('EXPLAIN SELECT id FROM obs', 'csv'), csv(/id/), {
    differs: 'An EXPLAIN with `output`',
  }),
  row('H3.4', 'output null is none', query({ sql: 'SELECT 1 AS one', output: null }), stream(['one'])),
  row('H3.4', 'an answer without rows', sql('SELECT id FROM obs WHERE id > 99', 'csv'), csv('id\n')),
  row(
    'I4.2',
    'the same in a table of functions',
    by('super-user', get('/api/list-datasets?pattern=obs/a.csv')),
    json([atLeast({ file_path: 'obs/a.csv', format: 'csv' })]),
  ),
  row('I4.2', 'plan and tables agree', get('/api/tables'), json(including('obs'))),
  row(
    'H3.6',
    'an error tells no path of the host',
    sql("SELECT * FROM read_csv('../../etc/passwd')"),
    told(400, /^(?!.*\/tmp\/)/),
  ),
  row('H1.3', 'a text of an error', get('/api/dataset-schema?file=none.csv'), text(400, /none\.csv/), {
    differs: 'A file that cannot be read, in `dataset-schema`',
  }),
  row('H3.3', 'statements that run before', admin('SELECT * FROM %new%'), stream(['one'], { rows: 1 }), {
    first: [step(admin('CREATE VIEW %new% AS SELECT 1 AS one'))],
  }),
]
