import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ADMIN } from '../accounts/asked-accounts.ts'
import { startTwo } from './services.ts'

t.test('in SQL and JSON, in views and joins, until it is detached', async (t) => {
  const { here, there, host } = await startTwo(t)
  const { state, lines } = here
  t.match(String(await lines('SELECT * FROM far.public.obs', ADMIN)), /there are no tables in far\.public/)
  t.equal(await state(`ATTACH 'service://${host}' AS far`), null)

  const rows = ['n,word', '1,a', '2,b', '3,c']
  for (const sql of [
    'SELECT n, word FROM far.public.obs',
    'FROM far.obs',
    'SELECT obs.n, obs.word FROM FAR.PUBLIC.OBS ORDER BY n',
    'SELECT o.n, o.word FROM far.obs AS o ORDER BY o.n',
    'SELECT o.n, o.word FROM "far"."public"."obs" o ORDER BY o.n',
    'FROM o: far.public.obs SELECT o.n, o.word',
    'WITH x AS (SELECT * FROM far.obs) SELECT n, word FROM x ORDER BY n',
    'SELECT n, word FROM far.public.obs WHERE n + 0 > 0 ORDER BY n',
    'SELECT * FROM (SELECT n, word FROM far.public.obs) ORDER BY ALL',
  ])
    t.same(await lines(sql, ADMIN), rows, sql)
  t.same(await lines('SELECT count(*) AS c, sum(n) AS s FROM far.obs', ADMIN), ['c,s', '3,6'])
  t.same(await lines('SELECT n FROM far.public."Big View" ORDER BY n', ADMIN), ['n', '2', '3'])
  t.same(
    await lines('SELECT a.n FROM far.obs a JOIN far.public.obs b USING (n) WHERE b.n < 3 ORDER BY 1', ADMIN),
    ['n', '1', '2'],
  )
  writeFileSync(join(here.datasets, 'own.csv'), 'n,m\n2,20\n')
  t.same(await lines("SELECT word, m FROM far.obs JOIN read_csv('own.csv') USING (n)", ADMIN), [
    'word,m',
    'b,20',
  ])
  for (const from of ['far.public.obs', 'far.obs', '"far"."public"."obs"']) {
    const body = { from, select: ['n', 'word'], output: { format: 'csv' } }
    const answer = await here.query(body, { headers: { 'content-type': 'application/json', ...ADMIN } })
    t.same((await answer.text()).trim().split('\n'), rows, from)
  }

  t.equal(await state('CREATE VIEW v AS SELECT n FROM far.public.obs WHERE n > 1'), null)
  t.same(await lines('SELECT * FROM v ORDER BY n', ADMIN), ['n', '2', '3'])
  t.same(await lines('DESCRIBE far.obs', ADMIN), [
    'column_name,data_type,is_nullable',
    'n,Int64,YES',
    'word,Utf8,YES',
  ])

  t.match(String(await lines('SELECT * FROM far.public.nothing', ADMIN)), new RegExp(host))
  t.match(
    String(await lines('SELECT * FROM far.public.obs WHERE nope = 1', ADMIN)),
    /^sql, line 1, column 36: .*nope/,
    'a mistake has its place in what was sent',
  )
  for (const sql of ['SELECT * FROM far.public.obs', 'SELECT * FROM far.obs'])
    t.match(String(await lines(sql)), /there are no tables in far/, 'others find nothing of it')
  t.match(String(await lines('SELECT * FROM v')), /there is no such table|There is no table|v/)
  t.notMatch(String(await lines('SELECT * FROM v')), host)

  t.equal(await there.state('CREATE VIEW later AS SELECT 7 AS n'), null)
  t.same(await lines('SELECT * FROM far.public.later', ADMIN), ['n', '7'], 'also what is made later')

  t.equal(await state('DETACH Far'), null)
  t.match(String(await lines('SELECT * FROM far.public.obs', ADMIN)), /there are no tables in far\.public/)
  t.match(String(await lines('SELECT * FROM v', ADMIN)), /far\.public\.obs/)
  t.match(await state('DETACH far'), /^No catalog "far" is attached/)
  t.equal(await state(`ATTACH '${host}' AS far`), null)
  t.same(await lines('SELECT * FROM v ORDER BY n', ADMIN), ['n', '2', '3'], 'the view is there again')
})

t.test('what is wrong with ATTACH is a 400 that says why, and attaches nothing', async (t) => {
  const { here, host } = await startTwo(t)
  const password = 'Plugh4711'
  for (const [sql, message] of [
    [`ATTACH 'service://127.0.0.1:1' AS far`, /127\.0\.0\.1:1/],
    [`ATTACH 'grpc://${host}' AS far`, /HTTP/],
    [`ATTACH 'ftp://${host}' AS far`, /ftp/],
    [`ATTACH 'postgres://${host}/db' AS far`, /^postgres is not read yet/],
    [`ATTACH 'http://u:${password}@${host}' AS far`, /no user, no password/],
    [`ATTACH 'http://${host}?token=${password}' AS far`, /no query/],
    [`ATTACH 'service://${host}' AS far WITH ('username' 'a')`, /needs a password/],
    [`ATTACH 'service://${host}' AS far WITH ('password' '${password}')`, /needs a username/],
    [`ATTACH 'service://${host}' AS far WITH ('token' '${password}', 'user' 'a')`, /not both/],
    [`ATTACH 'service://${host}' AS far WITH ('token' '${password}', 'secret' 'a')`, /not both/],
    [`ATTACH 'service://${host}' AS far WITH ('secret' 'a')`, /^There is no secret "a"/],
    [`ATTACH 'service://${host}' AS far WITH ('token' '***')`, /write the value/],
    [`ATTACH 'service://${host}' AS far WITH ('tls' 'maybe')`, /"tls" is true or false/],
    [`ATTACH 'service://${host}' AS far WITH ('nope' '${password}')`, /this one has another/],
    [`ATTACH 'service://${host}' AS far WITH ('username' 'x', 'password' '${password}')`, /has answered 401/],
    [`ATTACH 'service://${host}' AS service`, /own catalog/],
    [`ATTACH 'service://${host}' AS "public"`, /reserved/],
    [`ATTACH 'service://${host}' AS temp`, /reserved/],
    [`ATTACH 'service://${host}' AS "a b"`, /a word/],
    [`ATTACH 'service://${host}'`, /expected AS/],
    [`ATTACH "service://${host}" AS far`, /an address in single quotes/],
  ] as const) {
    const told = String(await here.state(sql))
    t.match(told, message, sql)
    t.notMatch(told, password)
  }
  t.match(await here.state('DETACH far'), /^No catalog "far" is attached/)
})

