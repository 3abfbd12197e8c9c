import t from 'tap'
import { SUPER_USER } from '../http/test-server.ts'
import { connect } from '../mcp/mcp-client.ts'
import { startEnforced } from '../rights/enforced.ts'

const TABLE = "CREATE EXTERNAL TABLE below STORED AS CSV LOCATION 'a.csv'"
const PRESET = { presets: [{ name: 'some', filters: [{ column: 'n', op: '<', value: 2 }] }] }

t.test('and its tool and presets say what is missing, until the table is there again', async (t) => {
  const service = await startEnforced(t, { 'a.csv': 'n\n1\n2\n' }, { workers: 1 })
  const { admin, url } = service
  for (const sql of [
    TABLE,
    'CREATE VIEW v AS SELECT n FROM below',
    `SET EXTENSION 'mcp' FOR v TO '{"enabled": true, "tool_name": "of_v"}'`,
    `SET EXTENSION 'preset' FOR v TO '${JSON.stringify(PRESET)}'`,
  ])
    await admin(sql)
  const reader = await service.user('reader', 'GRANT SELECT ON ALL')
  const one = await service.user('one', 'GRANT SELECT ON TABLE v')
  const extensionsOf = async (headers: Readonly<Record<string, string>>) => {
    const answer = await fetch(`${url}/api/table-extensions?table_name=v`, { headers })
    const text = await answer.text()
    return answer.status === 200 ? Object.keys(JSON.parse(text)) : answer.status
  }
  const withPreset = async (): Promise<readonly unknown[]> => {
    const body = { select: ['n'], from: 'v', preset: 'some', output: { format: 'csv' } }
    const headers = { ...SUPER_USER, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/api/query`, { method: 'POST', headers, body: JSON.stringify(body) })
    return [answer.status, await answer.text()]
  }
  const { call, json, tools } = await connect(t, url, SUPER_USER)

  t.same(await json('of_v', { preset: 'some' }), [{ n: 1 }])
  t.same(await withPreset(), [200, 'n\n1\n'])
  t.same(await extensionsOf(one), 404, 'who may not read the table below has no view')

  await admin('DROP TABLE below')
  t.match(await call('of_v'), { isError: true, texts: [/below/] })
  t.match(await withPreset(), [400, /below/])
  t.ok(
    (await tools()).some(({ name }) => name === 'of_v'),
    'the list still has it',
  )
  const asReader = await connect(t, url, reader)
  const isListed = (await asReader.tools()).some(({ name }) => name === 'of_v')
  const called = await asReader.call('of_v').catch(({ code }) => ({ code }))
  t.match(called, isListed ? { isError: true } : { code: -32_602 }, 'what is not listed is not there')
  t.same(await extensionsOf(SUPER_USER), ['mcp', 'preset'])
  t.equal(await extensionsOf({}), 404)

  await admin(TABLE)
  t.same(await json('of_v'), [{ n: 1 }, { n: 2 }])
  t.same(await withPreset(), [200, 'n\n1\n'])

  await admin('DROP VIEW v')
  t.equal(await extensionsOf(SUPER_USER), 404)
  await t.rejects(call('of_v'), { code: -32_602 })
  await admin('CREATE VIEW v AS SELECT n FROM below')
  t.same(await extensionsOf(SUPER_USER), [], 'one of the same name begins without')
  await t.rejects(call('of_v'), { code: -32_602 })
})
