import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readConfig, SettingError } from '../../src/main/settings/config.ts'
import { startTestService } from '../e2e/service.ts'
import { post, SUPER_USER, startTestServer } from '../http/test-server.ts'
import { connect, postMessage, toolMessage } from './mcp-client.ts'

t.test('by its setting, in the words of the reference too', async (t) => {
  for (const value of ['true', '1', 'on'])
    t.equal(readConfig({ SERVICE_MCP_ENABLED: value }).config.mcpEnabled, true, value)
  t.equal(readConfig({}).config.mcpEnabled, true)
  t.throws(() => readConfig({ SERVICE_MCP_ENABLED: 'no' }), SettingError)
  for (const value of ['false', '0', 'off']) {
    const { url } = await startTestServer(t, { env: { SERVICE_MCP_ENABLED: value } })
    t.equal((await postMessage(url, toolMessage('list_tables', {}))).status, 404, value)
    t.match(await (await fetch(`${url}/api/info`)).json(), { config: { mcp_enabled: false } })
  }
})

t.test('without SQL there are no tools of SQL, and tables are asked all the same', async (t) => {
  const dataDir = t.testdir({})
  const before = await startTestService(t, { workers: 1, dataDir })
  mkdirSync(join(before.datasets, 'd'))
  writeFileSync(join(before.datasets, 'd/a.csv'), 'n\n1\n2\n')
  for (const sql of [
    "CREATE EXTERNAL TABLE obs STORED AS CSV LOCATION 'd/'",
    `SET EXTENSION 'mcp' FOR obs TO '{"enabled": true, "tool_name": "run_sql"}'`,
  ])
    t.equal((await post(`${before.url}/api/query`, { sql }, SUPER_USER)).status, 200)
  await before.close()
  const service = await startTestService(t, {
    workers: 1,
    dataDir,
    settings: { SERVICE_ENABLE_SQL: 'false' },
  })
  for (const headers of [{}, SUPER_USER]) {
    const { tools, call, json } = await connect(t, service.url, headers)
    t.same(
      (await tools()).map(({ name }) => name),
      ['list_tables', 'describe_table', 'run_sql_2'],
    )
    for (const name of ['run_sql', 'export_query'])
      await t.rejects(call(name, { sql: 'SELECT 1', format: 'csv' }), { code: -32_602 })
    t.same(await json('run_sql_2'), [{ n: 1 }, { n: 2 }])
    t.match(await json('describe_table', { table: 'obs' }), { columns: [{ name: 'n' }] })
  }
})

t.test('below a base path', async (t) => {
  const { url } = await startTestServer(t, { env: { SERVICE_BASE_PATH: '/base' } })
  const message = toolMessage('list_tables', {})
  t.equal((await postMessage(url, message)).status, 404)
  t.equal((await postMessage(`${url}/base`, message)).status, 200)
})
