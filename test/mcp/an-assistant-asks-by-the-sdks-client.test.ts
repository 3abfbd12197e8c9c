import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { startTestService, type TestService } from '../e2e/service.ts'
import { post, SUPER_USER } from '../http/test-server.ts'
import { PYTHON, skipWithout } from '../support/python.ts'
import { connect } from './mcp-client.ts'

const ROWS = ['a,1,3', 'a,20,4', 'b,5,5', 'b,70,6', 'c,30,7']

const MCP = {
  enabled: true,
  tool_name: 'stations',
  title: 'Stations',
  description: 'Depths of stations',
  exposed_columns: ['depth', { name: 'station', description: 'its letter' }],
  guardrails: { note: 'no speculation' },
}

const PRESET = {
  presets: [
    {
      name: 'deep',
      description: 'below 10 m',
      filters: [{ column: 'depth', op: '>', value: 10 }],
    },
  ],
}

async function start(t: Test, basePath = ''): Promise<TestService> {
  const started = await startTestService(t, { workers: 1, settings: { SERVICE_BASE_PATH: basePath } })
  const service = { ...started, url: started.url + basePath }
  mkdirSync(join(service.datasets, 'd'))
  writeFileSync(join(service.datasets, 'd/a.csv'), `station,depth,secret\n${ROWS.join('\n')}\n`)
  await admin(service, "CREATE EXTERNAL TABLE obs STORED AS CSV LOCATION 'd/'")
  return service
}

async function admin(service: TestService, sql: string): Promise<void> {
  const answer = await post(`${service.url}/api/query`, { sql }, SUPER_USER)
  if (answer.status !== 200) throw new Error(await answer.text())
}

function extend(service: TestService, kind: string, value: object, table = 'obs'): Promise<void> {
  return admin(service, `SET EXTENSION '${kind}' FOR ${table} TO '${JSON.stringify(value)}'`)
}

t.test('it learns what there is, and asks for it', async (t) => {
  const service = await start(t)
  const { client, tools, call, json } = await connect(t, service.url)
  t.match(client.getServerVersion(), { name: 'service', version: /^\d/ })
  t.match(client.getInstructions(), /list_tables/)
  const listed = await tools()
  t.same(
    listed.map(({ name }) => name),
    ['list_tables', 'describe_table', 'run_sql', 'export_query'],
  )
  for (const { annotations, inputSchema } of listed) {
    t.match(annotations, { readOnlyHint: true, destructiveHint: false })
    t.equal(inputSchema.type, 'object')
  }
  t.same(await json('list_tables'), [
    { table: '"default"', type: 'BASE TABLE' },
    { table: 'obs', type: 'BASE TABLE' },
  ])
  t.same(await json('list_tables', { name_contains: 'OB' }), [{ table: 'obs', type: 'BASE TABLE' }])
  t.match(await json('describe_table', { table: 'obs' }), {
    table: 'obs',
    columns: [
      { name: 'station', type: 'Utf8' },
      { name: 'depth', type: 'Int64' },
      { name: 'secret', type: 'Int64' },
    ],
  })
  for (const name of ['"default"', 'default', 'public.obs', 'OBS'])
    t.notOk((await call('describe_table', { table: name })).isError, name)
  const sql = 'SELECT station, sum(depth) AS depth FROM obs GROUP BY station ORDER BY station'
  t.same(await json('run_sql', { sql }), [
    { station: 'a', depth: 21 },
    { station: 'b', depth: 75 },
    { station: 'c', depth: 30 },
  ])
  t.same(await json('run_sql', { sql: 'SELECT * FROM obs WHERE depth < 0' }), [])
  t.match(await json('run_sql', { sql: 'DESCRIBE obs' }), [{ column_name: 'station' }, {}, {}])
  t.match(await json('run_sql', { sql: 'EXPLAIN SELECT depth FROM obs' }), [{ plan: /depth/ }])
})

t.test('a query has metrics, and an answer that was kept has those of its run', async (t) => {
  const service = await start(t)
  const { call } = await connect(t, service.url)
  const sql = 'SELECT depth FROM obs WHERE depth > 10'
  const { queryId } = await call('run_sql', { sql })
  const answer = await fetch(`${service.url}/api/query/metrics/${queryId}`)
  t.equal(answer.status, 200)
  t.match(await answer.json(), { query: { sql }, result_num_rows: 3 })
})

