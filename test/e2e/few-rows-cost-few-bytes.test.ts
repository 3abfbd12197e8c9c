import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { tableToIPC } from 'apache-arrow'
import { Compression, EnabledStatistics, Table, WriterPropertiesBuilder, writeParquet } from 'parquet-wasm'
import t from 'tap'
import { post } from '../http/test-server.ts'
import { numberedRows } from './parquet-file.ts'
import { startTestService } from './service.ts'

const ROWS = 120_000
const service = await startTestService(t, { workers: 2, settings: { SERVICE_CACHE_BYTES: '0' } })
const native = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
t.teardown(() => native.closeSync())

/** The columns `id`, `noise` and `name` from two writers: one with many pages and an index, one with few pages and bloom filters. */
const indexed = join(service.datasets, 'indexed.parquet')
const properties = new WriterPropertiesBuilder()
  .setCompression(Compression.ZSTD)
  .setMaxRowGroupSize(ROWS / 2)
  .setDataPageSizeLimit(16 << 10)
  .setDictionaryEnabled(false)
  .setColumnDictionaryEnabled('name', true)
  .setStatisticsEnabled(EnabledStatistics.Page)
  .build()
const stream = tableToIPC(numberedRows(ROWS), 'stream')
writeFileSync(indexed, writeParquet(Table.fromIPCStream(stream), properties))
await native.run(
  `COPY (SELECT * REPLACE (id // 1000 * 1000 AS id) FROM '${indexed}') TO '${join(service.datasets, 'bloom.parquet')}'
   (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20480)`,
)

interface Extras {
  readonly bytes_read: number
  readonly bytes_skipped: number
  readonly pages_skipped: number
  readonly units_read: number
  readonly rows_scanned: number
  readonly units_skipped_by_bloom_filter: number
}

type Filter = Readonly<Record<string, unknown>>

/** The rows of a filter and the bytes that it reads, in JSON and in SQL. */
async function ask(
  file: string,
  filter: Filter,
  where: string,
): Promise<{ rows: unknown; extras: Extras }[]> {
  const select = ['id', 'noise', 'name']
  const bodies = [
    { select, filter, from: { parquet: { paths: [`${file}.parquet`] } } },
    { sql: `SELECT id, noise, name FROM read_parquet('${file}.parquet') WHERE ${where}` },
  ]
  return Promise.all(
    bodies.map(async (body) => {
      const table = await service.rows(body)
      const response = await post(`${service.url}/api/explain-analyze-query`, body)
      const [{ Plan }] = (await response.json()) as [{ Plan: { Extras: Extras } }]
      return { rows: table.toArray().map((row) => Object.values(row.toJSON())), extras: Plan.Extras }
    }),
  )
}

async function nativeRows(file: string, where: string): Promise<unknown> {
  const path = join(service.datasets, `${file}.parquet`)
  const reader = await native.runAndReadAll(`SELECT id, noise, name FROM '${path}' WHERE ${where}`)
  return reader.getRowsJS()
}

const FILTERS: readonly (readonly [filter: Filter, where: string])[] = [
  [{ column: 'id', eq: 70_123 }, 'id = 70123'],
  [{ column: 'id', min: 59_990, max: 60_010 }, 'id BETWEEN 59990 AND 60010'],
  [
    {
      and: [
        { column: 'id', lt: 3 },
        { column: 'name', eq: 'name-1' },
      ],
    },
    `id < 3 AND name = 'name-1'`,
  ],
  [
    {
      or: [
        { column: 'id', eq: 5 },
        { column: 'id', gt_eq: 119_998 },
      ],
    },
    'id = 5 OR id >= 119998',
  ],
  [
    {
      and: [
        { column: 'noise', lt: 0.5 },
        { column: 'id', gt: 99_990 },
        { column: 'id', lt: 100_050 },
      ],
    },
    'noise < 0.5 AND id > 99990 AND id < 100050',
  ],
  [
    {
      and: [
        { column: 'noise', lt: 0.0001 },
        { column: 'id', gt_eq: 1000 },
      ],
    },
    'noise < 0.0001 AND id >= 1000',
  ],
]

t.test('of many pages those with hits are read', async (t) => {
  const whole = (await ask('indexed', { column: 'id', gt_eq: 0 }, 'id >= 0')).map(({ extras }) => extras)
  for (const [filter, where] of FILTERS) {
    const expected = await nativeRows('indexed', where)
    for (const [i, { rows, extras }] of (await ask('indexed', filter, where)).entries()) {
      t.same(rows, expected, where)
      if (where.startsWith('noise < 0.0001')) continue
      t.ok(extras.pages_skipped > 20, `${where}: ${extras.pages_skipped} pages`)
      t.ok(
        extras.bytes_read < (whole[i]?.bytes_read ?? 0) / 4,
        `${extras.bytes_read} of ${whole[i]?.bytes_read} bytes`,
      )
      t.ok(extras.rows_scanned < ROWS / 10, `${extras.rows_scanned} rows`)
    }
  }
})

t.test('a row group that lacks a value by its bloom filter is not read', async (t) => {
  const there: readonly (readonly [Filter, string])[] = [
    [{ column: 'id', eq: 70_000 }, 'id = 70000'],
    [
      {
        and: [
          { column: 'id', eq: 3000 },
          { column: 'name', eq: 'name-3' },
        ],
      },
      `id = 3000 AND name = 'name-3'`,
    ],
  ]
  for (const [filter, where] of there) {
    const expected = await nativeRows('bloom', where)
    for (const { rows } of await ask('bloom', filter, where)) t.same(rows, expected, where)
  }
  const absent: readonly (readonly [Filter, string])[] = [
    [{ column: 'id', eq: 70_001 }, 'id = 70001'],
    [{ column: 'name', eq: 'name-3x' }, `name = 'name-3x'`],
    [
      {
        or: [
          { column: 'id', eq: 41_500 },
          { column: 'id', eq: 42_500 },
        ],
      },
      'id = 41500 OR id = 42500',
    ],
  ]
  for (const [filter, where] of absent)
    for (const { rows, extras } of await ask('bloom', filter, where)) {
      t.same(rows, [], where)
      t.match(extras, { rows_scanned: 0, bytes_skipped: 0 }, `${where}: ${JSON.stringify(extras)}`)
      t.ok(extras.units_skipped_by_bloom_filter > 0)
      t.equal(extras.units_skipped_by_bloom_filter, extras.units_read)
    }
})
