import { writeFileSync } from 'node:fs'
import t from 'tap'
import { startStatedService } from './asked-statements.ts'

t.test('views are created, replaced, kept and dropped', async (t) => {
  const { state, answer, engine, at, settle } = await startStatedService(t)
  writeFileSync(at('obs.csv'), 'n,year\n1,2023\n2,2024\n')
  await settle()
  t.equal(await state("CREATE EXTERNAL TABLE obs STORED AS CSV LOCATION 'obs.csv'"), null)
  t.equal(await state('CREATE VIEW recent AS SELECT n AS number FROM obs WHERE year > 2023'), null)
  t.same(await answer({ sql: 'SELECT * FROM recent' }), ['number', '2'])
  t.same(await answer({ sql: 'SELECT * FROM service.public.Recent AS r WHERE r.number > 0' }), [
    'number',
    '2',
  ])
  t.equal(await engine({ sql: 'SELECT * FROM Public.recent' }), 'core')
  t.same(await answer({ from: 'recent', select: ['number'] }), ['number', '2'])

  t.match(await state('CREATE VIEW Recent AS SELECT * FROM obs'), /There is a view "recent" already/)
  t.match(await state('CREATE VIEW obs AS SELECT * FROM recent'), /There is a table "obs" already/)
  t.equal(await state('CREATE VIEW IF NOT EXISTS recent AS SELECT * FROM obs'), null)
  t.same(await answer({ sql: 'SELECT * FROM recent' }), ['number', '2'], 'kept')
  t.equal(await state('CREATE OR REPLACE VIEW RECENT AS SELECT year, n AS number FROM obs'), null)
  t.same(await answer({ sql: 'SELECT * FROM recent' }), ['year,number', '2023,1', '2024,2'])
  t.equal(await state('CREATE VIEW "default" AS SELECT n FROM obs'), null, 'the placeholder is no obstacle')
  t.same(await answer({ select: ['n'], limit: 1 }), ['n', '1'])

  t.equal(await state('DROP TABLE recent'), null, 'DROP TABLE drops views')
  t.match(await answer({ sql: 'SELECT * FROM recent' }), /There is no table "recent"/)
  t.match(await state('DROP VIEW recent'), /There is no table or view "recent"/)
  t.equal(await state('DROP VIEW IF EXISTS recent'), null)
  t.equal(await state('DROP VIEW obs'), null, 'DROP VIEW drops tables')
  t.match(await state('DROP TABLE ob'), /There is no table or view "ob"/)
  t.match(await answer({ select: ['n'] }), /The view "default" reads "obs", and there is no such table/)
  t.equal(await state('DROP VIEW "default"'), null)
  t.match(await state('DROP TABLE "default"'), /There is no table or view "default"/, 'the placeholder stays')
})

t.test('a view that cannot be bound is not created', async (t) => {
  const { state, answer, at, settle } = await startStatedService(t)
  writeFileSync(at('obs.csv'), 'n\n1\n')
  await settle()
  await state("CREATE EXTERNAL TABLE obs STORED AS CSV LOCATION 'obs.csv'")
  for (const [query, message] of [
    ['SELECT * FROM nothing', /The query of the view "v": .*no table "nothing"/],
    ['SELECT m FROM obs', /The query of the view "v": .*"m"/],
    ["SELECT * FROM read_csv('no-such.csv')", /No file matched/],
    ['SELECT n FROM v', /The view "v" would read itself: v → v\./],
  ] as const) {
    t.match(await state(`CREATE VIEW v AS ${query}`), message, query)
    t.match(await answer({ sql: 'SELECT * FROM v' }), /There is no table "v"/)
  }
  t.equal(await state('CREATE VIEW one AS SELECT n FROM obs'), null)
  t.equal(await state('CREATE VIEW two AS SELECT n FROM one'), null)
  t.equal(await state('CREATE VIEW three AS SELECT n FROM two'), null)
  for (const above of ['one', 'two', 'three'])
    t.match(
      await state(`CREATE OR REPLACE VIEW one AS SELECT n FROM ${above}`),
      /The view "one" would read itself: one → /,
    )
  t.match(
    await state("CREATE OR REPLACE VIEW one AS SELECT n FROM three WHERE n = 'x'"),
    /one → three → two → one/,
  )
  t.same(await answer({ sql: 'SELECT * FROM three' }), ['n', '1'], 'all is as it was')
  t.equal(
    await state("CREATE OR REPLACE EXTERNAL TABLE one STORED AS CSV LOCATION 'obs.csv'"),
    null,
    'a table takes the place of a view',
  )
  t.same(await answer({ sql: 'SELECT * FROM three' }), ['n', '1'])
})

