import t from 'tap'
import { testEngine } from './engine.ts'

const repeat = (text: string, times: number) => text.repeat(times)
const commonTables = (count: number) =>
  Array.from(
    { length: count },
    (_, i) => `c${i} AS MATERIALIZED (${i ? `FROM c${i - 1}` : 'SELECT 1'})`,
  ).join(', ')

t.test('what is nested deeply either runs or is refused, and DuckDB lives', async (t) => {
  const { run, engine } = await testEngine()
  for (const sql of [
    `SELECT 1${repeat(' UNION ALL SELECT 1', 200)}`,
    `WITH ${commonTables(100)} FROM c99`,
    `SELECT ${repeat('NOT ', 400)}true`,
    `${repeat('FROM (', 100)}SELECT 1${repeat(')', 100)}`,
    `SELECT range = 0${repeat(' OR range = 1', 500)} FROM range(3)`,
  ]) {
    t.ok(run(sql).numRows > 0, sql.slice(0, 60))
  }
  for (const sql of [
    `SELECT 1${repeat(' UNION ALL SELECT 1', 2000)}`,
    `WITH ${commonTables(600)} FROM c599`,
    `SELECT ${repeat('NOT ', 2000)}true`,
    `SELECT ${repeat('-', 1)}${repeat(' - ', 20_000)}1`,
    `${repeat('FROM (', 600)}SELECT 1${repeat(')', 600)}`,
    `SELECT ${repeat('abs(', 900)}1${repeat(')', 900)}`,
    `SELECT ${repeat("{'a': ", 900)}1${repeat('}', 900)}`,
    `SELECT NULL::INT${repeat('[]', 2000)}`,
  ]) {
    t.throws(() => run(sql), { code: 'invalid_sql', message: /depth|memory exhausted/ }, sql.slice(0, 60))
    t.notOk(engine.isDead())
  }
  t.equal(run('SELECT 42 AS n').get(0)?.['n'], 42)
})

t.test('what takes more memory than there is', async (t) => {
  const { run, engine, openFeeds } = await testEngine({ memoryBytes: 64 << 20 })
  for (const sql of [
    'SELECT range FROM range(100000000) ORDER BY hash(range)',
    'SELECT hash(range) h, count(*) FROM range(100000000) GROUP BY h',
    'SELECT list(range) FROM range(100000000)',
    'SELECT list_aggregate(range(100000000), $$max$$)',
    "SELECT string_agg(repeat('a', 1000), '') FROM range(10000000)",
    'SELECT count(*) FROM range(100000000) a JOIN range(100000000) b ON hash(a.range) = hash(b.range)',
    "SELECT printf('%2000000000d', 1)",
    "SELECT length(repeat('a' || range, 1000000000)) FROM range(1)",
    'SELECT n, list(n) OVER () FROM _rows(0)',
  ]) {
    t.throws(() => run(sql), { code: 'memory_limit' }, sql)
    t.notOk(engine.isDead(), 'and DuckDB lives')
    t.equal(run('SELECT 42 AS n').get(0)?.['n'], 42)
  }
  t.equal(openFeeds(), 0)
})

t.test('a median that takes more memory than there is', async (t) => {
  const { run, engine } = await testEngine({ memoryBytes: 64 << 20 })
  const cases: readonly (readonly [sql: string, told: RegExp])[] = [
    [
      'SELECT median(range) FROM range(100000000)',
      /\. median keeps all values .* approx_quantile\(x, 0\.5\)/,
    ],
    [
      'SELECT quantile_cont(range, 0.9) FROM range(100000000)',
      /quantile_cont keeps .* approx_quantile\(x, q\)/,
    ],
    [
      'SELECT range % 3 AS k, median(range::DOUBLE) FROM range(100000000) GROUP BY k',
      /approx_quantile\(x, 0\.5\)/,
    ],
  ]
  for (const [sql, told] of cases) {
    t.throws(() => run(sql), { code: 'memory_limit', message: told }, sql)
    t.notOk(engine.isDead(), 'and DuckDB lives')
  }
  const cured = run('SELECT approx_quantile(range, 0.5) AS middle FROM range(1000000)')
  t.match(Number(cured.get(0)?.['middle']), /^(?:49|50)\d{4}$/, 'and what is advised runs')
  t.throws(() => run('SELECT list(range) FROM range(100000000)'), { message: /^(?!.*approx_quantile)/ })
})

t.test('what ends DuckDB is an error of the statement all the same', async (t) => {
  for (const sql of [
    'SELECT len(range(500000000))',
    'SELECT reservoir_quantile(range, 0.5, 1000000000) FROM range(10)',
  ]) {
    const { run, engine } = await testEngine({ memoryBytes: 64 << 20 })
    t.throws(() => run(sql), { code: 'memory_limit', message: /too large for DuckDB/ }, sql)
    t.ok(engine.isDead(), 'and the worker boots another one')
  }
})

t.test('a list of paths that is longer than any that is written', async (t) => {
  const { prepare, engine } = await testEngine()
  for (const paths of [
    'range(16385)::VARCHAR[]',
    'repeat([$$a$$], 1000000)',
    'list_transform(range(200), x -> range(200)::VARCHAR[])',
  ]) {
    const tooLong = { code: 'invalid_sql', message: /list of more than 16384 items/ }
    t.throws(() => prepare(`FROM read_parquet(${paths})`), tooLong, paths)
    t.notOk(engine.isDead())
  }
  t.ok(prepare('FROM read_parquet($$numbers$$)'))
})
