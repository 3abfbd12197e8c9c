import t, { type Test } from 'tap'
import { numbers, testEngine } from './engine.ts'

const { run, engine, prepare, openFeeds, core } = await testEngine()

/** Tests that each statement is refused before it runs, for whatever reason. */
function refused(t: Test, statements: readonly string[], message: RegExp = /./): void {
  for (const sql of statements) {
    t.throws(() => prepare(sql), { code: /invalid_sql|not_supported|unknown_table/, message }, sql)
    t.notOk(engine.isDead(), 'and DuckDB lives')
  }
}

t.test('files by table functions, however they are spelled', async (t) => {
  refused(t, [
    "FROM read_text('/etc/passwd')",
    "FROM read_blob('/etc/passwd')",
    "FROM glob('/*')",
    "FROM sniff_csv('/etc/passwd')",
    "FROM read_csv_auto('/etc/passwd')",
    "FROM system.main.read_csv('/etc/passwd')",
    "FROM system.read_csv('/etc/passwd')",
    `FROM "system"."main"."READ_CSV"('/dev/stdin', header = false)`,
    "FROM/**/read_text/* ( */('/etc/passwd')",
    "SELECT (SELECT content FROM read_text('/etc/passwd'))",
    "WITH x AS MATERIALIZED (FROM read_text('/etc/passwd')) SELECT 1 FROM x",
    "SELECT 1 WHERE EXISTS (FROM glob('*'))",
    "SELECT * FROM range(3) r, LATERAL (SELECT * FROM glob('*') WHERE r.range > 0)",
    "FROM read_parquet('numbers') UNION ALL FROM parquet_scan('/etc/passwd')",
    "FROM sqlite_scan('/tmp/x.db', 't')",
    "FROM postgres_scan('', '', '')",
    "FROM iceberg_scan('x')",
    "FROM st_read('x')",
    "FROM read_json('x.json')",
    "FROM read_xlsx('x.xlsx')",
    'FROM arrow_scan(NULL, NULL, NULL)',
    'FROM arrow_scan(1, 2, 3)',
    'FROM seq_scan()',
    'FROM test_all_types()',
    "FROM which_secret('s3://x', 's3')",
  ])
})

t.test('files by replacement scans', async (t) => {
  refused(t, [
    "FROM '/etc/passwd'",
    "FROM '/etc/passwd.csv'",
    "FROM 'x.parquet'",
    "FROM 'https://example.org/x.csv'",
    "FROM 's3://bucket/x.parquet'",
    'FROM "/tmp/x.csv"',
    "FROM 'x.json'",
    "FROM 'x.db'",
    "SELECT * FROM read_parquet('numbers'), '/etc/hosts.tsv'",
  ])
})

t.test("DuckDB's own tables and settings", async (t) => {
  refused(t, [
    'FROM duckdb_settings()',
    'FROM duckdb_settings',
    'FROM duckdb_functions()',
    'FROM "DUCKDB_EXTENSIONS"()',
    'FROM duckdb_secrets()',
    'FROM duckdb_logs',
    'FROM pragma_version()',
    'FROM pragma_database_list',
    "FROM pragma_table_info('x')",
    'FROM information_schema.tables',
    'FROM pg_catalog.pg_class',
    'FROM pg_tables',
    'FROM sqlite_master',
    'FROM enable_logging()',
    'FROM checkpoint()',
    'SHOW TABLES',
    'SHOW ALL TABLES',
    'PRAGMA database_list',
    'PRAGMA version',
    // The optimizer drops this from one plan and may keep it in the next.
    "FROM duckdb_settings() WHERE current_query() LIKE 'FROM%'",
    "FROM duckdb_settings() WHERE now() < TIMESTAMP '2000-01-01'",
    'FROM duckdb_settings() WHERE random() < 0.5',
    'FROM duckdb_settings() LIMIT 0',
    'SELECT count(*) FROM duckdb_settings()',
  ])
})

t.test('statements by text', async (t) => {
  refused(t, [
    "FROM query('SELECT 1')",
    "FROM query('FROM duckdb_settings()')",
    'FROM "query"(\'SELECT 1\')',
    "FROM query/* */('SELECT 1')",
    "FROM query -- \n('SELECT 1')",
    "FROM\u00a0query\u00a0('SELECT 1')",
    "FROM query_table('duckdb_settings')",
    "FROM query_table(['duckdb_settings'])",
    "FROM query(CASE WHEN current_query() LIKE 'EXPLAIN%' THEN 'SELECT 1' ELSE 'FROM duckdb_settings()' END)",
  ])
  t.equal(
    run("SELECT 'query' || current_query() LIKE '%x%' AS query").numRows,
    1,
    'names that are alike are not meant',
  )
})

