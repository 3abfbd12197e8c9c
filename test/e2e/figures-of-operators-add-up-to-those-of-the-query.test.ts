import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { writeNetcdf } from '../../src/sample/write-netcdf.ts'
import { post } from '../http/test-server.ts'
import { numberedRows, writeParquetFile } from './parquet-file.ts'
import { startTestService } from './service.ts'

const ROWS = 60_000
const GROUP_ROWS = 10_000

const service = await startTestService(t, { workers: 2, settings: { SERVICE_CACHE_BYTES: '0' } })
writeParquetFile(join(service.datasets, 'a.parquet'), numberedRows(ROWS), GROUP_ROWS)
writeParquetFile(join(service.datasets, 'b.parquet'), numberedRows(20_000, 50_000), GROUP_ROWS)

interface Node {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Engine?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Total Time'?: number
  readonly Extras?: Readonly<Record<string, number>>
  readonly Plans: readonly Node[]
}

async function analyzed(body: object): Promise<Node> {
  const response = await post(`${service.url}/api/explain-analyze-query`, body)
  const text = await response.text()
  if (response.status !== 200) throw new Error(text)
  const [{ Plan }] = JSON.parse(text) as [{ Plan: Node }]
  return Plan
}

function nodesOf(node: Node): readonly Node[] {
  return [node, ...node.Plans.flatMap(nodesOf)]
}

/** Each node with its rows: `TopN 5`. */
function rowsOf(node: Node): readonly string[] {
  return nodesOf(node).map((each) => `${each['Node Type']} ${each['Actual Rows'] ?? '-'}`)
}

/** What scans count for themselves. Two scans may read the same file, so files are not among it. */
const COUNTS = [
  ...['bytes_read', 'rows_scanned', 'units_read', 'units_pruned', 'units_skipped_by_bloom_filter'],
  ...['pages_skipped', 'bytes_skipped', 'chunks_read', 'chunks_found', 'chunks_skipped'],
]

const READING = ['open_us', 'read_us', 'inflate_us', 'decode_us']

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0)

/** Compares the figures of the operators with those of the query above them. */
function addsUp(t: Test, root: Node): void {
  const whole = (name: string): number => root.Extras?.[name] ?? 0
  const operators = nodesOf(root).slice(1)
  const scans = operators.filter(({ Extras }) => Extras !== undefined)
  for (const name of COUNTS) {
    const inspected = name === 'bytes_read' ? whole('inspect_bytes_read') : 0
    t.equal(sum(scans.map(({ Extras }) => Extras?.[name] ?? 0)) + inspected, whole(name), name)
  }
  const microseconds = sum(operators.map((each) => Math.round((each['Actual Total Time'] ?? 0) * 1000)))
  const stages = [...READING, 'filter_us', 'group_us', 'sort_us', 'duckdb_us'].map(whole)
  t.equal(microseconds + whole('inspect_us'), sum(stages), 'times')
  t.ok(root['Actual Total Time'] ?? 0, 'the time of the whole')
}

const A = { parquet: { paths: ['a.parquet'] } }

t.test('a scan with a filter, in JSON and in SQL', async (t) => {
  const plan = ['ScanExec 5001', 'Projection 5001', 'Filter 5001', 'TableScan 20000']
  for (const body of [
    { select: ['id', 'noise'], from: A, filter: { column: 'id', min: 5000, max: 10_000 } },
    { sql: "SELECT id, noise FROM read_parquet('a.parquet') WHERE id BETWEEN 5000 AND 10000" },
  ]) {
    const root = await analyzed(body)
    t.same(rowsOf(root), plan)
    t.match(nodesOf(root).at(-1)?.Extras, { units_read: 2, units_pruned: 4, files: 1 })
    addsUp(t, root)
  }
})

