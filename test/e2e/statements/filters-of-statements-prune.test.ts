import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { post } from '../../http/test-server.ts'
import { startTestService } from '../service.ts'

/** Ten row groups of 2048 rows, most columns ascending. */
const ROWS = `
  SELECT i::INTEGER AS id,
    CASE WHEN i % 7 > 0 THEN i * 1000 END::BIGINT AS big,
    (9223372036854775808 + i)::UBIGINT AS huge,
    (i // 128)::UTINYINT AS tiny,
    CASE WHEN i = 19999 THEN 'nan' ELSE i / 10 END::FLOAT AS f32,
    i / 10 AS f64,
    (i / 100)::DECIMAL(9, 2) AS dec,
    CASE WHEN i >= 2048 THEN printf('%06d', i) END AS text,
    i < 9000 AS flag,
    DATE '2020-01-01' + (i // 100)::INTEGER AS day,
    TIMESTAMP '2020-01-01' + to_seconds(i) AS time,
    time::TIMESTAMP_MS AS time_ms,
    time::TIMESTAMP_NS AS time_ns,
    time::TIMESTAMPTZ AS time_z,
    TIME '00:00:00' + to_seconds(i) AS clock,
    i::INTEGER AS "a AND b",
    -i::INTEGER AS "a",
    i::SMALLINT AS "select",
    i AS "say ""x"" > 3",
    printf('it''s %06d', i) AS "it's",
    i AS "Depth (m)"
  FROM range(20480) AS numbers(i)`

const service = await startTestService(t, { workers: 1 })
const native = await openNative()
const path = join(service.datasets, 't.parquet')
await native.run(`COPY (${ROWS}) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`)

async function openNative() {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  t.teardown(() => {
    connection.closeSync()
    instance.closeSync()
  })
  await connection.run("SET TimeZone = 'UTC'")
  return connection
}

interface Analyzed {
  readonly Plan: { readonly Extras: Readonly<Record<string, number>>; readonly Plans: readonly PlanNode[] }
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Full Filters'?: readonly string[]
  readonly Plans: readonly PlanNode[]
}

async function analyze(sql: string): Promise<Analyzed['Plan']> {
  const response = await post(`${service.url}/api/explain-analyze-query`, { sql })
  const body = await response.text()
  if (response.status !== 200) throw new Error(`${sql}: ${response.status} ${body}`)
  const [{ Plan }] = JSON.parse(body) as [Analyzed]
  return Plan
}

function scanFilters({ Plans }: { readonly Plans: readonly PlanNode[] }): (readonly string[])[] {
  return Plans.flatMap((node) =>
    node['Node Type'] === 'TableScan' ? [node['Full Filters'] ?? []] : scanFilters(node),
  )
}

const PRUNED = [
  'id = 5000',
  'id < 100 OR id > 20000',
  'id IN (3, 5000, 20479)',
  'id BETWEEN 2047 AND 2048',
  'NOT (id >= 100)',
  'id = 300.5',
  'id < 2048.5',
  '20000 < id',
  'id > 1e4 AND id < 1.1e4',
  'big = 15000 OR big IS NULL AND id < 10',
  'big > 1.5e7 AND big <= 16e6',
  'big >= 15000000.5 AND big < 15003000',
  'huge > 9223372036854796000',
  'tiny = 300',
  'tiny = 159',
  'tiny < -1',
  'f32 = 0.7',
  'f32 BETWEEN 0.1 AND 0.7',
  'f32 < 0.7::DOUBLE',
  'f32 <= 0.7',
  "f32 IN (0.1, 0.3, 'nan') AND id < 4000",
  'f64 < 0.7',
  'f64 BETWEEN 100 AND 100.5',
  'dec = 12.345',
  'dec > 204.785',
  'dec <= 0.015 AND dec > -1',
  "text = '005000'",
  "text LIKE '0050%'",
  "text >= '020470' AND text < '02048'",
  'text IS NULL',
  'flag AND id > 8000',
  'NOT flag',
  "day = '2020-02-01'",
  "day > TIMESTAMP '2020-07-20 12:00:00'",
  "time < '2020-01-01 00:00:01.5'",
  "time::DATE = '2020-01-02'",
  "time >= DATE '2020-01-01' AND time < TIMESTAMP '2020-01-01 00:01:00'",
  "date_trunc('hour', time) = '2020-01-01 02:00:00'",
  "time_ms > TIMESTAMP '2020-01-01 05:40:00.000001'",
  "time_ns BETWEEN '2020-01-01 00:00:00.000000001' AND TIMESTAMP '2020-01-01 00:00:02'",
  "time_z = '2020-01-01 01:00:00+01'",
  "time_z <= '2020-01-01T00:00:03Z'",
  "clock < '00:01'",
  '"a AND b" = 3',
  '"a AND b" > 3 AND a > -10',
  '"select" = 17 OR "select" IN (18, 19)',
  '"say ""x"" > 3" < 4',
  `"it's" = 'it''s 000007'`,
  `"it's" <= 'it''s 000007' AND "DEPTH (M)" <> 3`,
  'id IS NOT DISTINCT FROM 77',
]

