import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { Decimal, Int32, Table, Utf8, vectorFromArray } from 'apache-arrow'
import t from 'tap'
import { post } from '../http/test-server.ts'
import { writeParquetFile } from './parquet-file.ts'
import { startTestService } from './service.ts'

const ROWS = 4_000

const platforms = Array.from({ length: ROWS }, (_, i) =>
  i % 17 === 0
    ? null
    : `${i < 2_000 ? 'float' : 'Glider'}-${String(i % 200).padStart(3, '0')}${i % 5 ? '' : '%'}`,
)
const table = new Table({
  n: vectorFromArray(
    platforms.map((_, i) => i),
    new Int32(),
  ),
  platform: vectorFromArray(platforms, new Utf8()),
})

const service = await startTestService(t, { settings: { SERVICE_ENABLE_SQL: 'false' } })
const path = join(service.datasets, 'a.parquet')
writeParquetFile(path, table, 1_000)
const from = { parquet: { paths: ['a.parquet'] } }

async function plan(
  body: object,
): Promise<{ readonly engine: string; readonly pruned: number; readonly text: string }> {
  const response = await post(`${service.url}/api/explain-analyze-query`, body)
  const text = await response.text()
  return {
    engine: text.includes('DuckDB') ? 'duckdb' : 'core',
    pruned: Number(/"units_pruned":(\d+)/.exec(text)?.[1]),
    text,
  }
}

/** Filters, the same in SQL, whether DuckDB evaluates a part of them, and whether row groups are pruned. */
const SAME: readonly (readonly [filter: object, where: string, byDuckdb: boolean, prunes: boolean])[] = [
  [{ column: 'platform', like: 'float-00%' }, "platform LIKE 'float-00%'", false, true],
  [{ column: 'platform', like: 'float-001' }, "platform LIKE 'float-001'", false, true],
  [{ column: 'platform', like: '%' }, "platform LIKE '%'", false, false],
  [{ column: 'platform', like: '' }, "platform LIKE ''", false, true],
  [{ column: 'platform', like: 'float-0_1%' }, "platform LIKE 'float-0_1%'", false, true],
  [{ column: 'platform', like: '%-101' }, "platform LIKE '%-101'", false, false],
  [{ column: 'platform', ilike: 'glider-00_' }, "platform ILIKE 'glider-00_'", false, false],
  [{ column: 'platform', regex: '^Glider-' }, "regexp_matches(platform, '^Glider-')", false, true],
  [{ column: 'platform', regex: '^Glider-0[0-4]' }, "regexp_matches(platform, '^Glider-0[0-4]')", true, true],
  [{ column: 'platform', regex: '^Gliderx?-0' }, "regexp_matches(platform, '^Gliderx?-0')", true, true],
  [{ column: 'platform', regex: '^float|^Gli' }, "regexp_matches(platform, '^float|^Gli')", true, false],
  [{ column: 'platform', regex: '\\d%$' }, "regexp_matches(platform, '\\d%$')", true, false],
  [{ column: 'platform', regex: "it's a query" }, "regexp_matches(platform, 'it''s a query')", true, false],
  [{ not: { column: 'platform', like: 'float-%' } }, "platform NOT LIKE 'float-%'", false, true],
  [{ not: { column: 'platform', like: '%1%' } }, "platform NOT LIKE '%1%'", false, false],
  [
    { column: 'platform', like: 'float-_0%', regex: '5%?$', gt: 'float-05', not_in: ['float-105%'] },
    "platform LIKE 'float-_0%' AND regexp_matches(platform, '5%?$') AND platform > 'float-05' AND platform NOT IN ('float-105%')",
    true,
    true,
  ],
  [
    {
      or: [
        { column: 'n', lt: 10 },
        {
          and: [
            { column: 'platform', like: 'Gl%9' },
            { column: 'n', gt: 3_500 },
          ],
        },
      ],
    },
    "n < 10 OR (platform LIKE 'Gl%9' AND n > 3500)",
    false,
    true,
  ],
  [
    {
      not: {
        or: [
          { column: 'n', lt: 3_000 },
          { column: 'platform', like: '%1%' },
          { column: 'platform', eq: null },
        ],
      },
    },
    "NOT (n < 3000 OR platform LIKE '%1%' OR platform IS NULL)",
    false,
    true,
  ],
]

t.test('the same rows as in native DuckDB, in the order of the file', async (t) => {
  const native = await (await DuckDBInstance.create(':memory:')).connect()
  for (const [filter, where, byDuckdb, prunes] of SAME) {
    const found = await service.rows({ select: ['n'], from, filter })
    const rows = (await native.runAndReadAll(`SELECT n FROM '${path}' WHERE ${where} ORDER BY n`)).getRows()
    t.same(
      [...(found.getChild('n') ?? [])],
      rows.map(([n]) => n),
      where,
    )
    const { engine, pruned, text } = await plan({ select: ['n'], from, filter })
    t.equal(engine, byDuckdb ? 'duckdb' : 'core', `${where}: ${text}`)
    t.equal(pruned > 0, prunes, where)
  }
})

