import t from 'tap'
import { basic } from '../http/test-server.ts'
import { ADMIN, startAccountService } from './asked-accounts.ts'

const ANN = { authorization: basic('ann', 'a: pass') }

t.test('as the lists show them, also after a restart', async (t) => {
  const service = await startAccountService(t)
  const { state } = service
  for (const sql of [
    `CREATE USER ann WITH PASSWORD 'a: pass'`,
    `create user "Zoë@example.org" with password 'it''s'`,
    'CREATE ROLE reader',
    'CREATE ROLE "none"',
    'GRANT ROLE reader TO USER ann',
    'GRANT ROLE none TO USER ann',
    'GRANT ROLE reader TO USER ann',
    'GRANT ROLE reader TO USER anonymous',
    `GRANT SELECT ON TABLE service.public."My Table" TO ROLE reader`,
    'GRANT SELECT ON TABLE obs TO ROLE reader',
    'GRANT SELECT ON TABLE OBS TO ROLE reader',
    `GRANT SELECT ON PATH 'argo/**/*.nc' TO ROLE reader`,
    `GRANT SELECT ON PATH 'ARGO/**/*.nc' TO ROLE reader`,
    'DENY SELECT TO ROLE reader',
    'DENY SELECT ON ALL TO ROLE reader',
    `DENY SELECT ON PATH 'argo/it''s/*' TO ROLE reader`,
    `GRANT SELECT ON PATH 'gone' TO ROLE reader`,
    `REVOKE SELECT ON PATH 'gone' FROM ROLE reader`,
    `REVOKE SELECT ON PATH 'never' FROM ROLE reader`,
    `REVOKE DENY SELECT ON PATH 'argo/**/*.nc' FROM ROLE reader`,
  ])
    t.equal(await state(sql), null, sql)
  const users = [
    { username: 'root', roles: [], is_super_user: true, is_anonymous: false },
    { username: 'Zoë@example.org', roles: [], is_super_user: false, is_anonymous: false },
    { username: 'ann', roles: ['none', 'reader'], is_super_user: false, is_anonymous: false },
    { username: 'anonymous', roles: ['reader'], is_super_user: false, is_anonymous: true },
  ]
  const rule = (target_type: string, target_value: string | null) => ({
    privilege: 'SELECT',
    target_type,
    target_value,
  })
  const roles = [
    { name: 'none', grants: [], denies: [] },
    {
      name: 'reader',
      grants: [
        rule('path', 'ARGO/**/*.nc'),
        rule('path', 'argo/**/*.nc'),
        rule('table', 'My Table'),
        rule('table', 'obs'),
      ],
      denies: [rule('all', null), rule('path', "argo/it's/*")],
    },
  ]
  t.strictSame(await service.users(), users)
  t.strictSame(await service.roles(), roles)
  t.same(await service.lines('SELECT 1 AS n', ANN), ['n', '1'], 'the user logs in')
  await service.close()
  const again = await startAccountService(t, { dataDir: service.dataDir })
  t.strictSame(await again.users(), users)
  t.strictSame(await again.roles(), roles)
  t.same(await again.lines('SELECT 1 AS n', ANN), ['n', '1'])
})