t.test('rows behind an offset and up to a limit', async (t) => {
  const root = await analyzed({
    sql: "SELECT id FROM read_parquet('a.parquet') WHERE id % 2 = 0 LIMIT 7 OFFSET 3",
  })
  t.same(rowsOf(root).slice(0, 2), ['ScanExec 7', 'Limit 7'])
  const [, , projection, filter, scan] = nodesOf(root).map((each) => each['Actual Rows'] ?? 0)
  t.equal(projection, filter, 'rows of the units that were read are computed, though some are not sent')
  t.equal(filter, (scan ?? 0) / 2)
  addsUp(t, root)
})

t.test('groups, with a condition on them and an order', async (t) => {
  const sql =
    "SELECT name, count(*) AS n, avg(noise) FROM read_parquet('a.parquet') WHERE id >= 30000 GROUP BY name"
  const grouped = await analyzed({ sql })
  t.same(rowsOf(grouped), ['ScanExec 7', 'Projection 7', 'Aggregate 7', 'Filter 30000', 'TableScan 30000'])
  addsUp(t, grouped)
  const most = await analyzed({ sql: `${sql} HAVING count(*) >= 4286 ORDER BY n DESC, name LIMIT 2` })
  t.same(rowsOf(most), [
    ...['ScanExec 2', 'Projection 2', 'TopN 2', 'Filter 5', 'Aggregate 7', 'Filter 30000', 'TableScan 30000'],
  ])
  addsUp(t, most)
  const distinct = await analyzed({ sql: "SELECT DISTINCT name FROM read_parquet('a.parquet')" })
  t.equal(nodesOf(distinct).find((each) => each['Node Type'] === 'Distinct')?.['Actual Rows'], 7)
  addsUp(t, distinct)
})

t.test('a sort, and the first rows in an order', async (t) => {
  const sorted = await analyzed({ sql: "SELECT noise FROM read_parquet('a.parquet') ORDER BY noise" })
  t.same(rowsOf(sorted), ['ScanExec 60000', 'Projection 60000', 'Sort 60000', 'TableScan 60000'])
  addsUp(t, sorted)
  const sort = nodesOf(sorted).find((each) => each['Node Type'] === 'Sort')
  t.equal(Math.round((sort?.['Actual Total Time'] ?? 0) * 1000), sorted.Extras?.['sort_us'])
  t.ok(sorted.Extras?.['sort_us'])
  const top = await analyzed({
    select: ['id', 'noise'],
    from: A,
    sort_by: [{ Desc: 'id' }],
    limit: 5,
  })
  t.match(rowsOf(top).join(), /^ScanExec 5,Projection 5,TopN 5,TableScan 1\d{4}$/)
  addsUp(t, top)
})

t.test('rows that statistics count are not read', async (t) => {
  const all = await analyzed({ sql: "SELECT count(*) FROM read_parquet('a.parquet')" })
  t.same(rowsOf(all), ['ScanExec 1', 'Projection 1', 'Aggregate 1', 'TableScan 0'])
  t.equal(all.Extras?.['bytes_read'], all.Extras?.['inspect_bytes_read'])
  addsUp(t, all)
  const some = await analyzed({ sql: "SELECT count(*) FROM read_parquet('a.parquet') WHERE id < 25000" })
  t.same(rowsOf(some), ['ScanExec 1', 'Projection 1', 'Aggregate 1', 'Filter 5000', 'TableScan 10000'])
  t.equal(nodesOf(some).at(-1)?.Extras?.['rows_counted'], 20_000)
  addsUp(t, some)
})

const JOIN = `SELECT a.name, count(*) AS n FROM read_parquet('a.parquet') a JOIN read_parquet('b.parquet') b ON a.id = b.id
  WHERE a.id >= 55000 AND b.noise >= 0 GROUP BY a.name ORDER BY n DESC, a.name LIMIT 3`

/** The rows that its scans give. DuckDB applies the first condition to both. */
const JOINED = [5_000, 15_000]

