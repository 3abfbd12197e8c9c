import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Table } from 'apache-arrow'
import t from 'tap'
import {
  ConvertedType,
  PhysicalType,
  Repetition,
} from '../../../src/workers/formats/parquet/metadata/metadata.ts'
import { fixture } from '../../formats/fixtures.ts'
import { writeParquet } from '../../parquet/write-parquet.ts'
import { startTestService } from '../service.ts'

const service = await startTestService(t)
const { query, rows } = service
copyFileSync(fixture('parquet', 'duckdb-intervals'), join(service.datasets, 'spans.parquet'))

const from = { parquet: { paths: ['spans.parquet'] } }
const table = "read_parquet('spans.parquet')"

/** What scripts/make-time-fixtures.py wrote: months, days and milliseconds of a row. */
const written = Array.from({ length: 40 }, (_, n) =>
  n % 7 === 3 ? null : ([n % 5, (n * 3) % 40, n * 1_234_567] as const),
)

/** Months, days and nanoseconds of each row: Arrow's interval in 16 bytes. */
function spans(answer: Table): (readonly [number, number, number] | null)[] {
  const column = answer.getChild('span')
  return Array.from({ length: answer.numRows }, (_, row) => {
    const value: Int32Array | null = column?.get(row) ?? null
    if (value === null) return null
    const view = new DataView(value.buffer, value.byteOffset, 16)
    return [view.getInt32(0, true), view.getInt32(4, true), Number(view.getBigInt64(8, true)) / 1e6]
  })
}

/** As CSV and JSON have it. */
const iso = (value: readonly [number, number, number] | null): string => {
  if (value === null) return ''
  const [months, days, milliseconds] = value
  const [seconds, rest] = [Math.floor(milliseconds / 1000), milliseconds % 1000]
  const fraction = rest === 0 ? '' : `.${String(rest).padStart(3, '0')}`
  return `P${months === 0 ? '' : `${months}M`}${days}DT${seconds}${fraction}S`
}

t.test('every way to ask gives months, days and nanoseconds', async (t) => {
  for (const body of [
    { select: ['n', 'span'], from },
    { select: ['n', 'span'], from, sort_by: [{ Asc: 'n' }] },
    { select: ['n', { function: 'coalesce', args: ['span', 'span'], alias: 'span' }], from },
    { sql: `SELECT n, span FROM ${table}` },
    { sql: `SELECT n, span FROM ${table} WHERE n % 1 = 0 ORDER BY n` },
    { sql: `SELECT n, CASE WHEN n >= 0 THEN span END AS span FROM ${table} ORDER BY n` },
  ]) {
    const answer = await rows(body)
    t.same(spans(answer), written, JSON.stringify(body))
    t.equal(String(answer.schema.fields[1]?.type), 'Interval<MONTH_DAY_NANO>', JSON.stringify(body))
  }
})

t.test('text is that of every interval', async (t) => {
  for (const where of ['n >= 0', 'n % 1 = 0']) {
    const sql = `SELECT n, span FROM ${table} WHERE ${where}`
    const csv = await (await query({ sql, output: { format: 'csv' } })).text()
    t.same(
      csv.trimEnd().split('\n').slice(1),
      written.map((span, n) => `${n},${iso(span)}`),
    )
    const json = (await (await query({ sql, output: { format: 'json' } })).json()) as { rows: unknown }
    t.same(
      json.rows,
      written.map((span, n) => [n, span === null ? null : iso(span)]),
    )
  }
})

t.test('statements compute with them', async (t) => {
  const one = async (sql: string) =>
    [...(await rows({ sql: `SELECT (${sql})::VARCHAR AS v` })).toArray()][0]?.v
  t.equal(await one(`SELECT span FROM ${table} WHERE n = 39`), '4 months 37 days 13:22:28.113')
  t.equal(
    await one(`SELECT TIMESTAMP '2024-01-31' + span FROM ${table} WHERE n = 1`),
    '2024-03-03 00:20:34.567',
  )
  // DuckDB compares a month as 30 days.
  const longer = written.filter((span) => span !== null && 30 * span[0] + span[1] >= 120)
  t.equal(await one(`SELECT count(*) FROM ${table} WHERE span > INTERVAL 4 MONTH`), String(longer.length))
  t.equal(
    await one(`SELECT sum(n) FROM ${table} WHERE span = INTERVAL '4 months 12 days 4938.268 seconds'`),
    '4',
  )
  t.equal(
    await one(`SELECT typeof(span) || typeof(spans) || typeof(s) FROM ${table} LIMIT 1`),
    'INTERVALINTERVAL[]STRUCT(a INTERVAL)',
  )
  t.equal(await one(`SELECT spans FROM ${table} WHERE n = 5`), '[5 months, NULL, 5 days]')
  t.equal(await one(`SELECT maybe FROM ${table} WHERE n = 29`), "{'a': '1 day 05:00:00'}")
  t.equal(await one(`SELECT m[13] FROM ${table} WHERE n = 13`), '00:13:00')
})

t.test('the schema of a dataset tells them', async (t) => {
  const response = await fetch(`${service.url}/api/dataset-schema?file=spans.parquet`)
  t.match(JSON.stringify(await response.json()), /"name":"span","data_type":\{"Interval":"MonthDayNano"\}/)
})

t.test('one of more months or days than 31 bits hold is a 400 that names file and column', async (t) => {
  const value = Buffer.alloc(12)
  value.writeUInt32LE(2 ** 31, 0)
  const leaf = { type: PhysicalType.fixedLenByteArray, typeLength: 12 }
  const file = writeParquet(
    [
      { name: 'schema', children: 1 },
      { name: 'far', repetition: Repetition.required, ...leaf, convertedType: ConvertedType.interval },
    ],
    [
      {
        path: ['far'],
        type: leaf.type,
        maxDefinition: 0,
        maxRepetition: 0,
        pages: [{ levels: [{ repetition: 0, definition: 0, value }], version: 1 }],
      },
    ],
    1,
  )
  writeFileSync(join(service.datasets, 'far.parquet'), file)
  for (const body of [
    { select: ['far'], from: { parquet: { paths: ['far.parquet'] } } },
    { sql: "SELECT far FROM read_parquet('far.parquet')" },
    { sql: "SELECT far + INTERVAL 1 DAY FROM read_parquet('far.parquet')" },
  ]) {
    const answer = await query(body)
    t.equal(answer.status, 400)
    t.match(
      await answer.json(),
      /far\.parquet.*column "far".*an INTERVAL has more than 2147483647 months or days/,
    )
  }
})