t.test('a statement that cannot be run says why, and changes nothing', async (t) => {
  const { state, users, roles } = await startAccountService(t)
  for (const sql of [`CREATE USER ann WITH PASSWORD 'p'`, 'CREATE ROLE reader', 'CREATE ROLE anonymous'])
    t.equal(await state(sql), null, sql)
  const before = [await users(), await roles()]
  for (const [sql, message] of [
    [`CREATE USER root WITH PASSWORD 'p'`, /^This is the name of the super-user/],
    [`CREATE USER anonymous WITH PASSWORD 'p'`, /^This is the name of callers without credentials/],
    [`CREATE USER ann WITH PASSWORD 'q'`, /^There is a user of this name already/],
    [`CREATE USER "a:b" WITH PASSWORD 'p'`, /has no colon/],
    [`CREATE USER "a\nb" WITH PASSWORD 'p'`, /has no control characters/],
    [`CREATE USER "${'ö'.repeat(128)}" WITH PASSWORD 'p'`, /has at most 255 bytes/],
    [`CREATE USER "\ud800" WITH PASSWORD 'p'`, /not shown here/],
    [`CREATE USER bob WITH PASSWORD ''`, /^A password is not empty/],
    [`CREATE USER bob WITH PASSWORD '${'x'.repeat(4097)}'`, /^A password has at most 4096 bytes/],
    ['DROP USER root', /"root" is the super-user/],
    ['DROP USER Ann', /^There is no user "Ann", did you mean "ann"\?$/],
    ['DROP USER anonymous', /SERVICE_AUTH_ANONYMOUS_ENABLED/],
    ['CREATE ROLE reader', /^There is a role "reader" already/],
    ['CREATE ROLE "a\tb"', /has no control characters/],
    ['DROP ROLE Reader', /^There is no role "Reader", did you mean "reader"\?$/],
    ['GRANT ROLE reader TO USER bob', /^There is no user "bob"/],
    ['GRANT ROLE reader TO USER root', /"root" is the super-user/],
    [`DROP USER ${'x'.repeat(100_000)}`, /^.{0,300}$/],
    ['GRANT ROLE writer TO USER ann', /^There is no role "writer"/],
    ['REVOKE ROLE writer FROM USER ann', /^There is no role "writer"/],
    ['GRANT SELECT TO ROLE writer', /^There is no role "writer"/],
    ['REVOKE SELECT FROM ROLE writer', /^There is no role "writer"/],
    ...['INSERT', 'UPDATE', 'DELETE', 'CREATE', 'DROP', 'ALL'].flatMap((word): [string, RegExp][] => [
      [`GRANT ${word} TO ROLE reader`, /^Roles are read-only/],
      [`DENY ${word} ON TABLE t TO ROLE reader`, /^Roles are read-only/],
      [`REVOKE ${word} ON PATH 'a' FROM ROLE reader`, /^Roles are read-only/],
    ]),
    ['GRANT SELECT ON TABLE other.public.t TO ROLE reader', /service\.public alone/],
    ['GRANT SELECT ON TABLE system.users TO ROLE reader', /service\.public alone/],
    [`GRANT SELECT ON TABLE ${'t'.repeat(4097)} TO ROLE reader`, /at most 4096 bytes/],
    [`GRANT SELECT ON PATH '${'p'.repeat(4097)}' TO ROLE reader`, /longer than 4096 bytes/],
    [`GRANT SELECT ON PATH '../a' TO ROLE reader`, /`\.\.`/],
    [`GRANT SELECT ON PATH '/a' TO ROLE reader`, /absolute/],
    [`DENY SELECT ON PATH '' TO ROLE reader`, /empty/],
    [`REVOKE SELECT ON PATH 's3://a' FROM ROLE reader`, /scheme/],
  ] as const)
    t.match(await state(sql), message, sql)
  t.same([await users(), await roles()], before)
})

t.test(
  'a role that is dropped is taken from its users, and a new one of its name is not theirs',
  async (t) => {
    const { state, users, dataDir, close } = await startAccountService(t)
    for (const sql of [
      `CREATE USER ann WITH PASSWORD 'p'`,
      'CREATE ROLE reader',
      'GRANT ROLE reader TO USER ann',
      'DROP ROLE reader',
      'CREATE ROLE reader',
    ])
      t.equal(await state(sql), null, sql)
    t.match(await users(), [{}, { username: 'ann', roles: [] }, {}])
    await close()
    const again = await startAccountService(t, { dataDir })
    t.match(await again.users(), [{}, { username: 'ann', roles: [] }, {}])
  },
)

t.test('a user that is dropped and created again has another password and no roles', async (t) => {
  const { state, users, lines } = await startAccountService(t)
  for (const sql of [
    `CREATE USER ann WITH PASSWORD 'a: pass'`,
    'CREATE ROLE reader',
    'GRANT ROLE reader TO USER ann',
  ])
    t.equal(await state(sql), null, sql)
  t.same(await lines('SELECT 1 AS n', ANN), ['n', '1'])
  t.equal(await state('DROP USER ann'), null)
  t.equal(await state(`CREATE USER ann WITH PASSWORD 'another'`), null)
  t.match(await users(), [{}, { username: 'ann', roles: [] }, {}])
  await t.rejects(lines('SELECT 1 AS n', ANN), 'the old one is wrong: 401 has no body')
  t.same(await lines('SELECT 1 AS n', { authorization: basic('ann', 'another') }), ['n', '1'])
})

