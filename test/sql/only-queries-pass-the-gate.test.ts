import t from 'tap'
import type { TableName } from '../../src/main/sql/gate/check-names.ts'
import { readStatement } from '../../src/main/sql/gate/gate.ts'
import { tokenize } from '../../src/main/sql/text/tokens.ts'
import { KNOWN_NAMES } from './known-names.ts'

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
    t.same(
      readStatement(sql, KNOWN_NAMES),
      { kind, text, start: sql.indexOf(text), tokens: tokenize(text), tables: [] },
      sql,
    )
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
    'FROM (PIVOT t ON a IN (1, 2) USING sum(b), count(*) AS n GROUP BY c, d)',
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
    t.doesNotThrow(() => readStatement(sql, KNOWN_NAMES), sql)
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
      t.throws(() => readStatement(sql, KNOWN_NAMES), {
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
      () => readStatement(sql, KNOWN_NAMES),
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
    'FROM memory.pg_catalog.pg_class',
    'SELECT 1 UNION TABLE duckdb_tables',
    'FROM a: duckdb_tables',
    'FROM ONLY duckdb_tables',
    'FROM t, LATERAL duckdb_tables()',
    'FROM range(2) WITH ORDINALITY, duckdb_types',
    'FROM (UNPIVOT duckdb_tables ON a)',
    'FROM (PIVOT (duckdb_types CROSS JOIN x) ON a)',
    'FROM (PIVOT t JOIN duckdb_types u ON t.a = u.a ON b USING sum(c), count(*))',
    'FROM (PIVOT (t, duckdb_types) ON a USING sum(b), count(*))',
    'FROM (PIVOT t ON a USING sum(b), count(*)), duckdb_types',
    'FROM (PIVOT t ON a IN (FROM x, duckdb_types) USING sum(b), count(*))',
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
      () => readStatement(sql, KNOWN_NAMES),
      { code: 'invalid_sql', message: /is not available to queries/ },
      sql,
    )
  for (const sql of [
    "FROM system.main.read_csv('x')",
    'FROM main.range(3)',
    'FROM "system" . "main" . range(3)',
  ])
    t.throws(() => readStatement(sql, KNOWN_NAMES), { code: 'invalid_sql' }, sql)
  t.throws(() => readStatement('SELECT main.abs(1)', KNOWN_NAMES), { message: /by its name alone, abs/ })
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
      () => readStatement(sql, KNOWN_NAMES),
      { code: 'invalid_sql', message: /FROM read_(csv|parquet)\(/ },
      sql,
    )
})

function includes(text: string): RegExp {
  return new RegExp(text.replace(/[()*+?.]/g, '\\$&'))
}

t.test('a table is called by its name, with its schema, or with its catalog and schema', async (t) => {
  for (const [sql, ...tables] of [
    ['SELECT 1'],
    ["FROM read_csv('a'), range(3) r WHERE r.range > 0"],
    ['FROM t', named('t')],
    ['FROM public.t', named('public', 't')],
    ['FROM Service . /**/ "PUBLIC" . "T.x" c', named('Service', 'PUBLIC', 'T.x')],
    ['FROM t, T, t', named('t'), named('T')],
    [
      'SELECT a, (SELECT max(x) FROM u) FROM public.t JOIN v USING (a)',
      ...[['u'], ['public', 't'], ['v']].map((parts) => named(...parts)),
    ],
    ['WITH w AS (FROM t) FROM w', named('t'), common('w')],
    ['FROM (PIVOT t ON a IN (1) USING sum(b))', named('t')],
    ['FROM (PIVOT t ON a IN (1), b IN (2) USING sum(b), count(*)), u', named('t'), named('u')],
    ['FROM (UNPIVOT t ON a, b)', named('t')],
    ['SELECT 1 UNION TABLE t', named('t')],
    ['SELECT public.t.a, service.public.t.b FROM t', named('t')],
    ['FROM x: t', named('x'), named('t')],
  ] as const)
    t.same(readStatement(sql, KNOWN_NAMES).tables, tables, sql)
})

function named(...parts: readonly string[]): TableName {
  const [name = '', schema = null, catalog = null] = parts.toReversed()
  return { catalog, schema, name }
}

function common(name: string): TableName {
  return { catalog: null, schema: null, name, isCommon: true }
}

