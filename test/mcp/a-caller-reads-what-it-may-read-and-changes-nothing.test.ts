import t from 'tap'
import { basic, SUPER_USER } from '../http/test-server.ts'
import { startEnforced } from '../rights/enforced.ts'
import { connect, postMessage, toolMessage } from './mcp-client.ts'

const FILES = { 'a.csv': 'n\n1\n2\n', 'hidden/c.csv': 'n\n9\n' }

async function start(t: Parameters<typeof startEnforced>[0]) {
  const service = await startEnforced(t, FILES, { workers: 1 })
  await service.admin("CREATE EXTERNAL TABLE open STORED AS CSV LOCATION 'a.csv'")
  await service.admin("CREATE EXTERNAL TABLE secret STORED AS CSV LOCATION 'hidden/c.csv'")
  await service.admin("CREATE VIEW v AS SELECT n FROM read_csv('hidden/c.csv')")
  for (const table of ['open', 'secret', 'v'])
    await service.admin(`SET EXTENSION 'mcp' FOR ${table} TO '{"enabled": true, "tool_name": "of_${table}"}'`)
  return service
}

t.test('tables are tools for those who may read them', async (t) => {
  const service = await start(t)
  const some = await service.user('some', 'GRANT SELECT ON TABLE open', 'GRANT SELECT ON TABLE v')
  const none = await service.user('none')
  const of = async (headers: Readonly<Record<string, string>>) => {
    const { tools, json } = await connect(t, service.url, headers)
    const tables = (await json('list_tables')) as { readonly table: string }[]
    return [(await tools()).slice(4).map(({ name }) => name), tables.map(({ table }) => table)]
  }
  t.same(await of(SUPER_USER).then(([names]) => names), ['of_open', 'of_secret', 'of_v'])
  t.same(await of(some), [['of_open'], ['open']], 'a view takes the right to its files')
  t.same(await of(none), [[], []])
  t.same(await of({}), [[], []])
  const { call, json } = await connect(t, service.url, some)
  t.same(await json('of_open'), [{ n: 1 }, { n: 2 }])
  for (const name of ['of_secret', 'of_v', 'of_nothing'])
    await t.rejects(call(name), { code: -32_602, message: new RegExp(`There is no tool "${name}"`) })
  // What is taken away holds from the next message on.
  await service.admin('REVOKE SELECT ON TABLE open FROM ROLE "role of some"')
  await t.rejects(call('of_open'), { code: -32_602 })
})

t.test('an answer that was kept for one caller is not given to another', async (t) => {
  const service = await start(t)
  const all = await service.user('all', 'GRANT SELECT ON ALL')
  const sql = 'SELECT n FROM secret'
  const { json } = await connect(t, service.url, all)
  t.same(await json('run_sql', { sql }), [{ n: 9 }])
  t.same(await json('run_sql', { sql }), [{ n: 9 }])
  const { call } = await connect(t, service.url)
  t.match(await call('run_sql', { sql }), { isError: true, texts: [/permission denied/] })
})

t.test('the super-user reads as itself and changes nothing', async (t) => {
  const service = await start(t)
  const { call, json } = await connect(t, service.url, SUPER_USER)
  t.match(await json('run_sql', { sql: 'SELECT role_name FROM service.system.roles' }), [])
  t.match(await json('run_sql', { sql: 'SHOW CREATE TABLE open' }), [{ table_name: 'open' }])
  t.ok(JSON.stringify(await json('list_tables')).includes('query_metrics'))
  t.match(await json('describe_table', { table: 'system.roles' }), { columns: [{ name: 'role_name' }] })
  for (const sql of [
    'DROP TABLE open',
    "CREATE EXTERNAL TABLE x STORED AS CSV LOCATION 'a.csv'",
    'CREATE VIEW w AS SELECT 1 AS n',
    'REFRESH open',
    "SET EXTENSION 'mcp' FOR open TO '{}'",
    "DROP EXTENSION 'mcp' FOR open",
    "CREATE USER a WITH PASSWORD 'b'",
    'CREATE ROLE a',
    'GRANT SELECT ON ALL TO ROLE a',
    'CREATE CRAWLER c',
    'CREATE USER',
  ])
    t.match(await call('run_sql', { sql }), { isError: true, texts: [/^Nothing can be changed here/] }, sql)
  for (const sql of [
    'INSERT INTO open VALUES (1)',
    "COPY open TO 'x.csv'",
    'SET threads = 1',
    "ATTACH 'x' AS y",
  ])
    t.ok((await call('run_sql', { sql })).isError, sql)
  t.same(await json('of_open'), [{ n: 1 }, { n: 2 }], 'everything is as it was')
  const user = await service.user('some', 'GRANT SELECT ON ALL')
  const other = await connect(t, service.url, user)
  t.match(await other.call('run_sql', { sql: 'DROP TABLE open' }), { isError: true })
  t.match(await other.call('run_sql', { sql: 'SHOW CREATE TABLE open' }), {
    isError: true,
    texts: [/super-user/],
  })
})

t.test('wrong credentials are never anonymous', async (t) => {
  const service = await start(t)
  for (const authorization of [basic('service-admin', 'wrong'), basic('nobody', 'x'), 'Bearer x', 'x']) {
    const message = toolMessage('run_sql', { sql: 'SELECT 1' })
    t.match(await postMessage(service.url, message, { authorization }), { status: 401, text: '' })
    await t.rejects(connect(t, service.url, { authorization }))
  }
  t.equal(
    (await postMessage(`${service.url}/admin`, toolMessage('list_tables', {}))).status,
    404,
    'and no alias',
  )
})