t.test('without anonymous access nobody needs the user anonymous', async (t) => {
  const on = await startAccountService(t)
  t.equal(await on.state('CREATE ROLE r'), null)
  t.equal(await on.state('GRANT ROLE r TO USER anonymous'), null)
  await on.close()
  const off = await startAccountService(t, {
    dataDir: on.dataDir,
    settings: { SERVICE_AUTH_ANONYMOUS_ENABLED: 'false' },
  })
  t.match(await off.users(), [{}, { username: 'anonymous', roles: ['r'] }])
  t.equal(await off.state('DROP USER anonymous'), null)
  t.equal((await off.users()).length, 1)
  t.match(await off.state('GRANT ROLE r TO USER anonymous'), /^There is no user/)
  t.same(await off.lines('SELECT 1 AS n'), ['n', '1'], 'a caller without a header is not refused for that')
  await off.close()
  const again = await startAccountService(t, { dataDir: on.dataDir })
  t.match(await again.users(), [{}, { username: 'anonymous', roles: [] }], 'it has lost its roles')
})

t.test('the tables of the service have them for the super-user alone, also behind a view', async (t) => {
  const { state, lines } = await startAccountService(t)
  for (const sql of [
    `CREATE USER ann WITH PASSWORD 'a: pass'`,
    'CREATE ROLE reader',
    'CREATE ROLE none',
    'GRANT ROLE reader TO USER ann',
    'GRANT SELECT ON TABLE "a b" TO ROLE reader',
    `DENY SELECT ON PATH 'x/*' TO ROLE reader`,
    'DENY SELECT TO ROLE reader',
    'CREATE VIEW peek AS SELECT username FROM service.system.users',
  ])
    t.equal(await state(sql), null, sql)
  t.same(await lines('FROM service.system.users ORDER BY username', ADMIN), [
    'username,roles,is_super_user,is_anonymous',
    'ann,"[""reader""]",false,false',
    'anonymous,[],false,true',
    'root,[],true,false',
  ])
  t.same(await lines('FROM service.system.role_rules', ADMIN), [
    'role,effect,privilege,target_type,target_value',
    'none,,,,',
    'reader,grant,SELECT,table,a b',
    'reader,deny,SELECT,all,',
    'reader,deny,SELECT,path,x/*',
  ])
  t.same(
    await lines(
      `SELECT u.username FROM service.system.users u JOIN service.system.role_rules r ON contains(u.roles, '"' || r.role || '"') WHERE r.effect = 'grant'`,
      ADMIN,
    ),
    ['username', 'ann'],
  )
  const all = `{"privilege":"SELECT","target_type":"all","target_value":null}`
  const path = `{"privilege":"SELECT","target_type":"path","target_value":"x/*"}`
  const table = `{"privilege":"SELECT","target_type":"table","target_value":"a b"}`
  const quote = (json: string) => `"${json.replaceAll('"', '""')}"`
  t.same(await lines('FROM service.system.roles', ADMIN), [
    'role_name,grants,denies',
    'none,[],[]',
    `reader,${quote(`[${table}]`)},${quote(`[${all},${path}]`)}`,
  ])
  t.same(await lines('SELECT count(*) AS n FROM peek', ADMIN), ['n', '3'])
  for (const headers of [{}, ANN])
    for (const sql of [
      'FROM service.system.users',
      'FROM service.system.roles',
      'FROM service.system.role_rules',
      'FROM peek',
      'DESCRIBE peek',
    ])
      t.match(await lines(sql, headers), sql.startsWith('DESCRIBE') ? /./ : /super-user/, sql)
})

t.test('only the super-user runs such statements, and sees the lists', async (t) => {
  const { state, lines, url } = await startAccountService(t)
  t.equal(await state(`CREATE USER ann WITH PASSWORD 'a: pass'`), null)
  for (const headers of [{}, ANN])
    for (const sql of [
      `CREATE USER bob WITH PASSWORD 'p'`,
      'DROP USER ann',
      'CREATE ROLE r',
      'DROP ROLE r',
      'GRANT ROLE r TO USER ann',
      'REVOKE ROLE r FROM USER ann',
      'GRANT SELECT TO ROLE r',
      'DENY SELECT TO ROLE r',
      'REVOKE SELECT FROM ROLE r',
    ])
      t.match(await lines(sql, headers), /super-user/, sql)
  for (const path of ['users', 'roles']) {
    for (const base of ['/api/admin/auth', '/admin/api/admin/auth']) {
      t.equal((await fetch(`${url}${base}/${path}`)).status, 401, path)
      t.equal((await fetch(`${url}${base}/${path}`, { headers: ANN })).status, 403, path)
      t.equal((await fetch(`${url}${base}/${path}`, { headers: ADMIN })).status, 200, path)
    }
  }
})