t.test('a statement that DuckDB runs', async (t) => {
  const root = await analyzed({ sql: JOIN })
  addsUp(t, root)
  const scans = nodesOf(root).filter((each) => each['Node Type'] === 'TableScan')
  t.same(new Set(scans.map((each) => each['Actual Rows'])), new Set(JOINED))
  const duckdb = nodesOf(root).filter(({ Engine }) => Engine === 'DuckDB')
  t.ok(duckdb.length > 2)
  t.ok(
    duckdb.every(
      (each) => Number.isInteger(each['Actual Rows']) && typeof each['Actual Total Time'] === 'number',
    ),
  )
  t.equal(duckdb[0]?.['Actual Rows'], 3)
  t.equal(duckdb.find((each) => each['Node Type'] === 'HashJoin')?.['Actual Rows'], 5_000)
})

t.test('a statement that DuckDB runs in parts', async (t) => {
  const sql = "SELECT upper(name) AS name, md5(name) AS hash FROM read_parquet('a.parquet') WHERE noise < 0.5"
  const root = await analyzed({ sql })
  addsUp(t, root)
  const rows = root['Actual Rows']
  t.ok((rows ?? 0) > 20_000)
  const [, projection] = nodesOf(root)
  t.match(projection, { 'Node Type': 'Projection', Engine: 'DuckDB', 'Actual Rows': rows })
})

t.test('arrays, whose values along axes are learned before', async (t) => {
  const cells = Float64Array.from({ length: 50 * 40 }, (_, cell) => cell)
  const axis = (name: string, length: number) => ({
    name,
    dimensions: [name],
    values: Float64Array.from({ length }, (_, index) => index),
    attributes: {},
  })
  const bytes = writeNetcdf({ x: 50, y: 40 }, {}, [
    axis('x', 50),
    axis('y', 40),
    { name: 'v', dimensions: ['x', 'y'], values: cells, attributes: {} },
  ])
  writeFileSync(join(service.datasets, 'grid.nc'), bytes)
  const from = { netcdf: { paths: ['grid.nc'] } }
  const scanned = await analyzed({ select: ['x', 'v'], from, filter: { column: 'x', lt: 10 } })
  t.equal(scanned['Actual Rows'], 400)
  addsUp(t, scanned)
  const joined = await analyzed({
    sql: "SELECT upper(p.name) AS name, sum(g.v) AS v FROM read_netcdf('grid.nc') g JOIN read_parquet('a.parquet') p ON g.v = p.id WHERE g.x < 10 GROUP BY 1",
  })
  t.equal(joined['Actual Rows'], 7)
  t.ok(nodesOf(joined).some((each) => each['Node Type'] === 'TableScan' && each['Actual Rows'] === 400))
  addsUp(t, joined)
})

t.test('statements that read no files have the figures of DuckDB alone', async (t) => {
  for (const sql of [
    'SELECT 1 AS one',
    'SELECT x, (SELECT count(*) FROM range(10) u(y) WHERE u.y < t.x) AS n FROM range(20) t(x)',
    'WITH c AS MATERIALIZED (SELECT x FROM range(9) t(x)) SELECT * FROM c UNION ALL SELECT x + 1 FROM c',
  ]) {
    const root = await analyzed({ sql })
    addsUp(t, root)
    const counted = nodesOf(root).filter((each) => each['Actual Rows'] !== undefined)
    t.ok(counted.length > 1, sql)
  }
})

