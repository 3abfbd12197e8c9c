import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { startTestService } from '../e2e/service.ts'
import { fc } from '../support/generate.ts'

/** Values that native DuckDB takes as this service does: it has no padded numbers, and takes `a=b` for no value. */
const POOLS = [
  ['1', '2', '30'],
  ['2024-01-01', '2024-02-29'],
  ['a', 'b%20c', '100%25', '%zz', '__HIVE_DEFAULT_PARTITION__', 'd%2Fe', 'é', 'x%'],
  ['7', 'x'],
]

const tree = fc.array(fc.constantFrom(...POOLS.keys()), { minLength: 1, maxLength: 3 }).chain((pools) =>
  fc.record({
    paths: fc.uniqueArray(
      fc
        .tuple(
          ...pools.map((pool) => fc.constantFrom(...(POOLS[pool] ?? []))),
          fc.constantFrom('a.csv', 'b.csv'),
        )
        .map((names) =>
          names.map((name, depth) => (depth < names.length - 1 ? `k${depth}=${name}` : name)).join('/'),
        ),
      { minLength: 1, maxLength: 8 },
    ),
    keys: fc.constant(pools.map((_, depth) => `k${depth}`)),
    pools: fc.constant(pools),
  }),
)

t.test('over generated folders', async (t) => {
  const service = await startTestService(t, { workers: 1 })
  const instance = await DuckDBInstance.create(':memory:')
  t.teardown(() => instance.closeSync())
  const native = await instance.connect()
  let trees = 0
  const property = fc.asyncProperty(tree, async ({ paths, keys }) => {
    const folder = `t${trees++}`
    for (const path of paths) {
      const file = join(service.datasets, folder, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, 'n\n1\n')
    }
    const list = keys.map((key) => `CAST(${key} AS VARCHAR) AS ${key}`).join(', ')
    const sql = (source: string): string => `SELECT n, ${list} FROM ${source} ORDER BY ALL`
    const own = await service.rows({ sql: sql(`read_csv('${folder}/**/*.csv')`) })
    const glob = join(service.datasets, folder, '**/*.csv')
    const theirs = await native.runAndReadAll(
      sql(`read_csv('${glob}', hive_partitioning = true, hive_types_autocast = false)`),
    )
    rmSync(join(service.datasets, folder), { recursive: true })
    const rows = own.toArray().map((row) => ['n', ...keys].map((key) => String(row[key])))
    return JSON.stringify(rows) === JSON.stringify(theirs.getRowsJson().map((row) => row.map(String)))
  })
  await t.resolves(fc.assert(property, { numRuns: 25 }))
})

t.test('of what native DuckDB has written', async (t) => {
  const service = await startTestService(t, { workers: 1 })
  const instance = await DuckDBInstance.create(':memory:')
  t.teardown(() => instance.closeSync())
  const native = await instance.connect()
  const rows = `VALUES (1, 'a b', DATE '2024-01-01'), (2, 'c/d', DATE '2024-01-02'), (3, NULL, DATE '2024-01-02'),
    (4, '50%', NULL), (5, '=', DATE '2024-01-01'), (6, 'é%2F', DATE '2024-01-01')`
  await native.run(
    `COPY (FROM (${rows}) v(n, site, day)) TO '${join(service.datasets, 'w')}' (FORMAT parquet, PARTITION_BY (site, day))`,
  )
  const found = await service.rows({ sql: "SELECT n, site, day FROM read_parquet('w/**') ORDER BY n" })
  t.match(
    found.schema.fields.map(({ name, type }) => `${name} ${type}`),
    ['n Int32', 'site Utf8', 'day Date32<DAY>'],
  )
  const shown = found
    .toArray()
    .map(({ n, site, day }) => [n, site, day && new Date(Number(day)).toISOString().slice(0, 10)])
  t.same(shown, [
    [1, 'a b', '2024-01-01'],
    [2, 'c/d', '2024-01-02'],
    [3, null, '2024-01-02'],
    [4, '50%', null],
    [5, '=', '2024-01-01'],
    [6, 'é%2F', '2024-01-01'],
  ])
})
