import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { post } from '../../http/test-server.ts'
import { writeGroup } from '../../zarr/write-store.ts'
import { startTestService } from '../service.ts'

const service = await startTestService(t, { workers: 1 })
const path = join(service.datasets, 't.parquet')
const native = await openNative()

/** Ten row groups of 2048 rows, an hour each, from 2020 to 2022. */
await native.run(`COPY (
  SELECT i::INTEGER AS id,
    TIMESTAMP '2020-01-01' + to_hours(i) AS time,
    time::TIMESTAMP_S AS time_s,
    time::TIMESTAMP_MS AS time_ms,
    time::TIMESTAMP_NS AS time_ns,
    time::DATE AS day,
    time::TIMESTAMPTZ AS zoned,
    epoch(time)::INTEGER AS seconds,
    (i / 10)::DOUBLE AS f64,
    (i / 10)::FLOAT AS f32,
    i::SMALLINT AS i16,
    printf('%06d', i) AS text
  FROM range(20480) AS numbers(i)) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`)

async function openNative() {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  t.teardown(() => {
    connection.closeSync()
    instance.closeSync()
  })
  return connection
}

/** Conditions, and how many row groups may have rows that pass. */
const WHERES: readonly (readonly [where: string, left: number])[] = [
  ['year(time) = 2021', 5],
  ['year(time_ns) = 2021', 5],
  ['2021 = year(time)', 5],
  ['year(time) > 2021 AND id % 2 = 0', 2],
  ['NOT year(time) <= 2021', 2],
  ['year(time_s) BETWEEN 2018 AND 2019', 0],
  ['year(day) IN (2019, 2022)', 2],
  ['year(time) <> 2020', 6],
  ['extract(year FROM time_ms) = 2019', 0],
  ["date_part('year', time) >= 2022", 2],
  ['isoyear(time) = 2022', 2],
  ['decade(time) = 201', 0],
  ["date_trunc('month', time) = TIMESTAMP '2021-03-01'", 2],
  ["date_trunc('month', time_ns) = '2021-03-01'", 2],
  ['year(zoned) = 2021', 5],
  ["date_trunc('month', zoned) = '2021-03-01'", 2],
  ["zoned::DATE = DATE '2021-03-01'", 1],
  ["date_trunc('day', zoned AT TIME ZONE 'Europe/Berlin') = '2021-02-27'", 1],
  ["date_trunc('day', zoned AT TIME ZONE 'Europe/Berlin') = '2021-03-28'", 1],
  ["(zoned AT TIME ZONE 'America/New_York')::DATE = DATE '2020-11-01'", 1],
  ["hour(zoned AT TIME ZONE 'Asia/Kathmandu') = 25", 0],
  ["year(zoned AT TIME ZONE 'Pacific/Auckland') = 2021", 5],
  ["time AT TIME ZONE 'Europe/Berlin' < TIMESTAMPTZ '2020-01-02 00:00:00+00'", 1],
  ["date_trunc('month', to_timestamp(seconds) AT TIME ZONE 'Europe/Berlin') = '2021-04-01'", 1],
  ["date_trunc('month', to_timestamp(seconds)) = '2021-03-01'", 2],
  ["to_timestamp(seconds) >= TIMESTAMPTZ '2022-01-01 01:00:00+01'", 2],
  ['year(to_timestamp(seconds)) < 2020', 0],
  ['month(to_timestamp(seconds * 1e0)) = 13', 0],
  ["date_trunc('month', day) = DATE '2021-03-01'", 2],
  ["date_trunc('month', time) = TIMESTAMP '2021-03-02'", 0],
  ["date_trunc('day', time_s) < '2020-01-03'", 1],
  ["date_trunc('year', time) >= DATE '2022-01-01'", 2],
  ['year(time) = 2021 AND month(time) = 12', 2],
  ["time::DATE = DATE '2021-03-01'", 1],
  ["CAST(time_ns AS DATE) >= '2022-03-01'", 1],
  ['month(time) = 13', 0],
  ['floor(f64) = 3', 1],
  ['ceil(f32) <= 3', 1],
  ['floor(f64 / 5) * 5 < 10', 1],
  ['f64 < 0.7::DOUBLE', 1],
  ['f32 < 0.7::DOUBLE', 1],
  ['f64 BETWEEN 3::DOUBLE AND 4::DOUBLE', 1],
  ['i16 IN (3::BIGINT, 5::BIGINT)', 1],
  ['i16::DOUBLE > 20479.5', 0],
  ["time >= CAST('2022-01-01' AS TIMESTAMP)", 2],
  ["text LIKE '0001%'", 1],
  ["text LIKE '0001%7'", 1],
  ["text LIKE '000177'", 1],
  ["starts_with(text, '0001')", 1],
  ["text ^@ '9'", 0],
  ["text NOT LIKE '0%'", 0],
  ['length(text) < 0', 0],
]