t.test('EXPLAIN ANALYZE prints the same', async (t) => {
  const rows = await service.rows({ sql: `EXPLAIN ANALYZE ${JOIN}` })
  const text = String(rows.get(0)?.['plan'])
  t.match(text, /^StatementExec \(.*Actual Rows: 3;/)
  t.match(text, /\n {2,}HashJoin \(.*Actual Rows: 5000; Actual Total Time: [\d.]+/)
  t.match(
    text,
    /\n {2,}TableScan \(.*Actual Rows: 5000; Actual Total Time: [\d.]+; Extras: \{"units_read":1,/,
  )
})

t.test('EXPLAIN alone has no figures, and runs nothing', async (t) => {
  const response = await post(`${service.url}/api/explain-query`, { sql: JOIN })
  t.notMatch(await response.text(), /Actual|Extras/)
})

t.test('a query that fails, or whose client leaves, leaves the next ones as they were', async (t) => {
  const failing = { sql: "SELECT CAST(name AS INTEGER) AS n, md5(name) AS m FROM read_parquet('a.parquet')" }
  const failed = await post(`${service.url}/api/explain-analyze-query`, failing)
  t.equal(failed.status, 400)
  t.match(await failed.json(), /name-/)
  const sql = 'SELECT count(*) AS n FROM range(1000) a(x), range(1000) b(y) WHERE md5(x || y) IS NULL'
  for (let turn = 0; turn < 3; turn++) {
    const leaving = new AbortController()
    const left = fetch(`${service.url}/api/explain-analyze-query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sql }),
      signal: leaving.signal,
    })
    setImmediate(() => leaving.abort())
    await t.rejects(left, { name: 'AbortError' })
  }
  const root = await analyzed({ sql: JOIN })
  t.equal(root.Plans[0]?.['Actual Rows'], 3)
  addsUp(t, root)
})

interface Metrics {
  readonly operator: string
  readonly metrics: Readonly<Record<string, number>>
  readonly children: readonly Metrics[]
}

interface Recorded {
  readonly node_metrics: Metrics
  readonly input_bytes: number
  readonly input_rows: number
  readonly stage_times_ms: Readonly<Record<string, number>>
}

function operatorsIn(metrics: Metrics): readonly Metrics[] {
  return [metrics, ...metrics.children.flatMap(operatorsIn)]
}

t.test('the metrics of a query have those of its operators', async (t) => {
  const recorded = async (body: object): Promise<Recorded> => {
    const response = await service.query(body)
    await response.arrayBuffer()
    const id = response.headers.get('x-service-query-id')
    return (await (await fetch(`${service.url}/api/query/metrics/${id}`)).json()) as Recorded
  }
  const grouped = {
    sql: "SELECT name, count(*) AS n FROM read_parquet('a.parquet') WHERE noise < 0.5 GROUP BY name",
  }
  for (const body of [grouped, { sql: JOIN }]) {
    const { node_metrics: root, ...whole } = await recorded(body)
    const below = operatorsIn(root).slice(1)
    const total = (name: string): number => sum(below.map(({ metrics }) => metrics[name] ?? 0))
    const { inspect_us: inspectUs = 0, inspect_bytes_read: inspectedBytes = 0 } = root.metrics
    t.equal(total('bytes_read') + inspectedBytes, whole.input_bytes)
    t.equal(total('rows_scanned'), whole.input_rows)
    t.equal(total('units_read'), root.metrics['units_read'])
    const {
      open = 0,
      read = 0,
      inflate = 0,
      decode = 0,
      filter = 0,
      group = 0,
      sort = 0,
    } = whole.stage_times_ms
    const stages = [open, read, inflate, decode, filter, group, sort].map((ms) => Math.round(ms * 1000))
    t.equal(total('elapsed_us') + inspectUs, sum(stages))
  }
  const { node_metrics: root } = await recorded(grouped)
  t.match(root, { operator: 'Scan', metrics: { output_rows: 7 } })
  t.same(
    operatorsIn(root)
      .map(({ operator, metrics }) => [operator, metrics['output_rows']])
      .slice(0, 3),
    [
      ['Scan', 7],
      ['Projection', 7],
      ['Aggregate', 7],
    ],
  )
  const { node_metrics: statement } = await recorded({ sql: JOIN })
  t.equal(statement.operator, 'Statement')
  const scans = operatorsIn(statement).filter(({ operator }) => operator === 'TableScan')
  t.same(new Set(scans.map(({ metrics }) => metrics['output_rows'])), new Set(JOINED))
})
