import t from 'tap'
import { readStatement } from '../../src/main/sql/gate/gate.ts'
import { tokenize } from '../../src/main/sql/gate/tokens.ts'
import { FORMATS } from '../../src/plan/formats.ts'

t.test('a query comes out as it is to run', async (t) => {
  const cases = [
    ['SELECT 1', 'query', 'SELECT 1'],
    ['/* a */ select 1 ; -- end', 'query', 'select 1'],
    ['(SELECT 1)', 'query', '(SELECT 1)'],
    ['VALUES (1), (2);', 'query', 'VALUES (1), (2)'],
    ['FROM range(3) SELECT 2 * range /* twice */', 'query', 'FROM range(3) SELECT 2 * range'],
    ['EXPLAIN SELECT 1', 'explain', 'SELECT 1'],
    ['EXPLAIN (SELECT 1)', 'explain', '(SELECT 1)'],
    ['explain (format json) select 1', 'explain', 'select 1'],
    ['EXPLAIN (ANALYZE false) SELECT 1', 'explain', 'SELECT 1'],
    ['EXPLAIN ANALYZE SELECT 1;', 'explain-analyze', 'SELECT 1'],
    ['EXPLAIN (ANALYZE, FORMAT json) VALUES (1)', 'explain-analyze', 'VALUES (1)'],
    ['EXPLAIN ANALYZE VERBOSE (SELECT 1)', 'explain-analyze', '(SELECT 1)'],
  ]
  for (const [sql = '', kind, text = ''] of cases)
    t.same(readStatement(sql, FORMATS), { kind, text, start: sql.indexOf(text), tokens: tokenize(text) }, sql)
})

t.test('columns may have any name, strings may stand anywhere else', async (t) => {
  for (const sql of [
    'SELECT duckdb_version, "pg_class", t.sqlite_x FROM t',
    "SELECT a AS from, 'x' AS b",
    "SELECT extract(year FROM 'x'), substring('a' FROM 2), 1 IS DISTINCT FROM 'a'",
    "FROM read_csv('a', ';') x, read_arrow(['b']) y WHERE x.a IN ('a', 'b') ORDER BY 'x', 'y'",
    "FROM t JOIN u ON t.x IN ['a', 'b'] AND t.y = 'x'",
    "FROM (VALUES (1, 'a'), (2, 'b')) v(x, y)",
    "FROM t PIVOT (sum(x) FOR c IN ('a', 'b'))",
    'SELECT t.values, t.from, x.where FROM t',
    'WITH _t(a) AS (SELECT 1) FROM _t',
    'WITH RECURSIVE a(x) USING KEY (x) AS (SELECT 1 UNION SELECT 2) FROM a',
    'WITH a AS NOT MATERIALIZED (SELECT 1), b AS (FROM a) (FROM b)',
    'FROM a: range(3)',
    "SELECT {'a': 'b', c: duckdb_x}, [1:2], 'a'::VARCHAR",
    "SELECT ('A').lower(), a.upper() FROM t",
    "SELECT count(*) OVER w FROM t WINDOW w AS (ORDER BY 'x', y), z AS (PARTITION BY 'k', 'l')",
    'FROM range(2) WITH ORDINALITY',
    "FROM list_datasets('*') JOIN READ_CSV_SCHEMA('a') ON true",
    'SELECT service_version()',
    'FROM a, LATERAL (SELECT 1) b',
    'SELECT * EXCLUDE (duckdb_a) REPLACE (1 AS "pg_b") FROM t',
  ])
    t.doesNotThrow(() => readStatement(sql, FORMATS), sql)
})