t.test('row groups without a hit are not read, and the answer is that of native DuckDB', async (t) => {
  for (const [where, left] of WHERES) {
    const expected = await native.runAndReadAll(`SELECT id FROM read_parquet('${path}') WHERE ${where}`)
    const sql = `SELECT id FROM read_parquet('t.parquet') WHERE ${where}`
    const ids = Array.from((await service.rows({ sql })).getChild('id') ?? [], Number)
    t.same(ids, expected.getColumnsJS()[0] ?? [], where)
    const { Extras, Engine } = await analyze(sql)
    t.not(Engine, 'DuckDB', where)
    t.equal(10 - (Extras?.['units_pruned'] ?? 0), left, `${where}: ${JSON.stringify(Extras)}`)
  }
})

t.test('so do JSON filters on functions', async (t) => {
  const request = {
    select: ['id', { function: 'year', args: ['time'], alias: 'y' }],
    from: { parquet: { paths: ['t.parquet'] } },
    filters: [{ column: 'y', eq: 2021 }],
  }
  const { Extras } = await analyze(request)
  t.equal(10 - (Extras?.['units_pruned'] ?? 0), 5)
  t.equal((await service.rows(request)).numRows, 8760)
})

t.test('folders are left out by a function of their values', async (t) => {
  for (const day of ['2023-02-01', '2024-01-31', '2024-02-29']) {
    mkdirSync(join(service.datasets, 'days', `day=${day}`), { recursive: true })
    writeFileSync(join(service.datasets, 'days', `day=${day}`, 'a.csv'), 'n\n1\n')
  }
  const files = async (where: string): Promise<unknown> => {
    const sql = `SELECT n, day FROM read_csv('days/**') WHERE ${where}`
    const response = await post(`${service.url}/api/explain-query`, { sql })
    return /"File Count": ?(?<count>\d+)/.exec(await response.text())?.groups?.['count']
  }
  t.equal(await files('year(day) = 2024'), '2')
  t.equal(await files('month(day) = 2'), '2')
  t.equal(await files("date_trunc('month', day) = DATE '2024-02-01'"), '1')
  t.equal(await files('year(day) = 2020'), undefined)
})

t.test('a month of each year of a grid is read alone', async (t) => {
  const days = 730
  writeGroup(join(service.datasets, 'g.zarr'), {
    time: {
      shape: [days],
      chunk: [days],
      dimensions: ['time'],
      values: new Int32Array(days).map((_, index) => index),
      attributes: { units: 'days since 2021-01-01' },
    },
    temp: {
      shape: [days, 3],
      chunk: [5, 3],
      dimensions: ['time', 'x'],
      values: new Float32Array(days * 3).map((_, index) => index),
    },
  })
  const grid = async (where: string): Promise<string> => {
    const sql = `SELECT avg(temp) AS mean FROM read_zarr('g.zarr', ['temp', 'time']) WHERE ${where}`
    const response = await post(`${service.url}/api/explain-query`, { sql })
    return (
      /"time": ?"(?<range>[^"]+)"/.exec((await response.text()).replaceAll('\\"', '"'))?.groups?.['range'] ??
      ''
    )
  }
  t.equal(await grid('month(time) = 2'), '31..59, 396..424')
  t.equal(await grid('year(time) = 2022'), '365..730')
  t.equal(await grid("date_trunc('month', time) = '2022-02-01'"), '396..424')
  t.equal(await grid('day(time) = 1 AND month(time) < 3'), '0..1, 31..32, 365..366, 396..397')
  const rows = await service.rows({
    sql: "SELECT count(*) AS n, avg(temp) AS mean FROM read_zarr('g.zarr', ['temp', 'time']) WHERE month(time) = 2",
  })
  const inFebruary = [...range(31, 59), ...range(396, 424)].flatMap((day) => [
    3 * day,
    3 * day + 1,
    3 * day + 2,
  ])
  const sum = inFebruary.reduce((a, b) => a + b, 0)
  t.same(Object.values(rows.get(0)?.toJSON() ?? {}).map(Number), [inFebruary.length, sum / inFebruary.length])
})

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}

interface Analyzed {
  readonly Engine?: string
  readonly Extras?: Readonly<Record<string, number>>
}

async function analyze(query: object | string): Promise<Analyzed> {
  const body = typeof query === 'string' ? { sql: query } : query
  const response = await post(`${service.url}/api/explain-analyze-query`, body)
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${JSON.stringify(body)}: ${response.status} ${text}`)
  const [{ Plan }] = JSON.parse(text) as [{ Plan: Analyzed }]
  return Plan
}