t.test('results of functions and constants match as well', async (t) => {
  const select = ['n', { function: 'upper', args: ['platform'], alias: 'up' }, { value: 'abc', alias: 'c' }]
  const count = async (filter: object) => (await service.rows({ select, from, filter })).numRows
  const upper = platforms.map((text) => text?.toUpperCase() ?? '')
  t.equal(
    await count({ column: 'up', like: 'FLOAT-0_1' }),
    upper.filter((up) => /^FLOAT-0.1$/.test(up)).length,
  )
  t.equal(
    await count({ column: 'up', like: 'FLOAT-%' }),
    upper.filter((up) => up.startsWith('FLOAT-')).length,
  )
  t.equal(await count({ column: 'c', like: '_b_' }), ROWS)
  t.equal(await count({ not: { column: 'c', regex: 'b' } }), 0)
  t.equal(await count({ column: 'c', like: 'ab%', ilike: 'A%C' }), ROWS)
})

t.test('a pattern combines with conditions on types that no function takes', async (t) => {
  const wide = new Table({
    n: vectorFromArray([0, 1, 2, 3], new Int32()),
    name: vectorFromArray(['a', 'b', 'a', null], new Utf8()),
    depth: vectorFromArray(
      [0, 5, 7, 0].map((unscaled) => Uint32Array.of(unscaled, 0, 0, 0)),
      new Decimal(10, 38),
    ),
  })
  writeParquetFile(join(service.datasets, 'wide.parquet'), wide, 2)
  const native = await (await DuckDBInstance.create(':memory:')).connect()
  const ends = { gt_eq: JSON.rawJSON('0.0000000000'), lt_eq: JSON.rawJSON('0.0000000005') }
  const [pattern, range] = [
    { column: 'name', regex: 'a|c' },
    { column: 'depth', ...ends },
  ]
  const inSql = ["regexp_matches(name, 'a|c')", 'depth BETWEEN 0.0000000000 AND 0.0000000005']
  for (const [filter, where] of [
    [{ and: [pattern, range] }, inSql.join(' AND ')],
    [{ or: [pattern, range] }, inSql.join(' OR ')],
    [{ not: { and: [{ and: [pattern] }, range] } }, `NOT (${inSql.join(' AND ')})`],
    [{ not: { or: [pattern, range] } }, `NOT (${inSql.join(' OR ')})`],
  ] as const) {
    const found = await service.rows({
      select: ['n'],
      from: { parquet: { paths: ['wide.parquet'] } },
      filter,
    })
    const statement = `SELECT n FROM '${join(service.datasets, 'wide.parquet')}' WHERE ${where} ORDER BY n`
    const rows = (await native.runAndReadAll(statement)).getRows()
    t.same(
      [...(found.getChild('n') ?? [])],
      rows.map(([n]) => n),
      where,
    )
  }
})

t.test('a pattern that is none, or that matches no text, is a 400 that says where', async (t) => {
  for (const [filter, message] of [
    [{ column: 'platform', regex: '[a' }, /^filter.regex: .*missing \]/],
    [{ column: 'n', like: '1%' }, /^filter\.like: column "n" is Int32; a pattern matches text$/],
    [{ column: 'platform', like: 5 }, /^filter\.like: expected a string, found 5$/],
    [{ column: 'platform', in: 'a' }, /^filter\.in: expected an array, found "a"; write \["a"\]$/],
    [
      { column: 'platform', in: [null] },
      /^filter\.in\[0\]: expected a number, a string or a boolean, found null$/,
    ],
    [
      { column: 'n', eq: true },
      /^filter\.eq: column "n" is Int32, which does not compare with the boolean true; a number is written as 5 or 1.5$/,
    ],
  ] as const) {
    const response = await service.query({ select: ['n'], from, filter })
    t.equal(response.status, 400)
    t.match(await response.json(), message)
  }
})

t.test('CSV and Arrow files', async (t) => {
  const csv = await service.query({ select: ['n', 'platform'], from, output: { format: 'csv' } })
  writeFileSync(join(service.datasets, 'a.csv'), await csv.text())
  const found = await service.rows({
    select: ['n'],
    from: { csv: { paths: ['a.csv'] } },
    filter: { column: 'platform', like: 'float-%7' },
  })
  t.same(
    [...(found.getChild('n') ?? [])].map(Number),
    platforms.flatMap((text, n) => (/^float-.*7$/.test(text ?? '') ? [n] : [])),
  )
})
