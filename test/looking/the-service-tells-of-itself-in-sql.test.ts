import t from 'tap'
import { field } from '../../src/plan/types/schema.ts'
import { put } from '../catalog/definitions.ts'
import { SUPER_USER } from '../http/test-server.ts'
import { startLooking } from './looking.ts'

const { signal } = new AbortController()
const service = await startLooking(t)
const { catalog, look, refusal } = service
const COLUMNS = {
  fields: [field('id', { kind: 'int', bits: 64, signed: true }, false), field('name', { kind: 'utf8' })],
  metadata: {},
}
await catalog.change([put('b "c".d', 'a.csv', 'CSV', COLUMNS), put('obs', 'a.csv', 'CSV', COLUMNS)], signal)

t.test('tables, views, columns and schemas', async (t) => {
  const named = 'SELECT table_schema, table_name, table_type FROM'
  const tables = [
    { table_schema: 'public', table_name: 'b "c".d', table_type: 'BASE TABLE' },
    { table_schema: 'public', table_name: 'default', table_type: 'BASE TABLE' },
    { table_schema: 'public', table_name: 'obs', table_type: 'BASE TABLE' },
    { table_schema: 'system', table_name: 'crawler_runs', table_type: 'BASE TABLE' },
    { table_schema: 'system', table_name: 'query_metrics', table_type: 'BASE TABLE' },
  ]
  for (const from of [
    'information_schema.tables',
    'service.information_schema.tables t',
    '"Information_Schema"."TABLES"',
  ])
    t.strictSame(await look(`${named} ${from} WHERE table_type <> 'VIEW' ORDER BY 1, 2`), tables, from)
  t.strictSame(
    (await look('SHOW TABLES')).map(({ table_schema, table_name }) => `${table_schema}.${table_name}`),
    [
      ...['columns', 'df_settings', 'parameters', 'routines', 'schemata', 'tables', 'views'].map(
        (name) => `information_schema.${name}`,
      ),
      ...['b "c".d', 'default', 'obs'].map((name) => `public.${name}`),
      ...[
        'attached',
        'crawler_runs',
        'file_stats',
        'file_stats_segments',
        'query_metrics',
        'role_rules',
        'roles',
        'users',
      ].map((name) => `system.${name}`),
    ],
  )
  t.strictSame(
    await look(
      "SELECT information_schema.columns.column_name, ordinal_position + 0 AS at, data_type FROM information_schema.columns WHERE table_name = 'obs' ORDER BY 2",
    ),
    [
      { column_name: 'id', at: 1, data_type: 'Int64' },
      { column_name: 'name', at: 2, data_type: 'Utf8' },
    ],
  )
  t.strictSame(await look('SELECT schema_name FROM information_schema.schemata ORDER BY 1'), [
    { schema_name: 'information_schema' },
    { schema_name: 'public' },
    { schema_name: 'system' },
  ])
  t.strictSame(
    await look("SELECT count(*) AS n FROM information_schema.columns WHERE table_name IN ('obs', 'default')"),
    [{ n: 2 }],
  )
  t.strictSame(
    await look('SELECT count(*) AS n FROM information_schema.views WHERE definition IS NOT NULL'),
    [{ n: 0 }],
  )
})

t.test('the settings in use, without secrets', async (t) => {
  t.strictSame(
    await look(
      "SELECT * FROM information_schema.df_settings WHERE name IN ('name', 'enable_sql', 'admin_password', 'admin_username') ORDER BY name",
    ),
    [
      { name: 'admin_username', value: 'service-admin' },
      { name: 'enable_sql', value: 'true' },
      { name: 'name', value: 'service' },
    ],
  )
})

t.test('the signatures of functions, and their parameters', async (t) => {
  t.strictSame(
    await look(
      "SELECT routine_type, is_deterministic, data_type, function_type FROM information_schema.routines WHERE routine_name = 'upper'",
    ),
    [{ routine_type: 'FUNCTION', is_deterministic: 'YES', data_type: 'Utf8', function_type: 'SCALAR' }],
  )
  t.strictSame(
    await look(
      `SELECT ordinal_position + 0 AS at, parameter_mode, parameter_name, data_type, is_variadic FROM information_schema.parameters
        WHERE specific_name = 'concat_ws' ORDER BY rid, 1`,
    ),
    [
      { at: 0, parameter_mode: 'OUT', parameter_name: null, data_type: 'Utf8', is_variadic: 'NO' },
      { at: 1, parameter_mode: 'IN', parameter_name: 'separator', data_type: 'Utf8', is_variadic: 'NO' },
      { at: 2, parameter_mode: 'IN', parameter_name: 'text', data_type: 'ANY', is_variadic: 'YES' },
    ],
  )
  t.strictSame(
    await look(`SELECT count(*) AS n FROM (SELECT specific_name, count(*) AS n FROM information_schema.routines GROUP BY 1) r
      JOIN (SELECT specific_name, count(*) AS n FROM information_schema.parameters WHERE parameter_mode = 'OUT' GROUP BY 1) p
      USING (specific_name) WHERE r.n <> p.n`),
    [{ n: 0 }],
    'each signature has one result',
  )
})