t.test('a common table is seen behind its definition, and in no other schema', async (t) => {
  for (const [sql, ...tables] of [
    ['WITH w AS (FROM w) FROM W', named('w'), common('W')],
    [
      'WITH w(a, b) AS NOT MATERIALIZED (FROM w) FROM public.w, w',
      named('w'),
      named('public', 'w'),
      common('w'),
    ],
    ['WITH a AS (SELECT 1), b AS (FROM a, b) FROM b', common('a'), named('b'), common('b')],
    ['WITH RECURSIVE w AS (SELECT 1 UNION SELECT n FROM u) FROM w', named('u'), common('w')],
    ['WITH recursive AS (SELECT 1) FROM recursive', common('recursive')],
    ['SELECT * FROM (WITH w AS (SELECT 1) FROM (FROM w)), w', common('w'), named('w')],
    ['WITH w AS (SELECT 1) (FROM w) UNION (WITH v AS (FROM w) FROM v, w)', common('w'), common('v')],
    ['SELECT (WITH w AS (SELECT 1) FROM w), x FROM w', common('w'), named('w')],
    [
      'WITH "a b" AS (SELECT f(x, (SELECT 1))), c AS (SELECT 2) SELECT (1), t FROM t, "A b"',
      named('t'),
      common('A b'),
    ],
  ] as const)
    t.same(readStatement(sql, KNOWN_NAMES).tables, tables, sql)
})

t.test('there are no tables in other schemas', async (t) => {
  for (const [sql, message] of [
    [
      'FROM s.where, duckdb_tables',
      'column 8: there are no tables in s; write "where", public."where" or service.public."where"',
    ],
    ['SELECT 1 FROM a.b', 'column 17: there are no tables in a; write b, public.b or service.public.b'],
    ['FROM "a b"."b" c', 'there are no tables in "a b"; write b'],
    ['FROM t, x.y.z', 'there are no tables in x.y'],
    ['FROM other.public.t', 'there are no tables in other.public'],
    ['FROM service.t', 'there are no tables in service;'],
    ['FROM service.main.t', 'there are no tables in service.main'],
    ['FROM memory.main.t', 'there are no tables in memory.main'],
    ['FROM memory.public.t', 'there are no tables in memory.public'],
    [
      'FROM system.t',
      'there is no such table there; write service.system.attached, service.system.crawler_runs, service.system.file_stats, service.system.file_stats_segments, service.system.query_metrics, service.system.role_rules, service.system.roles or service.system.users',
    ],
    ['FROM temp.main.t', 'there are no tables in "temp".main'],
    ['FROM x.service.public.t', 'there are no tables in x.service.public'],
    [
      'FROM service.information_schema.nope',
      'column 33: there is no such table there; write service.information_schema.columns,',
    ],
    ['FROM information_schema.tables.x', 'there are no tables in information_schema."tables"'],
    ['FROM other.information_schema.tables', 'write service.information_schema.columns, '],
    ['FROM memory.information_schema.tables', 'write service.information_schema.columns, '],
    [
      'FROM system.query_metrics',
      'there is no such table there; write service.system.attached, service.system.crawler_runs, service.system.file_stats, service.system.file_stats_segments, service.system.query_metrics, service.system.role_rules, service.system.roles or service.system.users',
    ],
    ['FROM service.public.duckdb_tables', '"duckdb_tables" is not available'],
    [
      'FROM public.a.csv',
      "a file is read by its function, with its path in single quotes: read_csv('….csv')",
    ],
  ] as const)
    t.throws(() => readStatement(sql, KNOWN_NAMES), { code: 'invalid_sql', message: includes(message) }, sql)
})

t.test("the service's own tables have a schema in DuckDB with as many letters", (t) => {
  for (const [sql, text] of [
    ['FROM information_schema.tables', 'FROM information_tables.tables'],
    [
      'SELECT a FROM t, service . "INFORMATION_schema"/**/.columns -- information_schema.tables',
      'SELECT a FROM t, service . "information_tables"/**/.columns',
    ],
    [
      'SELECT Information_Schema.tables.a, information_schema FROM information_schema.tables',
      'SELECT information_tables.tables.a, information_schema FROM information_tables.tables',
    ],
    ["SELECT 'information_schema.' || a AS information_schema FROM b", null],
    ['FROM service.system.query_metrics', null],
  ] as const) {
    const statement = readStatement(sql, KNOWN_NAMES)
    t.equal(statement.text, text ?? sql)
    for (const { start, end, text } of statement.tokens)
      t.ok(statement.text.slice(start, end).includes(text), 'the tokens are those of the text')
  }
  t.strictSame(
    readStatement('FROM information_schema.tables, service.system.query_metrics, t', KNOWN_NAMES).tables,
    [{ catalog: null, schema: null, name: 't' }],
    'they are no names that the catalog has to find',
  )
  t.end()
})
