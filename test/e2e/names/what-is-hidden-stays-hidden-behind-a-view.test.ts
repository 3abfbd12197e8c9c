import assert from 'node:assert/strict'
import t from 'tap'
import { startTables } from '../../external/tables.ts'
import { SUPER_USER } from '../../http/test-server.ts'

const tables = await startTables(t)
const { put, command, settle, url, query } = tables
put('a.csv', 'n,s\n1,x\n2,y\n')
await settle()
for (const statement of [
  "CREATE EXTERNAL TABLE obs STORED AS CSV LOCATION 'a.csv'",
  'CREATE VIEW peek AS SELECT query_id FROM service.system.query_metrics',
  'CREATE VIEW deeper AS SELECT query_id AS q FROM peek',
  'CREATE VIEW counted AS SELECT count(*) AS n FROM deeper',
  'CREATE VIEW names AS SELECT table_name FROM information_schema.tables',
  'CREATE VIEW in_with AS WITH obs AS (FROM service.information_schema."columns") SELECT table_name FROM obs',
  'CREATE VIEW joined AS SELECT obs.n FROM obs, (SELECT count(*) AS c FROM names) AS x',
])
  assert.equal(await command(statement), '', statement)

const VIEWS = ['peek', 'deeper', 'counted', 'names', 'in_with', 'joined', 'public.peek', '"Names"']

/** Names that requests in JSON do not have. */
const IN_SQL = [
  ...['service.system.query_metrics', '"service"."system"."query_metrics"', 'SERVICE.System.Query_Metrics'],
  ...['information_schema.tables', 'service.information_schema.columns', 'Information_Schema.views'],
  ...['"information_schema".schemata', 'information_schema/* x */./* y */tables'],
]

const asked: readonly (readonly [route: string, body: object])[] = [
  ...VIEWS.map((name) => ['/api/query', { from: name, select: [{ value: 1, alias: 'one' }] }] as const),
  ...[...VIEWS, ...IN_SQL].flatMap((name) =>
    [
      `SELECT * FROM ${name}`,
      `SELECT count(*) AS n FROM ${name}`,
      `SELECT 1 AS one FROM ${name} LIMIT 0`,
      `SELECT n FROM obs WHERE n > (SELECT count(*) FROM ${name})`,
      `WITH c AS (FROM ${name}) SELECT count(*) OVER () FROM c`,
      `SELECT n FROM obs UNION ALL SELECT 1 FROM ${name}`,
      `EXPLAIN SELECT * FROM ${name}`,
      `EXPLAIN ANALYZE SELECT * FROM ${name}`,
      `SUMMARIZE ${name}`,
      `SUMMARIZE SELECT * FROM ${name}`,
      `DESCRIBE SELECT * FROM ${name}`,
    ].map((sql) => ['/api/query', { sql }] as const),
  ),
  ...[...VIEWS, ...IN_SQL].flatMap((name) =>
    ['/api/explain-query', '/api/explain-analyze-query'].map(
      (route) => [route, { sql: `SELECT * FROM ${name}` }] as const,
    ),
  ),
]

async function send(
  route: string,
  body: object,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  return fetch(`${url}${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

t.test('the super-user reads it', async (t) => {
  for (const [route, body] of asked) {
    const answer = await send(route, body, SUPER_USER)
    const text = await answer.text()
    t.equal(answer.status, 200, `${route} ${JSON.stringify(body)}: ${answer.status === 200 ? '' : text}`)
  }
})

t.test('others are told who may, also where the super-user has just asked', async (t) => {
  for (const [route, body] of asked) {
    const answer = await send(route, body, {})
    const text = await answer.text()
    t.equal(answer.status, 400, `${route} ${JSON.stringify(body)}`)
    t.match(text, /super-user/, `${route} ${JSON.stringify(body)}`)
  }
})

t.test('a tag of the super-user is no right', async (t) => {
  const q = encodeURIComponent(JSON.stringify({ sql: 'SELECT table_name FROM names' }))
  const first = await fetch(`${url}/api/query?q=${q}`, { headers: SUPER_USER })
  t.equal(first.status, 200)
  await first.arrayBuffer()
  const etag = first.headers.get('etag') ?? 'W/"none"'
  const other = await fetch(`${url}/api/query?q=${q}`, { headers: { 'if-none-match': etag } })
  t.equal(other.status, 400)
  const [one, two] = await Promise.all([
    fetch(`${url}/api/query?q=${q}`, { headers: SUPER_USER }),
    fetch(`${url}/api/query?q=${q}`),
  ])
  t.same([one.status, two.status], [200, 400], 'asked at once')
})

t.test('what is beside it is for everybody', async (t) => {
  const answer = await query({ sql: 'SELECT n FROM obs', output: { format: 'csv' } })
  t.equal(await answer.text(), 'n\n1\n2\n')
  const schema = await fetch(`${url}/api/table-schema?table_name=query_metrics&schema=system`)
  t.equal(schema.status, 404)
  const { catalogs } = (await (await fetch(`${url}/api/catalogs`)).json()) as {
    catalogs: { schemas: { name: string }[] }[]
  }
  t.same(
    catalogs.flatMap(({ schemas }) => schemas.map(({ name }) => name)),
    ['public'],
  )
})