t.test('settings, other databases, extensions, writing', async (t) => {
  refused(t, [
    'SET enable_external_access = true',
    'RESET lock_configuration',
    'SET VARIABLE x = 1',
    'PRAGMA enable_profiling',
    "ATTACH '/tmp/x.db' AS x",
    "ATTACH ':memory:' AS x",
    'DETACH memory',
    'USE system',
    'INSTALL json',
    'LOAD json',
    "LOAD '/tmp/x.duckdb_extension'",
    "COPY (SELECT 1) TO '/tmp/x.csv'",
    "COPY (SELECT 1) TO 'x' (FORMAT parquet)",
    "EXPORT DATABASE '/tmp/x'",
    "IMPORT DATABASE '/tmp/x'",
    'CREATE TABLE x (a INT)',
    'CREATE TEMP TABLE x AS SELECT 1',
    'CREATE VIEW x AS SELECT 1',
    'CREATE MACRO x() AS 1',
    "CREATE SECRET s (TYPE s3, KEY_ID 'x')",
    'CREATE SEQUENCE s',
    'DROP MACRO TABLE read_parquet',
    'INSERT INTO x VALUES (1)',
    'DELETE FROM x',
    'BEGIN',
    'COMMIT',
    'CHECKPOINT',
    'VACUUM',
    'CALL range(3)',
    'CALL pragma_version()',
    'PREPARE x AS SELECT 1',
    'EXECUTE x',
    'DEALLOCATE x',
    'EXPLAIN SELECT 1',
    'EXPLAIN ANALYZE SELECT 1',
    'PIVOT (SELECT 1 AS a) ON a USING count(*)',
  ])
})

t.test('one statement, and no parameters', async (t) => {
  refused(t, [
    'SELECT 1; SELECT 2',
    "SELECT 1; COPY (SELECT 1) TO '/tmp/x'",
    'SELECT 1 /* ; */; -- ;\n SELECT 2',
    "SELECT ';'; SET threads = 2",
    '',
    '-- nothing',
    ';',
    'SELECT ?',
    'SELECT $1',
    'SELECT $name',
    'SELECT 1\0; SELECT 2',
  ])
  t.equal(
    run('SELECT \'a; b\' AS "c; d" -- e; f\n;').numRows,
    1,
    'a semicolon in quotes or at the end is none',
  )
})

t.test('what belongs to an extension is not available, and says so at once', async (t) => {
  refused(
    t,
    [
      "SELECT '{}'::JSON",
      "SELECT json_extract('{}', '$')",
      'SELECT to_json(1)',
      "FROM json_each('{}')",
      "SELECT 'a' COLLATE de",
      'SELECT st_point(1, 2)',
    ],
    /not available|does not exist|No function matches/,
  )
  t.throws(() => prepare("SELECT '{}'::JSON"), {
    code: 'not_supported',
    message: /Type with name "JSON" needs DuckDB's extension json, which is not available/,
  })
})

t.test('errors say what is wrong, not how to change the service', async (t) => {
  const messages = [
    "SELECT json_extract('{}', '$')",
    "FROM '/etc/passwd.csv'",
    'SELECT nope FROM _rows(0)',
    'SELECT FROM WHERE',
    'FROM duckdb_setings()',
    `SELECT 1${'+1'.repeat(1500)}`,
  ].map((sql) => {
    try {
      prepare(sql)
      return ''
    } catch (error) {
      return String(error)
    }
  })
  for (const message of messages) {
    t.match(message, /^ServiceError: ./)
    t.notMatch(message, /INSTALL|LOAD|SET |Did you mean "duckdb|LINE 1|_scan_|\n/)
  }
})

t.test('nothing is left of it', async (t) => {
  t.equal(openFeeds(), 0)
  t.equal(core.usedBytes(), 0)
  t.equal(
    run('SELECT count(*) AS n FROM _rows(0)', [numbers(5000)])
      .getChild('n')
      ?.get(0),
    5000n,
  )
})
