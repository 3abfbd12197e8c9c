import { join } from 'node:path'
import t, { type Test } from 'tap'
import { numberedRows, writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'

const service = await startTestService(t, { workers: 1 })
writeParquetFile(join(service.datasets, 'numbers.parquet'), numberedRows(10), 10)

/** Tests that each statement is a 400 whose text matches `message`, if that is given, and that the service still answers. */
async function refused(t: Test, statements: readonly string[], message: RegExp = /./): Promise<void> {
  for (const sql of statements) {
    const answer = await service.query({ sql })
    const said = String(await answer.json())
    t.equal(answer.status, 400, sql)
    t.match(said, message, sql)
    for (const leak of [/node_modules|\.ts\b|\bat \S+ \(/, /Internal error/, /\bSET |INSTALL|LOAD /]) {
      if (leak.test(said) && !leak.test(sql)) t.equal(said, '', sql)
    }
  }
  const alive = await service.rows({ sql: "SELECT count(*) AS n FROM read_parquet('numbers.parquet')" })
  t.equal(alive.get(0)?.['n'], 10n)
}

t.test('values of the host', (t) =>
  refused(t, [
    "SELECT getenv('HOME')",
    `SELECT "GetEnv"('HOME')`,
    "SELECT 'HOME'.getenv()",
    "SELECT list_transform(['HOME'], lambda x: getenv(x))",
    "SELECT list_aggregate(['HOME'], 'getenv')",
    "SELECT current_setting('memory_limit')",
    "SELECT system.main.current_setting('threads')",
    "SELECT get_block_size('memory')",
    'SELECT format_type(23, 1)',
    "SELECT write_log('x')",
    'SELECT current_query()',
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT nextval('x')",
    "SELECT load_extension('x')",
  ]),
)

t.test('files and the network', (t) =>
  refused(t, [
    ...[
      'read_text',
      'read_blob',
      'glob',
      'sniff_csv',
      'read_json',
      'read_ndjson',
      'parquet_metadata',
    ].flatMap((name) => [
      `FROM ${name}('/etc/passwd')`,
      `FROM "${name.toUpperCase()}"/**/('/etc/passwd')`,
      `SELECT (SELECT count(*) FROM system.main.${name}('numbers.parquet'))`,
      `WITH a AS MATERIALIZED (FROM ${name}('*')) SELECT 1`,
      `EXPLAIN ANALYZE SELECT * FROM range(1), LATERAL ${name}('*')`,
    ]),
    "FROM 'numbers.parquet'",
    'FROM "numbers.parquet"',
    'FROM memory.main."numbers.parquet"',
    'FROM "/etc/passwd.csv"',
    `FROM "${service.url}/x.csv"`,
    'FROM "file:///etc/passwd.csv"',
    'FROM "s3://bucket/x.parquet"',
    'FROM "opfs://x.db"',
    "FROM read_parquet('/etc/passwd')",
    "FROM read_csv('../../../etc/passwd')",
    "FROM read_csv('/dev/stdin')",
    `FROM read_parquet('${service.url}/x.parquet')`,
    "FROM read_parquet('file:///etc/passwd')",
    "FROM read_parquet(['numbers.parquet', '/etc/passwd'])",
    "FROM read_parquet('numbers.parquet', encryption_config = {footer_key: 'x'})",
    "COPY (SELECT 1) TO '/tmp/x.csv'",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO '/tmp/x.csv'",
    "SELECT 1; COPY (SELECT 1) TO '/tmp/x.csv'",
    "SELECT $$;$$; EXPORT DATABASE '/tmp/x'",
    "ATTACH '/tmp/x.db'",
    "LOAD '/tmp/x.duckdb_extension'",
    'INSTALL httpfs',
  ]),
)

t.test("DuckDB's catalog, settings and our own functions", (t) =>
  refused(t, [
    ...[
      'duckdb_settings',
      'duckdb_functions',
      'duckdb_secrets',
      'pragma_database_list',
      'pg_settings',
    ].flatMap((name) => [
      `FROM ${name}`,
      `FROM "${name}"()`,
      `FROM x: ${name}()`,
      `SELECT ARRAY(SELECT 1 FROM ${name})`,
      `(TABLE ${name})`,
      `FROM query('FROM ${name}')`,
      `FROM query_table(['${name}'])`,
      `EXPLAIN SELECT count(*) FROM main.${name}`,
    ]),
    'FROM temp.information_schema.tables',
    'FROM U&"information\\005fschema".tables',
    'FROM\u00a0duckdb_settings()',
    'SELECT 1\u0000; FROM duckdb_settings()',
    'FROM (SHOW ALL TABLES)',
    'FROM (DESCRIBE range(1))',
    'WITH a AS (INSERT INTO t VALUES (1) RETURNING *) FROM a',
    "FROM _scan_parquet('numbers.parquet')",
    'FROM "_ROWS"(0)',
    'FROM _self_test()',
    'FROM test_all_types()',
    'FROM arrow_scan(1, 2, 3)',
    'SET threads = 2',
    'SELECT 1; SET lock_configuration = false',
    'PRAGMA database_list',
    'CALL pragma_version()',
    'CREATE OR REPLACE MACRO read_parquet(a) AS TABLE SELECT 1',
    'EXPLAIN (EXPLAIN SELECT 1)',
    'EXPLAIN ANALYZE EXPLAIN SELECT 1',
  ]),
)

t.test('extensions, at once', (t) =>
  refused(
    t,
    [
      "SELECT '{}'::JSON",
      `SELECT '{"a":1}' -> 'a'`,
      'SELECT to_json(1)',
      "SELECT 'a' COLLATE de",
      'SELECT st_point(1, 2)',
      "SELECT 'x'::INET",
    ],
    /needs DuckDB's extension \w+, which is not available/,
  ),
)

t.test('statements of any size', async (t) => {
  await refused(t, [
    `SELECT ${'('.repeat(100_000)}1${')'.repeat(100_000)}`,
    `SELECT ${'- '.repeat(100_000)}1`,
    `SELECT 1${' UNION ALL SELECT 1'.repeat(50_000)}`,
    `SELECT 1 ${'/*'.repeat(100_000)}`,
    `SELECT ${'['.repeat(100)}1${']'.repeat(100)}`,
    `SELECT CAST(${'9'.repeat(100_000)} AS BIGINT)`,
    'SELECT count(*) FROM range(10) t(a) GROUP BY CUBE (a, a + 1, a + 2, a + 3, a + 4, a + 5, a + 6, a + 7, a + 8, a + 9, a + 10, a + 11, a + 12, a + 13, a + 14, a + 15, a + 16)',
    "SELECT repeat('a', 9223372036854775807)",
    'SELECT range(9223372036854775807)',
    'SELECT range(500000000)',
    'SELECT list_resize([1], 1073741824)',
  ])
  const columns = Array.from({ length: 10_000 }, (_, column) => `${column} AS c${column}`)
  t.equal((await service.rows({ sql: `SELECT ${columns}` })).numCols, 10_000)
  t.equal(
    (await service.rows({ sql: `SELECT '${'x'.repeat(1_000_000)}' AS c` })).getChild('c')?.get(0)?.length,
    1e6,
  )
  t.equal((await service.query({ sql: ' '.repeat(3 << 20) })).status, 413)
  for (const sql of [
    'FROM range(1000000000000)',
    'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) FROM r',
  ]) {
    const { body } = await service.query({ sql })
    await body?.cancel()
    t.equal((await service.rows({ sql: `SELECT ${sql.length}` })).numRows, 1, `after ${sql}`)
  }
})
