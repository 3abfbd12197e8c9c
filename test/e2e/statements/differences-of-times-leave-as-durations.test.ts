import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  Int32,
  Table,
  TimestampMicrosecond,
  TimestampMillisecond,
  tableFromIPC,
  vectorFromArray,
} from 'apache-arrow'
import t from 'tap'
import { toDurations } from '../../../src/workers/sql/output/to-durations.ts'
import { fc } from '../../support/generate.ts'
import { answersOf } from '../answers.ts'
import { writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'

const ADMIN = { authorization: `Basic ${btoa('admin:secret')}`, 'content-type': 'application/json' }
const service = await startTestService(t, {
  settings: { SERVICE_ADMIN_USERNAME: 'admin', SERVICE_ADMIN_PASSWORD: 'secret' },
})
const { rowsOf, scalarOf, failure } = answersOf(service)

const HOUR = 3_600_000
const FIRST = Date.UTC(2024, 0, 1)
const starts = [0, 1, 2, 3, 4].map((n) => FIRST + n * HOUR)
const ends = [90_000, 86_400_000, null, -1, 400 * 24 * HOUR].map((after, n) =>
  after === null ? null : (starts[n] ?? 0) + after,
)
const table = new Table({
  k: vectorFromArray([1, 1, 2, 2, 2], new Int32()),
  t1: vectorFromArray(starts, new TimestampMillisecond()),
  t2: vectorFromArray(ends, new TimestampMicrosecond('UTC')),
})
writeParquetFile(join(service.datasets, 'a.parquet'), table, 100)
const FILE = "read_parquet('a.parquet')"

async function typesOf(sql: string): Promise<readonly string[]> {
  return (await service.rows({ sql })).schema.fields.map(({ type }) => String(type))
}

const DURATION = ['Duration<MICROSECOND>']
const INTERVAL = ['Interval<MONTH_DAY_NANO>']

t.test('differences are durations, also of aggregates, through subqueries and views', async (t) => {
  for (const sql of [
    `SELECT t2 - t1 AS d FROM ${FILE}`,
    `SELECT max(t1) - min(t1) AS d FROM ${FILE}`,
    `SELECT max(t2) - min(t1) AS d FROM ${FILE} GROUP BY k`,
    `SELECT max(d) FROM (SELECT t2 - t1 AS d FROM ${FILE})`,
    `WITH q AS (SELECT k, t2 - t1 AS d FROM ${FILE}) SELECT median(d) FROM q GROUP BY k`,
    `SELECT (SELECT max(t1) - min(t1) FROM ${FILE}) AS d`,
    `SELECT t1 - DATE '2024-01-01' AS d FROM ${FILE}`,
    `SELECT t1 - lag(t1) OVER (ORDER BY t1) AS d FROM ${FILE}`,
    `SELECT coalesce(t2 - t1, INTERVAL 0 SECONDS) AS d FROM ${FILE}`,
    `SELECT t2 - t1 AS d FROM ${FILE} UNION ALL SELECT INTERVAL '90 minutes'`,
    `SELECT max(t1) - min(t1) AS d FROM ${FILE} WHERE t1 < TIMESTAMP '2025-01-01' + INTERVAL 1 MONTH`,
    `SELECT TIMESTAMP_NS '2024-01-02' - '2024-01-01'::TIMESTAMP_NS AS d`,
  ])
    t.same(await typesOf(sql), DURATION, sql)
  const created = await service.query(
    { sql: `CREATE VIEW spans AS SELECT k, max(t1) - min(t1) AS span FROM ${FILE} GROUP BY k` },
    { headers: ADMIN },
  )
  t.equal(created.status, 200, await created.text())
  t.same(await typesOf('SELECT span FROM spans'), DURATION)
  t.same(await rowsOf({ from: 'spans', select: ['k', 'span'], sort_by: [{ Asc: 'k' }] }), [
    { k: 1, span: 'PT3600S' },
    { k: 2, span: 'PT7200S' },
  ])
})

t.test('other intervals stay intervals, and differences of days stay integers', async (t) => {
  for (const sql of [
    `SELECT INTERVAL 1 MONTH AS d`,
    `SELECT age(t2, t1) AS d FROM ${FILE}`,
    `SELECT avg(t2 - t1) AS d FROM ${FILE}`,
    `SELECT (t2 - t1) * 2 AS d FROM ${FILE}`,
    `SELECT t2 - t1 + INTERVAL 0 DAY AS d FROM ${FILE}`,
    `SELECT (t2 - t1) - (t2 - t1) AS d FROM ${FILE}`,
    `SELECT coalesce(t2 - t1, INTERVAL 1 MONTH) AS d FROM ${FILE}`,
    `SELECT t2 - t1 AS d FROM ${FILE} UNION ALL SELECT INTERVAL 1 MONTH`,
    `SELECT d FROM (VALUES (TIMESTAMP '2024-01-02' - TIMESTAMP '2024-01-01'), (INTERVAL '1 month')) AS v(d)`,
    `SELECT ifnull(t2 - t1, '1 month') AS d FROM ${FILE}`,
    `SELECT greatest(t2 - t1, to_months(k)) AS d FROM ${FILE}`,
    `SELECT [t2 - t1, age(t2, t1)][2] AS d FROM ${FILE}`,
    `SELECT lag(t2 - t1, 1, INTERVAL '1' YEAR) OVER () AS d FROM ${FILE}`,
  ])
    t.same(await typesOf(sql), INTERVAL, sql)
  t.same(await typesOf("SELECT DATE '2024-03-01' - DATE '2024-02-01' AS d"), ['Int64'])
  t.equal(await scalarOf(`SELECT typeof(t2 - t1) FROM ${FILE}`), 'INTERVAL', 'which the type in SQL is')
  t.equal(await scalarOf(`SELECT count(*) FROM ${FILE} WHERE t2 - t1 > INTERVAL 1 HOUR`), 2)
  t.equal(await scalarOf(`SELECT epoch(max(t1) - min(t1)) FROM ${FILE}`), 14_400)
})

t.test('values are those of the times, in each form', async (t) => {
  const sql = `SELECT t2 - t1 AS d FROM ${FILE} ORDER BY t1`
  const micros = [90_000_000, 86_400_000_000, null, -1000, 34_560_000_000_000]
  const texts = ['PT90S', 'PT86400S', null, '-PT0.001S', 'PT34560000S']
  const arrow = await service.rows({ sql })
  t.same(
    [...(arrow.getChild('d') ?? [])].map((value) => (value === null ? null : Number(value))),
    micros,
  )
  t.same(
    (await rowsOf({ sql })).map(({ d }) => d),
    texts,
  )
  const csv = await service.query({ sql, output: { format: 'csv' } })
  t.same((await csv.text()).split('\n').slice(1, 3), texts.slice(0, 2))
  const ipc = await service.query({ sql, output: { format: 'ipc' } })
  t.equal(String(tableFromIPC(new Uint8Array(await ipc.arrayBuffer())).schema.fields[0]?.type), DURATION[0])
  const parquet = await service.query({ sql, output: { format: 'parquet' } })
  writeFileSync(join(service.datasets, 'd.parquet'), new Uint8Array(await parquet.arrayBuffer()))
  const again = await service.rows({ from: { parquet: { paths: ['d.parquet'] } }, select: ['d'] })
  t.equal(String(again.schema.fields[0]?.type), DURATION[0], 'a Parquet file says that it is one')
  t.same(
    [...(again.getChild('d') ?? [])].map((value) => (value === null ? null : Number(value))),
    micros,
  )
  t.match(await failure({ sql, output: { format: 'netcdf' } }), /epoch\(/, 'NetCDF has no durations')
  const seconds = await service.query({
    sql: sql.replace('t2 - t1', 'epoch(t2 - t1)'),
    output: { format: 'netcdf' },
  })
  t.equal(seconds.status, 200)
  await seconds.arrayBuffer()
})

t.test('any times give their difference', async (t) => {
  const time = fc
    .integer({ min: -62_000_000_000, max: 250_000_000_000 })
    .map((seconds) => BigInt(seconds) * 1_000_000n)
  const pairs = fc.sample(fc.tuple(time, time, fc.integer({ min: 0, max: 999_999 })), 3000)
  const rows = pairs.map(([a, b, micros], row) => `(${row}, ${a + BigInt(micros)}, ${b})`).join(', ')
  const arrow = await service.rows({
    sql: `SELECT make_timestamp(a) - make_timestamp(b) AS d FROM (VALUES ${rows}) AS v(row, a, b) ORDER BY row`,
  })
  t.equal(String(arrow.schema.fields[0]?.type), DURATION[0])
  const expected = pairs.map(([a, b, micros]) => a + BigInt(micros) - b)
  t.same([...(arrow.getChild('d') ?? [])].map(String), expected.map(String))
})

t.test('an interval that is no duration is an error, and is never cut to one', async (t) => {
  /** Where the struct of an array, its buffers, its validity and its values lie. */
  const [array, buffers, validity, values] = [0, 64, 80, 96]
  const made = (months: number, days: number, nanoseconds: bigint, isValid = true) => {
    const view = new DataView(new ArrayBuffer(128))
    view.setUint32(array + 40, buffers, true)
    view.setUint32(buffers, validity, true)
    view.setUint32(buffers + 4, values, true)
    view.setUint8(validity, Number(isValid))
    view.setInt32(values, months, true)
    view.setInt32(values + 4, days, true)
    view.setBigInt64(values + 8, nanoseconds, true)
    toDurations(view.buffer, array, 1, 'd')
    return view.getBigInt64(values, true)
  }
  t.equal(made(0, -2, 1_000_001_000n), -172_798_999_999n)
  t.equal(made(7, 7, 7n, false), 0n, 'a null has any value')
  for (const [months, days] of [
    [1, 0],
    [-1, 30],
    [0, 2 ** 31 - 1],
  ] as const)
    t.throws(() => made(months, days, 0n), { code: 'invalid_sql', message: /column "d" is no Duration/ })
})
