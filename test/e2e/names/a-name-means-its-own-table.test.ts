import assert from 'node:assert/strict'
import t from 'tap'
import { startTables } from '../../external/tables.ts'

const tables = await startTables(t)
const { put, command, ask, settle } = tables
put('a.csv', 'n,s\n1,x\n2,y\n')
put('b.csv', 'n,s\n7,z\n')
await settle()
for (const statement of [
  "CREATE EXTERNAL TABLE obs STORED AS CSV LOCATION 'a.csv'",
  "CREATE EXTERNAL TABLE other STORED AS CSV LOCATION 'b.csv'",
  'CREATE VIEW v AS SELECT n FROM obs',
  'CREATE VIEW with_own AS WITH obs AS (SELECT 5 AS n) SELECT n FROM obs',
  'CREATE VIEW aliased AS SELECT obs.n FROM other AS obs',
  'CREATE VIEW hidden AS SELECT n FROM (SELECT n + 0 * row_number() OVER () AS n FROM obs) AS other',
])
  assert.equal(await command(statement), '', statement)

/** Statements that name other things as tables, with what they read. */
const STATEMENTS: Readonly<Record<string, readonly string[]>> = {
  'WITH obs AS (SELECT 99 AS n) SELECT n FROM obs': ['99'],
  'WITH "OBS" AS (SELECT 99 AS n) SELECT n FROM Obs': ['99'],
  'WITH obs AS (FROM obs) SELECT n FROM obs': ['1', '2'],
  'WITH obs AS (SELECT 99 AS n) SELECT n FROM public.obs': ['1', '2'],
  'WITH obs AS (SELECT 99 AS n) SELECT n FROM service.public.obs ORDER BY n': ['1', '2'],
  // The names in a view are those of where it is defined.
  'WITH obs AS (SELECT 99 AS n) SELECT n FROM v': ['1', '2'],
  'WITH obs AS (SELECT 99 AS n) SELECT v.n FROM v, obs': ['1', '2'],
  'WITH obs AS (SELECT 99 AS n) SELECT n FROM hidden': ['1', '2'],
  'WITH other AS (SELECT 99 AS n) SELECT n FROM aliased': ['7'],
  'WITH v AS (SELECT 99 AS n) SELECT n FROM v': ['99'],
  'SELECT n FROM with_own': ['5'],
  'WITH obs AS (SELECT 99 AS n) SELECT n FROM with_own': ['5'],
  'SELECT n FROM aliased': ['7'],
  'SELECT obs.n FROM other AS obs': ['7'],
  'SELECT obs.n FROM v AS obs': ['1', '2'],
  'SELECT v.n FROM other AS v WHERE v.n > 5': ['7'],
  'SELECT obs.n FROM v AS obs WHERE EXISTS (FROM other AS v WHERE v.n > obs.n) ORDER BY n': ['1', '2'],
  'SELECT n FROM (SELECT n FROM other) AS obs': ['7'],
  'SELECT max(n) FROM obs WHERE n < (WITH obs AS (SELECT 2 AS n) SELECT n FROM obs)': ['1'],
  'WITH RECURSIVE obs AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM obs WHERE n < 3) SELECT n FROM obs': [
    '1',
    '2',
    '3',
  ],
  'WITH a AS (FROM obs), obs AS (SELECT 99 AS n), b AS (FROM obs) SELECT a.n + b.n FROM a, b ORDER BY 1': [
    '100',
    '101',
  ],
  'FROM (TABLE other)': ['7,z'],
  'FROM other, v ORDER BY v.n': ['7,z,1', '7,z,2'],
  'FROM v JOIN obs USING (n) ORDER BY n': ['1,x', '2,y'],
  'SELECT n FROM v UNION ALL SELECT n FROM other ORDER BY n': ['1', '2', '7'],
  'SELECT v.n FROM v LEFT JOIN other ON v.n = other.n WHERE other.n IS NULL ORDER BY 1': ['1', '2'],
}

