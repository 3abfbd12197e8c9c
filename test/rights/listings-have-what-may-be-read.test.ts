import t, { type Test } from 'tap'
import { SUPER_USER } from '../http/test-server.ts'
import { denyOn, type EnforcedService, GRANT_ALL, grantOn, startEnforced } from './enforced.ts'
import { listed, readable } from './listed.ts'

const VIEWS = {
  over_open: 'SELECT n FROM open',
  over_secret: 'SELECT n FROM secret',
  twice: 'SELECT n | 0 AS n FROM over_secret',
  over_gone: 'SELECT n FROM gone',
  joined_gone: 'SELECT o.n FROM open o JOIN gone USING (n)',
  alias: 'SELECT gone.n FROM gone: open',
  common: 'WITH gone AS (SELECT n FROM open), secret AS (FROM gone) SELECT n FROM secret',
  constants: 'SELECT 5 AS n',
}

async function started(t: Test, settings = {}): Promise<EnforcedService> {
  const service = await startEnforced(t, { 'a.csv': 'n\n1\n2\n', 'b.csv': 'n\n7\n' }, { settings })
  for (const [name, path] of Object.entries({ open: 'a.csv', secret: 'b.csv', gone: 'a.csv' }))
    await service.admin(`CREATE EXTERNAL TABLE ${name} STORED AS CSV LOCATION '${path}'`)
  for (const [name, query] of Object.entries(VIEWS)) await service.admin(`CREATE VIEW ${name} AS ${query}`)
  await service.admin('DROP TABLE gone')
  return service
}

const NAMES = ['open', 'secret', 'gone', 'default', ...Object.keys(VIEWS)].toSorted()

t.test('each listing has what may be read, and nothing else', async (t) => {
  const service = await started(t)
  for (const [rules, names] of [
    [[], []],
    [[grantOn('open')], ['open']],
    [[grantOn('over_open')], []],
    [
      [grantOn('over_open'), grantOn('OPEN')],
      ['open', 'over_open'],
    ],
    [[grantOn('constants'), grantOn('nothing'), grantOn('gone')], ['constants']],
    [[grantOn('default')], ['default']],
    [[GRANT_ALL], NAMES.filter((name) => !/gone/.test(name))],
    [[GRANT_ALL, denyOn('Secret')], NAMES.filter((name) => !/gone|secret|twice/.test(name))],
    [
      [GRANT_ALL, denyOn('over_secret'), denyOn('default')],
      NAMES.filter((name) => !/gone|over_secret|twice|default/.test(name)),
    ],
  ] as const) {
    await service.allow(...rules)
    const context = JSON.stringify(rules)
    t.same(await readable(service, NAMES), names, `read: ${context}`)
    const { statuses, catalogs, count, ...lists } = await listed(service, NAMES)
    for (const [door, list] of Object.entries(lists)) t.same(list.toSorted(), names, `${door}: ${context}`)
    t.equal(count, names.length, context)
    t.equal(catalogs, names.length > 0 ? 1 : 0, 'a schema without a table is not there')
    for (const status of statuses) t.ok([200, 404].includes(status), String(status))
  }
  const all = await listed(service, NAMES, SUPER_USER)
  t.same(
    all.tables.toSorted(),
    NAMES.filter((name) => name !== 'gone'),
    'the super-user sees all',
  )
})

t.test('of a table that may not be read there are no columns', async (t) => {
  const service = await started(t, { SERVICE_DEFAULT_TABLE: 'over_secret' })
  await service.allow(GRANT_ALL, denyOn('secret'))
  const same = async (path: string, status: number, text: string) =>
    t.same(await service.ask(path), { status, text }, path)
  await same('/api/default-table-schema', 200, '{"fields":[],"metadata":{}}')
  await same('/api/query/available-columns', 200, '[]')
  await same('/api/default-table', 200, '"over_secret"')
  for (const name of ['secret', 'over_secret', 'gone', 'over_gone', 'nothing'])
    await same(`/api/table-schema?table_name=${name}`, 404, `Table service.public.${name} not found`)
  await same('/api/table-schema?table_name=users&schema=system', 404, 'Table service.system.users not found')
  await service.allow(GRANT_ALL)
  const { text } = await service.ask('/api/query/available-columns')
  t.equal(text, '["n"]')
})

t.test('without enforcement rules hide nothing', async (t) => {
  const service = await started(t, { SERVICE_AUTH_ENFORCE: 'false' })
  await service.allow(denyOn('secret'))
  const { tables, count } = await listed(service, NAMES)
  t.same(
    tables.toSorted(),
    NAMES.filter((name) => name !== 'gone'),
  )
  t.equal(count, NAMES.length - 1)
  t.match(
    (await service.asked({ sql: 'SELECT * FROM secre' })).text,
    /Did you mean|did you mean|There is no table/,
  )
})
