import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { SUPER_USER } from '../http/test-server.ts'
import { startLooking } from './looking.ts'

const service = await startLooking(t)
const { datasets, look } = service
for (const year of [2022, 2023, 2024]) {
  mkdirSync(join(datasets, `obs/year=${year}`), { recursive: true })
  writeFileSync(join(datasets, `obs/year=${year}/a.csv`), `n\n${year}\n1\n`)
}
for (const sql of [
  "CREATE EXTERNAL TABLE obs (n INT, year INT) STORED AS CSV PARTITIONED BY (year) LOCATION 'obs/'",
  'CREATE VIEW low AS SELECT n, year FROM obs WHERE n < 9999',
  'CREATE VIEW "A view" AS SELECT n, year FROM service.public.low',
  "CREATE VIEW of_files AS SELECT n FROM read_csv('obs/year=2022/a.csv', hive_partitioning = false)",
]) {
  const made = await service.query(
    { sql },
    { headers: { 'content-type': 'application/json', ...SUPER_USER } },
  )
  if (made.status !== 200) throw new Error(await made.text())
}

interface Node {
  readonly 'Node Type': string
  readonly Plans: readonly Node[]
  readonly [member: string]: unknown
}

/** The scans in the plan of a query. */
async function scansOf(query: object, route = 'explain-query'): Promise<readonly Node[]> {
  const answer = await fetch(`${service.url}/api/${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(query),
  })
  const [{ Plan }] = (await answer.json()) as [{ Plan: Node }]
  const scans = (node: Node): readonly Node[] =>
    node['Node Type'] === 'TableScan' ? [node] : node.Plans.flatMap(scans)
  return scans(Plan)
}

const THROUGH = ['service.public."A view"', 'service.public.low']

t.test('tables have full names, and scans the views that they come from', async (t) => {
  for (const [query, views] of [
    [{ sql: 'SELECT n FROM obs' }, undefined],
    [{ sql: 'SELECT n + 1 AS m FROM obs' }, undefined],
    [{ from: 'obs', select: ['n'] }, undefined],
    [{ sql: 'SELECT n FROM "A view" WHERE n > 0' }, THROUGH],
    [{ sql: 'SELECT n + 1 AS m FROM "A view"' }, THROUGH],
    [{ sql: 'WITH a AS (FROM low) SELECT n + 1 AS m FROM a' }, ['service.public.low']],
    [{ from: 'A view', select: ['n'] }, THROUGH],
  ] as const) {
    const scans = await scansOf(query)
    t.match(scans, [{ 'Relation Name': 'service.public.obs', 'File Count': 3 }], JSON.stringify(query))
    t.strictSame(scans[0]?.['Views'], views)
  }
  for (const sql of ['SELECT n FROM of_files', 'SELECT n + 1 AS m FROM of_files']) {
    const [scan] = await scansOf({ sql })
    t.match(scan, { 'Relation Name': 'csv(obs/year=2022/a.csv)', Views: ['service.public.of_files'] }, sql)
  }
  const both = await scansOf({
    sql: "SELECT a.n FROM read_csv('obs/year=2023/a.csv') a CROSS JOIN of_files",
  })
  t.same(both.map((scan) => [scan['Relation Name'], scan['Views']]).toSorted(), [
    ['csv(obs/year=2022/a.csv)', ['service.public.of_files']],
    ['csv(obs/year=2023/a.csv)', undefined],
  ])
})

t.test('folders that are left out are counted, before anything in them is listed', async (t) => {
  for (const query of [
    { sql: 'SELECT n FROM obs WHERE year = 2024' },
    { sql: 'SELECT n + 1 AS m FROM low WHERE year = 2024' },
    { from: 'A view', select: ['n'], filters: [{ column: 'year', eq: 2024 }] },
  ])
    t.match(
      await scansOf(query),
      [{ 'Folders Left Out': 2, Files: ['obs/year=2024/a.csv'] }],
      JSON.stringify(query),
    )
  const [scan] = await scansOf({ sql: 'SELECT n FROM obs' })
  t.notOk(scan && 'Folders Left Out' in scan)
})

t.test('EXPLAIN ANALYZE and the text of EXPLAIN have the same', async (t) => {
  const sql = 'SELECT n FROM "A view" WHERE year = 2024'
  const answer = await fetch(`${service.url}/api/explain-analyze-query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sql }),
  })
  t.match(
    await answer.text(),
    /relation=service.public.obs, views=\[service.public.\\"A view\\", service.public.low\], folders_left_out=2/,
  )
  t.match(await scansOf({ sql: 'SELECT count(*) AS n FROM low' }, 'explain-analyze-query'), [
    { Views: ['service.public.low'] },
  ])
  const [plan] = await look(`EXPLAIN ${sql}`, {})
  t.match(
    plan?.['plan'],
    'Relation Name: service.public.obs; Views: service.public."A view", service.public.low;',
  )
  t.match(plan?.['plan'], 'Folders Left Out: 2')
})