t.test('a failure is a result that says what to mend', async (t) => {
  const service = await start(t)
  const { client, call } = await connect(t, service.url)
  const failures = [
    ['run_sql', { sql: 'SELEC 1' }, /did you mean "SELECT"/],
    ['run_sql', { sql: 'SELECT dept FROM obs' }, /line 1, column 8: .*depth/],
    ['run_sql', { sql: 'SELECT * FROM nope' }, /nope/],
    ['run_sql', { sql: 1 }, /^sql: expected a string, found 1/],
    ['run_sql', {}, /^sql: expected a string, found nothing/],
    ['run_sql', { sql: 'SELECT 1', limit: 1 }, /^limit: unknown member/],
    ['run_sql', { sql: 'SELECT 1; SELECT 2' }, /one statement/],
    ['describe_table', { table: 'nope' }, /no table "nope" that you may read/],
    ['describe_table', { tabel: 'obs' }, /^tabel: unknown member, did you mean "table"/],
    ['list_tables', { name_contains: 5 }, /^name_contains: expected a string/],
    ['export_query', { sql: 'SELECT 1' }, /^format: expected parquet, arrow or csv, found nothing/],
    ['export_query', { sql: 'SHOW TABLES', format: 'csv' }, /SHOW begins a statement that is no query/],
    ['export_query', { sql: 'EXPLAIN SELECT 1', format: 'csv' }, /expected a query, found EXPLAIN/],
    ['export_query', { sql: 'SELECT * FROM nope', format: 'csv' }, /nope/],
    ['export_query', { sql: `SELECT '${'x'.repeat(70_000)}'`, format: 'csv' }, /65536/],
  ] as const
  for (const [name, args, message] of failures) {
    const { isError, texts } = await call(name, args)
    t.ok(isError, `${name} ${JSON.stringify(args).slice(0, 80)}`)
    t.match(texts[0], message)
  }
  await t.rejects(client.callTool({ name: 'run_sq', arguments: {} }), {
    code: -32_602,
    message: /no tool "run_sq"/,
  })
  await t.rejects(client.listTools({ cursor: 'x' }), { code: -32_602 })
  await t.rejects(client.listResources(), /not support|Method not found/)
})

t.test('what may have a password is not repeated', async (t) => {
  const service = await start(t)
  const { call } = await connect(t, service.url, SUPER_USER)
  for (const sql of [
    "CREATE USER a WITH PASSWORD 'geheim'",
    "SELECT 1; CREATE USER a WITH PASSWORD 'geheim'",
  ]) {
    const { isError, texts } = await call('run_sql', { sql })
    t.ok(isError)
    t.notMatch(texts.join(), /geheim/)
  }
})

t.test('a table with the extension is a tool, with its columns and presets', async (t) => {
  const service = await start(t)
  const { tools, call, json } = await connect(t, service.url)
  await extend(service, 'mcp', { ...MCP, enabled: false })
  t.equal((await tools()).length, 4, 'not before it is enabled')
  await extend(service, 'mcp', MCP)
  await extend(service, 'preset', PRESET)
  const tool = (await tools()).at(-1)
  t.match(tool, {
    name: 'stations',
    title: 'Stations',
    description:
      /^Depths of stations\n.*table obs.*\nColumns: depth \(Int64\); station \(Utf8\): its letter\.\n.*no speculation/,
    inputSchema: {
      properties: {
        select: { items: { enum: ['depth', 'station'] } },
        preset: { enum: ['deep'], description: /below 10 m/ },
        limit: { default: 100, maximum: 1000 },
      },
    },
  })
  t.same(await json('stations'), [
    { depth: 1, station: 'a' },
    { depth: 20, station: 'a' },
    { depth: 5, station: 'b' },
    { depth: 70, station: 'b' },
    { depth: 30, station: 'c' },
  ])
  t.same(await json('stations', { select: ['depth', 'depth'], preset: 'deep' }), [
    { depth: 20 },
    { depth: 70 },
    { depth: 30 },
  ])
  t.match(await json('stations', { select: ['depth'], limit: 2 }), {
    truncated: true,
    returned_rows: 2,
    max_rows: 2,
    rows: [{ depth: 1 }, { depth: 20 }],
  })
  t.equal(((await json('stations', { limit: 1e6 })) as unknown[]).length, 5, 'more than the most is the most')
  for (const [args, message] of [
    [{ select: ['secret'] }, /^select\[0\]: there is no column "secret"/],
    [{ select: ['dept'] }, /did you mean "depth"/],
    [{ select: [] }, /^select: expected at least one column/],
    [{ select: 'depth' }, /^select: expected an array/],
    [{ preset: 'shallow' }, /no preset "shallow"; it has deep/],
    [{ limit: 0 }, /^limit: expected a whole number from 1 to 1000, found 0/],
    [{ limit: 1.5 }, /^limit: /],
    [{ where: 'x' }, /^where: unknown member/],
  ] as const) {
    const { isError, texts } = await call('stations', args)
    t.ok(isError, JSON.stringify(args))
    t.match(texts[0], message)
  }
  t.match(await json('describe_table', { table: 'obs' }), { title: 'Stations', presets: PRESET.presets })
  t.match(await json('list_tables', { name_contains: 'obs' }), [{ description: 'Depths of stations' }])
})