t.test('a join with itself, and a table that is made in the meantime', async (t) => {
  const sql = `SELECT t.table_name, count(*) AS n FROM information_schema.tables t
    JOIN information_schema.columns c USING (table_schema, table_name) WHERE table_schema = 'public' GROUP BY 1 ORDER BY 1`
  t.strictSame(await look(sql), [
    { table_name: 'b "c".d', n: 2 },
    { table_name: 'obs', n: 2 },
  ])
  await catalog.change([put('later', 'a.csv', 'CSV', COLUMNS)], signal)
  t.strictSame((await look(sql)).length, 3, 'the answer is not kept')
  t.strictSame((await look('SHOW TABLES')).length, 19)
  await catalog.change([{ kind: 'drop', name: 'later' }], signal)
  t.strictSame((await look(sql)).length, 2)
})

t.test('the metrics of queries, at once', async (t) => {
  const answer = await service.query({ sql: 'SELECT 42 AS a' })
  await answer.arrayBuffer()
  const id = answer.headers.get('x-service-query-id')
  const [row] = await look(
    `SELECT *, finished_at::TIMESTAMP > now()::TIMESTAMP - INTERVAL 1 HOUR AS is_new FROM service.system.query_metrics WHERE query_id = '${id}'`,
  )
  t.match(row, { query_id: id, username: 'anonymous', result_num_rows: 1, is_new: true })
  t.match(JSON.parse(String(row?.['query'])), { sql: 'SELECT 42 AS a' })
  t.ok(
    Array.isArray(JSON.parse(String(row?.['optimized_logical_plan']))),
    'the plan as in the answer of the route',
  )
  const [count] = await look(
    'SELECT count(*) AS n, count(DISTINCT query_id) AS ids FROM service.system.query_metrics',
  )
  t.ok(Number(count?.['n']) > 5)
  t.equal(count?.['n'], count?.['ids'], 'each once')
})

t.test('in JSON too', async (t) => {
  const ask = (body: object, headers = {}) =>
    service.query(
      { ...body, output: { format: 'json' } },
      { headers: { 'content-type': 'application/json', ...headers } },
    )
  const query = {
    from: 'service.information_schema.columns',
    select: ['column_name', { function: 'upper', args: ['data_type'], alias: 'type' }],
    filters: [{ column: 'table_name', eq: 'obs' }],
    sort_by: [{ Asc: 'column_name' }],
  }
  const answer = await ask(query, SUPER_USER)
  t.match(await answer.json(), {
    rows: [
      ['id', 'INT64'],
      ['name', 'UTF8'],
    ],
  })
  const counted = await ask(
    {
      from: 'Information_Schema."TABLES"',
      select: ['table_type'],
      distinct: { on: ['table_type'], select: ['table_type'] },
    },
    SUPER_USER,
  )
  t.equal(counted.status, 200)
  const refused = await ask(query)
  t.equal(refused.status, 400)
  t.match(await refused.json(), 'super-user')
})

t.test('to the super-user alone, whatever way they are named', async (t) => {
  for (const sql of [
    'FROM information_schema.tables',
    'SELECT count(*) FROM service.information_schema.columns',
    'FROM service.system.query_metrics',
    'WITH a AS (FROM information_schema.views) SELECT * FROM a',
    'SELECT 1 WHERE EXISTS (FROM information_schema.schemata)',
    'EXPLAIN SELECT * FROM information_schema.tables',
    'DESCRIBE information_schema.tables',
    'DESCRIBE SELECT * FROM information_schema.tables',
    'SUMMARIZE service.system.query_metrics',
  ])
    t.match(await refusal(sql, {}), 'super-user', sql)
  t.match(await look('SUMMARIZE information_schema.tables'), [{ column_name: 'table_catalog', distinct: 1 }])
})

t.test('what is not there is told in words of the request', async (t) => {
  t.match(await refusal('FROM information_schema.tabels'), 'information_schema.tables')
  t.match(await refusal('SELECT nothing FROM information_schema.tables'), 'nothing')
  t.notMatch(await refusal('SELECT nothing FROM information_schema.tables'), 'information_tables')
  t.match(await refusal('FROM system.query_metrics'), 'service.system.query_metrics')
})

t.test('EXPLAIN names them in full', async (t) => {
  const [plan] = await look(
    "EXPLAIN SELECT table_name FROM information_schema.columns WHERE table_name = 'obs'",
  )
  t.match(plan?.['plan'], 'service.information_schema.columns')
})
