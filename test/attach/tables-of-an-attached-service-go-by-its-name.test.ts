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
  const mistake = { from: 'far.public.obs', select: ['nope'] }
  const refused = await here.query(mistake, { headers: { 'content-type': 'application/json', ...ADMIN } })
  t.match(await refused.text(), /no column .*nope.* in far\.public\.obs/)

  t.equal(await state('CREATE VIEW v AS SELECT n FROM far.public.obs WHERE n > 1'), null)
  t.same(await lines('SELECT * FROM v ORDER BY n', ADMIN), ['n', '2', '3'])
  t.same(await lines('DESCRIBE far.obs', ADMIN), [
    'column_name,data_type,is_nullable',
    'n,Int64,YES',
    'word,Utf8,YES',
  ])

  t.match(String(await lines('EXPLAIN SELECT n FROM far.Obs', ADMIN)), /Relation Name: far\.public\.obs/i)
  t.match(await lines('SHOW COLUMNS FROM far.obs', ADMIN), { 1: /^far,public,obs,n,1,/ })
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