t.test('by a login in the statement, or by a secret, and none is told', async (t) => {
  const password = 'Plugh4711'
  const { here, there, host } = await startTwo(
    t,
    {},
    { SERVICE_AUTH_ANONYMOUS_ENABLED: 'false', SERVICE_AUTH_ENFORCE: 'true' },
  )
  for (const sql of [
    `CREATE USER reader WITH PASSWORD '${password}'`,
    'CREATE ROLE r',
    'GRANT SELECT ON ALL TO ROLE r',
    'GRANT ROLE r TO USER reader',
  ])
    t.equal(await there.state(sql), null)
  const count = () => here.lines('SELECT count(*) AS c FROM far.obs', ADMIN)
  t.equal(await here.state(`ATTACH '${host}' AS far WITH (username reader, 'password' '${password}')`), null)
  t.same(await count(), ['c', '3'])
  t.match(await here.state(`ATTACH '${host}' AS far WITH (username reader, 'password' 'x')`), /401/)
  t.same(await count(), ['c', '3'], 'what does not answer replaces nothing')
  t.equal(await here.state(`CREATE SECRET s (TYPE service, USERNAME 'reader', PASSWORD '${password}')`), null)
  t.equal(await here.state(`ATTACH '${host}' AS far WITH ('secret' 's')`), null)
  t.same(await count(), ['c', '3'])
  t.equal(await here.state(`CREATE SECRET s (TYPE service, USERNAME 'reader', PASSWORD 'x')`), null)
  t.match(String(await count()), /401/, 'each request reads the secret')
  t.equal(await here.state('DROP SECRET s'), null)
  t.match(String(await count()), /^There is no secret "s"|There is no secret "s"/)
  const told = JSON.stringify([
    await here.lines('SELECT * FROM service.system.query_metrics', ADMIN),
    await here.lines('SHOW SECRETS', ADMIN),
  ])
  t.match(told, /ATTACH/)
  t.notMatch(told, password)
})

t.test('the super-user alone sees it in lists', async (t) => {
  const { here, host } = await startTwo(t)
  t.equal(await here.state(`ATTACH 'http://${host}/' AS far`), null)
  const get = async (path: string, headers: Readonly<Record<string, string>> = ADMIN) => {
    const answer = await fetch(`${here.url}${path}`, { headers })
    return { status: answer.status, body: answer.status === 200 ? await answer.json() : await answer.text() }
  }
  const far = {
    name: 'far',
    schemas: [
      {
        name: 'public',
        tables: [
          { name: 'Big View', table_type: 'VIEW' },
          { name: 'default', table_type: 'BASE TABLE' },
          { name: 'obs', table_type: 'BASE TABLE' },
        ],
      },
    ],
  }
  const { body } = await get('/api/catalogs')
  t.same((body as { catalogs: object[] }).catalogs.slice(1), [far])
  t.notMatch(JSON.stringify((await get('/api/catalogs', {})).body), 'far')
  t.match(await here.lines('SHOW TABLES', ADMIN), [
    'table_catalog,table_schema,table_name,table_type',
    'far,public,Big View,VIEW',
  ])
  t.notMatch(JSON.stringify(await here.lines('SHOW TABLES')), 'far')
  t.same(
    await here.lines(
      "SELECT table_name FROM information_schema.tables WHERE table_catalog = 'far' ORDER BY 1",
      ADMIN,
    ),
    ['table_name', 'Big View', 'default', 'obs'],
  )
  t.same(
    await here.lines("SELECT schema_name FROM information_schema.schemata WHERE catalog_name = 'far'", ADMIN),
    ['schema_name', 'public'],
  )
  t.same(await here.lines('SELECT * FROM service.system.attached', ADMIN), [
    'name,kind,address,secret',
    `far,service,http://${host},`,
  ])
  const parameters = 'table_name=obs&catalog=far&schema=public'
  const schema = await get(`/api/table-schema?${parameters}`)
  t.match(JSON.stringify(schema), /"n".*"word"/)
  t.equal((await get(`/api/table-schema?${parameters}`, {})).status, 404)
  t.equal((await get('/api/table-schema?table_name=no&catalog=far&schema=public')).status, 404)
  t.same((await get(`/api/admin/table-definition?${parameters}`)).body, {
    table_catalog: 'far',
    table_schema: 'public',
    table_name: 'obs',
    definition: null,
  })
  t.equal(await here.state('DETACH far'), null)
  t.same(await here.lines('SELECT * FROM service.system.attached', ADMIN), ['name,kind,address,secret'])
})