t.test('what is no query is refused and named', async (t) => {
  for (const word of [
    ...[
      'ALTER',
      'ANALYZE',
      'ATTACH',
      'BEGIN',
      'CALL',
      'CHECKPOINT',
      'COPY',
      'CREATE',
      'DEALLOCATE',
      'DELETE',
    ],
    ...['DESCRIBE', 'DETACH', 'DROP', 'EXECUTE', 'EXPORT', 'IMPORT', 'INSERT', 'INSTALL', 'LOAD', 'MERGE'],
    ...[
      'PIVOT',
      'PRAGMA',
      'PREPARE',
      'RESET',
      'SET',
      'SHOW',
      'SUMMARIZE',
      'TABLE',
      'UPDATE',
      'USE',
      'VACUUM',
    ],
  ])
    for (const sql of [`${word} x`, `/**/ ${word.toLowerCase()}--\nx`, `EXPLAIN ANALYZE ${word} x`])
      t.throws(() => readStatement(sql, FORMATS), {
        code: 'invalid_sql',
        message: new RegExp(`only queries are run: SELECT, WITH, VALUES, FROM, EXPLAIN; found ${word}(;|$)`),
      })
  for (const [sql, message] of [
    ['WITH a AS (SELECT 1) INSERT INTO t FROM a', 'line 1, column 22: only queries are run'],
    ['WITH a(x) AS (SELECT 1), b AS (FROM a) DELETE FROM t', 'line 1, column 40: only queries are run'],
    ['(SHOW TABLES)', 'line 1, column 2: "SHOW" is not available'],
    ['FROM (DESCRIBE t)', 'line 1, column 7: "DESCRIBE" is not available'],
    ['SELECT 1; SELECT 2', 'line 1, column 11: expected one statement'],
    ['SELECT 1;;', 'line 1, column 10: expected one statement'],
    ['SELECT "(";DROP', 'line 1, column 12: expected one statement'],
    ['', 'line 1, column 1: expected a query'],
    ['-- SELECT 1', 'expected a query'],
    [';', 'expected a query'],
    ['EXPLAIN', 'line 1, column 8: expected a query'],
    ['EXPLAIN EXPLAIN SELECT 1', 'line 1, column 9: only queries are run'],
    ['EXPLAIN (FORMAT json, COST) SELECT 1', 'line 1, column 23: expected an option of EXPLAIN'],
    ['"select" 1', 'line 1, column 1: only queries are run'],
    [`SELECT ${'('.repeat(1_001)}`, 'column 1008: brackets are nested more than 1000 deep'],
  ] as const)
    t.throws(
      () => readStatement(sql, FORMATS),
      { code: 'invalid_sql', message: includes(message) },
      sql.slice(0, 60),
    )
})

t.test("DuckDB's catalog, its settings and files by other ways are out of reach", async (t) => {
  for (const sql of [
    'FROM duckdb_tables',
    'FROM "DuckDB_Tables"()',
    'FROM t,/**/"duckdb_tables"',
    'FROM pg_class',
    'SELECT 1 FROM a SEMI JOIN sqlite_master ON true',
    'FROM information_schema.tables',
    'FROM "information_schema" . /**/ tables',
    'FROM memory.pg_catalog.pg_class',
    'SELECT 1 UNION TABLE duckdb_tables',
    'FROM a: duckdb_tables',
    'FROM ONLY duckdb_tables',
    'FROM t, LATERAL duckdb_tables()',
    'FROM range(2) WITH ORDINALITY, duckdb_types',
    'FROM (UNPIVOT duckdb_tables ON a)',
    'FROM (PIVOT (duckdb_types CROSS JOIN x) ON a)',
    'FROM t AS where, duckdb_tables',
    'SELECT t.as FROM duckdb_tables',
    'SELECT 1 WHERE exists(FROM duckdb_tables)',
    'SELECT [x FOR x IN (SELECT a FROM duckdb_tables)]',
    "FROM read_text('/etc/passwd')",
    "FROM read_csv_auto('a.csv')",
    "FROM glob('*')",
    "FROM query('SELECT 1')",
    "FROM histogram('duckdb_tables', x)",
    'FROM pragma_version()',
    'FROM _rows(0)',
    "SELECT * FROM _scan_csv('a', '', '')",
    "FROM _scan_list_datasets('*', 0, NULL)",
    "FROM read_schema('a')",
    'FROM range_schema(3)',
    "SELECT current_setting('threads')",
    'SELECT "getenv"(\'HOME\')',
    'SELECT __internal_compress_string_utinyint(a) FROM t',
  ])
    t.throws(
      () => readStatement(sql, FORMATS),
      { code: 'invalid_sql', message: /is not available to queries/ },
      sql,
    )
  for (const sql of [
    "FROM system.main.read_csv('x')",
    'FROM main.range(3)',
    'FROM "system" . "main" . range(3)',
  ])
    t.throws(() => readStatement(sql, FORMATS), { code: 'invalid_sql' }, sql)
  t.throws(() => readStatement('SELECT main.abs(1)', FORMATS), { message: /by its name alone, abs/ })
  for (const sql of [
    "FROM 'a.parquet'",
    "FROM t, 'a.csv'",
    "FROM ('a.csv' CROSS JOIN t)",
    "FROM E'a.csv'",
    'FROM $$a.csv$$',
    "FROM main.'a'",
    "FROM 'x': range(1)",
  ])
    t.throws(
      () => readStatement(sql, FORMATS),
      { code: 'invalid_sql', message: /FROM read_(csv|parquet)\(/ },
      sql,
    )
})

function includes(text: string): RegExp {
  return new RegExp(text.replace(/[()*+?.]/g, '\\$&'))
}

t.test('a table is called by its name alone', async (t) => {
  for (const sql of ['FROM s.where, duckdb_tables', 'SELECT 1 FROM a.b', 'FROM "a"."b" c', 'FROM t, x.y.z'])
    t.throws(() => readStatement(sql, FORMATS), {
      code: 'invalid_sql',
      message: /a table is called by its name alone, /,
    })
})
