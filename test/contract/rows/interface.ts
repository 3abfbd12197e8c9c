import { csv, empty, file, json, stream, text, told } from '../expected.ts'
import { admin, by, get, having, post, query, sql, step, stepGiving } from '../requests.ts'
import { type Row, row } from '../row.ts'
import { ANYTHING, atLeast, COUNT, each, either, including, without } from '../shapes.ts'

/** What the interface itself says, where the other chapters have it in parts: I 1 to I 9. */
export const INTERFACE: readonly Row[] = [
  row(
    'I1',
    'both styles go to one route and share output',
    query({ select: ['id'], from: 'obs', limit: 1, output: { format: 'csv' } }),
    csv(/^id\n\d\n$/),
  ),
  row('I1', 'SQL does too', sql('SELECT count(*) AS n FROM obs', 'csv'), csv('n\n5\n')),
  row(
    'I2.1',
    '*.csv',
    query({ select: ['id'], from: { csv: { paths: ['obs/*.csv'] } } }),
    stream(['id'], { rows: 5 }),
  ),
  row(
    'I2.1',
    '**/*.parquet',
    query({ select: ['id'], from: { parquet: { paths: ['ctd/**/*.parquet'] } } }),
    stream(['id'], { rows: 10 }),
  ),
  row(
    'I2.2',
    'the full name of a table',
    sql('SELECT count(*) AS n FROM service.public.obs', 'csv'),
    csv('n\n5\n'),
  ),
  row(
    'I2.2',
    'a table type',
    get('/api/catalogs'),
    json(
      atLeast({
        catalogs: including(
          atLeast({
            schemas: including(
              atLeast({ name: 'public', tables: including({ name: 'obs', table_type: 'BASE TABLE' }) }),
            ),
          }),
        ),
      }),
    ),
  ),
  row(
    'I2.3',
    'a field',
    get('/api/dataset-schema?file=obs/a.csv'),
    json({
      fields: each({
        name: String,
        data_type: either(String, ANYTHING),
        nullable: Boolean,
        metadata: ANYTHING,
        dict_id: 0,
        dict_is_ordered: false,
      }),
      metadata: ANYTHING,
    }),
  ),
  row(
    'I2.4',
    'the tree',
    get('/api/catalogs'),
    json({
      default_catalog: String,
      default_schema: String,
      catalogs: each({
        name: String,
        schemas: each({ name: String, tables: each({ name: String, table_type: String }) }),
      }),
    }),
  ),
  row(
    'I2.5',
    'a definition',
    by('super-user', get('/api/admin/table-definition?table_name=ctd')),
    json({ table_catalog: 'service', table_schema: 'public', table_name: 'ctd', definition: String }),
  ),
  row(
    'I2.6',
    'a crawler',
    by(
      'super-user',
      post('/api/admin/crawlers', {
        name: '%new%',
        target_prefix: 'obs/',
        format_filter: ['csv'],
        schedule_secs: 3600,
        table_naming: 'crawler_prefixed',
      }),
    ),
    empty(),
  ),
  row(
    'I2.7',
    'an external table',
    by(
      'super-user',
      post('/api/admin/external-tables', {
        name: '%new%',
        file_type: 'PARQUET',
        location: 'ctd/',
        partition_cols: [],
      }),
    ),
    empty(),
  ),
  row(
    'I2.8',
    'version, configuration and tables',
    get('/api/info'),
    json(atLeast({ service_version: String, config: ANYTHING, table_count: COUNT })),
  ),
  row(
    'I2.9',
    'no from: the default table',
    query({ select: ['temperature'] }),
    stream(['temperature'], { rows: 5 }),
    { world: 'obs is the default table' },
  ),
  row(
    'I2.10',
    'a plain column, an alias, a function',
    query({
      select: [
        'id',
        { column: 'depth', alias: 'd' },
        { function: 'round', args: ['temperature', { value: 0 }], alias: 't' },
      ],
      from: 'obs',
    }),
    stream(['id', 'd', 't'], { rows: 5 }),
  ),
  row(
    'I2.11',
    'or around branches',
    query({
      select: ['id'],
      from: 'obs',
      filters: [
        {
          or: [
            { column: 'id', eq: 1 },
            { column: 'platform', eq: 'C' },
          ],
        },
      ],
      sort_by: [{ Asc: 'id' }],
      output: { format: 'csv' },
    }),
    csv('id\n1\n5\n'),
  ),
  row(
    'I2.11',
    'several filters hold all',
    query({
      select: ['id'],
      from: 'obs',
      filters: [
        { column: 'id', gt: 1 },
        { column: 'platform', eq: 'A' },
      ],
      output: { format: 'csv' },
    }),
    csv('id\n2\n'),
  ),
  row(
    'I2.12',
    'one downloaded file',
    query({ select: ['id'], from: 'obs', output: { format: 'parquet' } }),
    file('application/vnd.apache.parquet', 'output.parquet', 'PAR1'),
  ),
  row(
    'I4.2',
    'the id of a query gives its metrics',
    by('super-user', get('/api/query/metrics/%id%')),
    json(atLeast({ result_num_rows: 1 })),
    { first: [stepGiving('id', 'x-service-query-id', by('reader', sql("SELECT '%new%' AS w")))] },
  ),
  row(
    'I4.2',
    'SHOW CREATE TABLE',
    admin('SHOW CREATE TABLE ctd'),
    stream(['table_catalog', 'table_schema', 'table_name', 'definition'], { rows: 1 }),
  ),
  row('I4.3', 'is_admin', by('super-user', get('/api/admin/check')), json({ is_admin: true })),
  row(
    'I4.3',
    'a configuration is no longer supported',
    by('super-user', get('/api/admin/table-config?table_name=ctd')),
    json({ message: /no longer supported/ }),
  ),
  row(
    'I4.3',
    'the definition of an unknown table',
    by('super-user', get('/api/admin/table-definition?table_name=%new%')),
    text(404, /%new%/),
  ),
  row(
    'I4.6',
    'the alias needs the super-user where the plain path is open',
    by('anonymous', get('/admin/api/health')),
    empty(401),
    { isNoRoute: true },
  ),
  row('I4.6', 'it has the same handler', by('super-user', get('/admin/api/default-table')), json('default'), {
    isNoRoute: true,
  }),
  row(
    'I5',
    'an anonymous request only reads',
    by('anonymous', sql('CREATE VIEW %new% AS SELECT 1 AS one')),
    told(400, /super-user/),
  ),
  row('I5', 'administration without credentials', by('anonymous', get('/api/admin/auth/users')), empty(401)),
  row(
    'I5',
    'the user and the password of the settings',
    having(
      { authorization: `Basic ${Buffer.from('service-admin:service-password').toString('base64')}` },
      by('super-user', get('/api/tables')),
    ),
    json(including('obs')),
  ),
  row(
    'I7',
    'metrics of another user',
    by('reader', get('/api/query/metrics/%id%')),
    told(404, 'Query ID not found'),
    { first: [stepGiving('id', 'x-service-query-id', by('anonymous', sql("SELECT '%new%' AS w")))] },
  ),
  row(
    'I7',
    'parse-query checks no types',
    post('/api/parse-query', { select: ['id'], from: 'obs', filters: [{ column: 'platform', gt: 1 }] }),
    empty(),
  ),
  row('I9', 'deprecated listings go on', get('/api/datasets?pattern=obs/a.csv'), json(['obs/a.csv'])),
  row('I9', 'table functions are empty', get('/api/table-functions'), json([])),
  row(
    'I4.1',
    'a dropped table is in no list',
    get('/api/tables-with-schema'),
    json(without(atLeast({ table_name: '%new%' }))),
    { first: [step(admin('CREATE VIEW %new% AS SELECT 1 AS one')), step(admin('DROP VIEW %new%'))] },
  ),
]