for (const [sql, rows] of Object.entries(STATEMENTS))
  t.test(sql, async (t) => {
    const lines = await ask(sql)
    t.same(typeof lines === 'string' ? lines : lines.slice(1), rows)
  })

t.test('a view over something gone hides no common table of its name', async (t) => {
  t.equal(await command('CREATE VIEW broken AS SELECT n FROM with_own'), '')
  t.equal(await command('DROP VIEW with_own'), '')
  t.same(await ask('WITH broken AS (SELECT 1 AS n) SELECT n FROM broken'), ['n', '1'])
  t.same(await ask('SELECT broken.n FROM other AS broken'), ['n', '7'])
  t.match(await ask('SELECT n FROM broken'), /"broken".*"with_own"/)
  t.match(await ask('SELECT n FROM broken WHERE n > (SELECT max(n) FROM obs)'), /"broken".*"with_own"/)
})

t.test('names of other places are no tables', async (t) => {
  for (const name of [
    ...['memory.main.obs', 'main.obs', 'temp.obs', 'memory.obs', 'system.main.obs', 'memory.public.obs'],
    ...[
      'service.obs',
      'service.main.obs',
      'public.public.obs',
      'other.public.obs',
      'service.service.public.obs',
    ],
    ...['"public.obs"', '"service.public.obs"', 'obs.n', 'public', 'service', '"a.csv"', 'a.csv', "'a.csv'"],
    ...[
      "_table('obs')",
      '_table',
      "query_table('obs')",
      "query('FROM obs')",
      '_rows(0)',
      "_scan_csv('a.csv')",
    ],
    ...[
      'sqlite_master',
      'duckdb_tables()',
      'duckdb_views',
      'pg_catalog.pg_class',
      "pragma_table_info('obs')",
    ],
  ])
    for (const sql of [
      `SELECT * FROM ${name}`,
      `FROM (FROM ${name})`,
      `WITH c AS (FROM ${name}) FROM c`,
      `SELECT (SELECT count(*) FROM ${name}) AS c FROM obs`,
    ])
      t.type(await ask(sql), 'string', sql)
})

t.test('the query of a view passes the gate, or there is no view', async (t) => {
  for (const query of [
    ...['SELECT 1; DROP TABLE obs', 'SELECT 1;; SELECT 2', '', ';', 'obs', '1'],
    ...[
      'EXPLAIN SELECT 1',
      'DESCRIBE obs',
      'SHOW TABLES',
      '(SHOW TABLES)',
      'SUMMARIZE obs',
      'FROM (DESCRIBE obs)',
    ],
    ...[
      'PRAGMA version',
      'CREATE VIEW w AS SELECT 1',
      'DROP TABLE obs',
      "COPY obs TO 'x'",
      'INSERT INTO obs VALUES (1)',
    ],
    ...[
      'WITH d AS (DELETE FROM obs RETURNING *) FROM d',
      "ATTACH 'x' AS y",
      "INSTALL 'x'",
      'SET threads = 1',
    ],
    ...[
      "SELECT getenv('HOME')",
      "SELECT current_setting('threads')",
      "FROM '/etc/passwd'",
      'FROM "/etc/passwd"',
    ],
    ...[
      "FROM read_csv('../x.csv')",
      "FROM read_csv('/etc/passwd')",
      "FROM read_text('a.csv')",
      "FROM glob('*')",
    ],
    ...["FROM query('SELECT 1')", "FROM _table('obs')", 'FROM duckdb_settings()', 'FROM memory.main.obs'],
    ...['SELECT * FROM missing', 'SELECT missing FROM obs', 'FROM v', 'SELECT n FROM (SELECT n FROM v) AS w'],
    ...['SELECT $1', 'SELECT ?', 'SELECT n, n + 1 FROM obs, v'],
  ])
    t.not(await command(`CREATE OR REPLACE VIEW v AS ${query}`), '', query)
  t.same(await ask('SELECT n FROM v'), ['n', '1', '2'], 'the view is as it was')
})