t.test('each tool has a name of its own', async (t) => {
  const service = await start(t)
  const { tools, json } = await connect(t, service.url)
  await admin(service, 'CREATE VIEW "obs 2" AS SELECT station FROM obs')
  await admin(service, 'CREATE VIEW v AS SELECT depth FROM obs')
  await extend(service, 'mcp', { enabled: true, tool_name: 'run_sql' })
  await extend(service, 'mcp', { enabled: true }, '"obs 2"')
  await extend(service, 'mcp', { enabled: true, tool_name: 'run_sql' }, 'v')
  t.same(
    (await tools()).slice(4).map(({ name }) => name),
    ['run_sql_2', 'query_obs_2', 'run_sql_3'],
  )
  t.match(await json('query_obs_2', { limit: 5 }), [{ station: 'a' }, {}, {}, {}, {}])
  t.match(await json('run_sql_3', { limit: 5 }), [{ depth: 1 }, {}, {}, {}, {}])
})

t.test('a tool whose columns are gone is gone', async (t) => {
  const service = await start(t)
  const { tools } = await connect(t, service.url)
  await extend(service, 'mcp', { ...MCP, exposed_columns: ['secret'] })
  t.equal((await tools()).length, 5)
  writeFileSync(join(service.datasets, 'd/a.csv'), 'station,depth\na,1\n')
  await admin(service, 'REFRESH obs')
  t.equal((await tools()).length, 4)
})

t.test('the list of tools has pages', async (t) => {
  const service = await start(t)
  const { client, tools } = await connect(t, service.url)
  const long = 'x'.repeat(60_000)
  for (let number = 0; number < 12; number++) {
    await admin(service, `CREATE VIEW v${number} AS SELECT depth FROM obs`)
    await extend(service, 'mcp', { enabled: true, description: long }, `v${number}`)
  }
  const { tools: first, nextCursor } = await client.listTools()
  t.ok(JSON.stringify(first).length < 300_000)
  t.type(nextCursor, 'string')
  t.equal(new Set((await tools()).map(({ name }) => name)).size, 16)
})

t.test('an export is a program that works', { skip: skipWithout('json') }, async (t) => {
  const service = await start(t, '/base')
  const { json } = await connect(t, service.url)
  const sql = 'SELECT station AS "naïve \\ name", depth FROM obs ORDER BY depth'
  const recipe = (await json('export_query', { sql, format: 'csv' })) as { readonly python: string }
  t.match(recipe, {
    format: 'csv',
    request: { method: 'POST', path: '/base/api/query', body: { sql, output: { format: 'csv' } } },
  })
  const cwd = join(service.dataDir, 'exports')
  mkdirSync(cwd)
  await promisify(execFile)(PYTHON, ['-c', recipe.python], { cwd })
  t.equal(readFileSync(join(cwd, 'output.csv'), 'utf8'), 'naïve \\ name,depth\na,1\nb,5\na,20\nc,30\nb,70\n')
  for (const format of ['parquet', 'arrow'])
    t.match(await json('export_query', { sql, format }), { python: new RegExp(`"output\\.${format}"`) })
})