const NOT_PRUNED = [
  'id % 2 = 0',
  'id > 5 OR id % 100 = 3',
  'abs(a) = 7',
  "f32 > 'inf'",
  'isnan(f32)',
  'big IS DISTINCT FROM 1000',
  'id IN (1, 2, 3, 4, 5, 6)',
  "length(text) = 5 OR text LIKE '%999'",
]

const WHERES = [...PRUNED, ...NOT_PRUNED]

t.test('row groups without a hit are not read, and the answer is that of native DuckDB', async (t) => {
  const counts: number[] = []
  for (const where of WHERES) {
    const expected = await native.runAndReadAll(`SELECT id FROM read_parquet('${path}') WHERE ${where}`)
    // The core runs the first one if it can. DuckDB always runs the second one.
    const plain = `SELECT id FROM read_parquet('t.parquet') WHERE ${where}`
    const sql = plain.replace('id', 'id | 0 AS id')
    for (const each of [plain, sql]) {
      const ids = Array.from((await service.rows({ sql: each })).getChild('id') ?? [], Number)
      t.same(ids, expected.getColumnsJS()[0] ?? [], each)
    }
    counts.push(expected.currentRowCount)
    const { Extras } = await analyze(sql)
    t.equal((Extras['units_pruned'] ?? 0) > 0, PRUNED.includes(where), `${where}: ${JSON.stringify(Extras)}`)
  }
  const filters = WHERES.map((where, index) => `count(*) FILTER (WHERE ${where}) AS n${index}`)
  const whole = await service.rows({ sql: `SELECT ${filters.join(', ')} FROM read_parquet('t.parquet')` })
  t.same(Object.values(whole.get(0)?.toJSON() ?? {}).map(Number), counts, 'as many rows without pruning')
})

t.test('each scan has its own filter, whatever its columns are called', async (t) => {
  const cases: [string, string[][]][] = [
    [
      'SELECT x.id, y.id AS other FROM t AS x JOIN t AS y ON x.id = y.a + 20005 WHERE x.id > 20000 AND y.id <= 3',
      [['id > Int32(20000)'], ['id <= Int32(3)']],
    ],
    [
      'SELECT id FROM t WHERE id < 3 UNION ALL SELECT id FROM t WHERE a < -20477',
      [['id < Int32(3)'], ['a < Int32(-20477)']],
    ],
    ['SELECT id FROM (SELECT a AS id, id AS a FROM t) WHERE id > -3', [['a > Int32(-3)']]],
    ['SELECT a FROM (SELECT id AS a, a AS id FROM t) WHERE a < 2.5', [['id <= Int32(2)']]],
    [
      'SELECT f32 FROM (SELECT id, f32 FROM t) AS x(f32, id) WHERE id < 0.45::DOUBLE',
      [['f32 <= Float32(0.45)']],
    ],
    ['WITH c(b, a) AS (SELECT id, "a AND b" FROM t) SELECT a FROM c WHERE b = 7', [['id = Int32(7)']]],
    ['SELECT id FROM t WHERE id = (SELECT max(id) - 1 FROM t WHERE id < 100)', [[], ['id < Int32(100)']]],
    [
      'SELECT id, n FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM t WHERE id > 99) WHERE n < 3 AND id > 2',
      [['id > Int32(99)']],
    ],
    ['SELECT tiny, count(*) AS n FROM t GROUP BY tiny HAVING tiny > 158', [['tiny > UInt8(158)']]],
  ]
  for (const [sql, filters] of cases) {
    // DuckDB runs statements with common table expressions.
    const query = sql.startsWith('WITH') ? sql : `WITH unused AS (SELECT 1) ${sql}`
    const over = (file: string) =>
      query.replace(/(FROM|JOIN) t\b/g, (_, word: string) => `${word} read_parquet('${file}')`)
    const answer = await service.rows({ sql: over('t.parquet') })
    const expected = await native.runAndReadAll(over(path))
    const rows = answer.toArray().map((row) => Object.values(row.toJSON()).map(Number))
    t.same(sorted(rows), sorted(expected.getRowsJS().map((row) => row.map(Number))), sql)
    t.same(new Set(scanFilters(await analyze(over('t.parquet'))).map(String)), new Set(filters.map(String)))
  }
})

function sorted(rows: readonly (readonly number[])[]): string[] {
  return rows.map(String).toSorted()
}
