import t, { type Test } from 'tap'
import { SUPER_USER } from '../http/test-server.ts'
import { denyOn, type EnforcedService, GRANT_ALL, grantOn, refusal, startEnforced } from './enforced.ts'
import { queriesOver } from './queries-over.ts'

/** Tables `open`, `secret`, views over them, and a view over what is gone. */
async function started(t: Test, settings = {}): Promise<EnforcedService> {
  const files = { 'a.csv': 'n\n1\n2\n', 'b.csv': 'n\n7\n', 'hidden/c.csv': 'n\n9\n' }
  const service = await startEnforced(t, files, { settings })
  for (const [name, path] of [
    ['open', 'a.csv'],
    ['secret', 'b.csv'],
    ['gone', 'a.csv'],
  ])
    await service.admin(`CREATE EXTERNAL TABLE ${name} STORED AS CSV LOCATION '${path}'`)
  for (const [name, query] of [
    ['over_open', 'SELECT n FROM open'],
    ['over_secret', 'SELECT n FROM secret'],
    ['twice', 'SELECT n FROM over_secret'],
    ['joined', 'SELECT o.n + 0 AS n FROM open o LEFT JOIN secret s USING (n)'],
    ['over_gone', 'SELECT n FROM gone'],
    ['joined_gone', 'SELECT o.n + 0 AS n FROM open o LEFT JOIN gone g USING (n)'],
    ['common', 'WITH secret AS (SELECT n + 1 AS n FROM open) SELECT n FROM secret'],
    ['constants', 'SELECT 5 AS n'],
    ['above_constants', 'SELECT n + 1 AS n FROM constants'],
  ])
    await service.admin(`CREATE VIEW ${name} AS ${query}`)
  await service.admin('DROP TABLE gone')
  return service
}

t.test('a table that is refused, one that is not there, and views over both', async (t) => {
  const service = await started(t)
  await service.allow(GRANT_ALL, denyOn('SECRET'))
  // What is kept of these holds no decision.
  for (const name of ['open', 'secret', 'over_secret', 'twice', 'joined', 'common'])
    for (const query of queriesOver(name))
      t.equal((await service.asked(query, SUPER_USER)).status, 200, `warmed: ${JSON.stringify(query)}`)
  for (const name of ['secret', 'nothing', 'over_secret', 'twice', 'joined', 'over_gone', 'joined_gone'])
    for (const query of queriesOver(name))
      t.same(await service.asked(query), { status: 400, text: refusal(name) }, JSON.stringify(query))
  for (const name of ['open', 'over_open', 'common', 'above_constants'])
    for (const query of queriesOver(name)) {
      const { status, text } = await service.asked(query)
      t.equal(status, 200, `${JSON.stringify(query)} ${text.slice(0, 300)}`)
    }
})

t.test('a name is refused as it was written', async (t) => {
  const service = await started(t)
  await service.allow(GRANT_ALL, denyOn('secret'))
  for (const [written, printed] of [
    ['SECRET', 'SECRET'],
    ['"Secret"', 'Secret'],
    ['public.secret', 'public.secret'],
    ['Service.PUBLIC.Secret', 'Service.PUBLIC.Secret'],
    ['public.nothing', 'public.nothing'],
    ['service.public."no thing"', 'service.public.no thing'],
    ['public."OVER_Secret"', 'public.OVER_Secret'],
    ['public.Joined', 'public.Joined'],
    ['public.joined_GONE', 'public.joined_GONE'],
  ] as const)
    for (const sql of [
      `SELECT n FROM ${written}`,
      `SELECT n + 0 AS m FROM ${written}`,
      `SELECT * FROM open o, ${written}`,
    ])
      t.same(await service.asked({ sql }), { status: 400, text: refusal(printed) }, sql)
  for (const from of ['Secret', 'public.secret', 'a.b.c.d', '', 'b.csv', 'hidden', 'JOINED', 'Over_Gone'])
    t.same(await service.asked({ from, select: ['n'] }), { status: 400, text: refusal(from) }, from)
  await service.allow(GRANT_ALL, denyOn('default'))
  t.same(await service.asked({ select: ['n'] }), { status: 400, text: refusal('default') })
})

t.test('no message names what the caller has not written', async (t) => {
  const service = await started(t, { SERVICE_SQL_ENGINES: '1' })
  const warm = `SELECT s.n + 0 FROM secret s, over_secret o, twice, joined`
  t.equal((await service.asked({ sql: warm }, SUPER_USER)).status, 200)
  await service.allow(grantOn('open'), grantOn('over_open'), grantOn('joined'), grantOn('over_gone'))
  const hidden = ['secret', 'over_secret', 'twice', 'joined', 'gone', 'over_gone', 'a.csv', 'b.csv', 'hidden']
  for (const sql of [
    'SELECT * FROM secre',
    'SELECT * FROM public.secre',
    'SELECT * FROM service.public.over_secre',
    'SELECT * FROM main.secre',
    'SELECT secret FROM open',
    'SELECT secret.n FROM open',
    'SELECT secre.n + 1 FROM open',
    'SELECT twic + 1 FROM open o',
    'SELECT public.secre.n + 1 FROM open',
    'SELECT n + m FROM open',
    'SELECT n::secre FROM open',
    'SELECT secre(n) FROM open',
    'SELECT * FROM open NATURAL JOIN secre',
    'SELECT * FROM open POSITIONAL JOIN twic',
    'SELECT * FROM (FROM twic)',
    'TABLE twic',
    'FROM twic',
    'SELECT COLUMNS(t.*) + 1 FROM open',
    'SELECT n + 0 FROM over_open WHERE m > 1',
    'SELECT * EXCLUDE (m) FROM over_open',
    'SELECT n + m FROM joined',
    'SELECT m + 1 FROM over_gone',
  ]) {
    for (const body of [{ sql }, { sql: `EXPLAIN ${sql}` }, { sql: `DESCRIBE ${sql}` }]) {
      const { status, text } = await service.asked(body)
      t.equal(status, 400, `${body.sql}: ${text}`)
      for (const name of hidden)
        if (!new RegExp(`\\b${name}`).test(sql))
          t.notMatch(text, new RegExp(`\\b${name}`), `${body.sql}: ${text}`)
    }
  }
})