t.test('names may have any characters, but some belong to the service', async (t) => {
  const { state, answer, at, settle } = await startStatedService(t)
  writeFileSync(at('obs.csv'), 'n\n1\n')
  await settle()
  const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
  const names = [
    ...[
      'a.b',
      'a"b',
      'Größe in m',
      'two words',
      'SELECT',
      'from',
      'public.t',
      'x.y.z.w',
      "it's",
      '数据',
      '🌊',
    ],
    ...['UPPER', 'lower_1', '1st', '$', '*', 'read_csv', 'a\nb', '%', '{"x":1}', ' '],
  ]
  t.equal(await state("CREATE EXTERNAL TABLE base STORED AS CSV LOCATION 'obs.csv'"), null)
  for (const name of names) {
    t.equal(await state(`CREATE VIEW ${quoted(name)} AS SELECT n FROM base`), null, name)
    t.equal(
      await state(`CREATE VIEW public.${quoted(`over ${name}`)} AS SELECT * FROM ${quoted(name)}`),
      null,
    )
    t.same(await answer({ sql: `SELECT n FROM service.PUBLIC.${quoted(`over ${name}`)}` }), ['n', '1'], name)
    t.same(await answer({ from: name, select: ['n'] }), ['n', '1'], 'exactly')
    t.same(await answer({ from: quoted(name), select: ['n'] }), ['n', '1'], 'as an identifier')
    t.same(await answer({ from: `Service.public.${quoted(name)}`, select: ['n'] }), ['n', '1'], 'in full')
  }
  t.match(await answer({ sql: 'SELECT n FROM "public.base"' }), /There is no table "public\.base"/)
  t.same(await answer({ from: 'Upper', select: ['n'] }), ['n', '1'], 'whatever the case of A to Z')
  t.match(await answer({ from: 'GRÖSSE in m', select: ['n'] }), /There is no table/, 'and of no others')
  for (const name of ['__x', 'duckdb_x', 'PG_x', 'pragma_', 'Sqlite_master', ''])
    t.match(await state(`CREATE VIEW ${quoted(name)} AS SELECT n FROM base`), /./, name)
  for (const name of ['other.base2', 'system.public.base2', 'information_schema.base2'])
    t.match(await state(`CREATE VIEW ${name} AS SELECT n FROM base`), /./, name)
})

t.test('views are the same in both languages and engines', async (t) => {
  const { state, answer, engine, at, settle } = await startStatedService(t)
  writeFileSync(at('obs.csv'), 'n,place\n1,a\n2,b\n3,\n')
  await settle()
  t.equal(await state("CREATE EXTERNAL TABLE obs STORED AS CSV LOCATION 'obs.csv'"), null)
  t.equal(await state('CREATE VIEW twice AS SELECT n, place, n FROM obs'), null)
  t.equal(await state('CREATE VIEW top AS SELECT * FROM obs ORDER BY n DESC LIMIT 2'), null)
  t.equal(
    await state('CREATE VIEW sums AS WITH twice AS (SELECT n + 1 AS m FROM obs) SELECT * FROM twice'),
    null,
  )
  const asked: readonly (readonly [query: object, rows: readonly string[]])[] = [
    [{ sql: 'SELECT * FROM twice WHERE n_1 = 2' }, ['n,place,n_1', '2,b,2']],
    [{ from: 'twice', select: ['n_1', 'n'], filters: [{ column: 'n_1', eq: 2 }] }, ['n_1,n', '2,2']],
    [{ sql: 'SELECT n FROM top' }, ['n', '3', '2']],
    [{ from: 'top', select: ['n'], limit: 1 }, ['n', '3']],
    [{ sql: 'SELECT max(m) AS m FROM sums' }, ['m', '4']],
    [{ from: 'sums', select: ['m'], filters: [{ column: 'm', gt: 3 }] }, ['m', '4']],
  ]
  for (const [query, rows] of asked) t.same(await answer(query), rows, JSON.stringify(query))

  let below = 'obs'
  for (let depth = 1; depth <= 16; depth++) {
    t.equal(await state(`CREATE VIEW v${depth} AS SELECT n, place FROM ${below} WHERE n <> ${-depth}`), null)
    t.equal(await state(`CREATE VIEW d${depth} AS SELECT n + 1 AS n FROM ${below.replace('v', 'd')}`), null)
    below = `v${depth}`
    const counted = { sql: `SELECT place, count(*) AS c FROM v${depth} GROUP BY place ORDER BY place` }
    t.equal(await engine(counted), 'core')
    t.same(await answer(counted), ['place,c', 'a,1', 'b,1', ',1'])
    t.same(await answer({ sql: `SELECT max(n) AS n FROM d${depth}` }), ['n', `${3 + depth}`])
    t.same(await answer({ from: `d${depth}`, select: ['n'], limit: 1 }), ['n', `${1 + depth}`])
  }
  t.equal(await state('DROP TABLE obs'), null)
  for (const name of ['v16', 'd16', 'sums', 'top', 'twice'])
    for (const query of [{ sql: `SELECT count(*) + 0 FROM ${name}` }, { from: name, select: ['n'] }])
      t.match(await answer(query), /The view "\w+" reads "obs", and there is no such table/, name)
})
