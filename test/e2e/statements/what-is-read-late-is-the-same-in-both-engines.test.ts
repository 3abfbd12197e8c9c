import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromArrays, tableToIPC } from 'apache-arrow'
import { Compression, EnabledStatistics, Table, WriterPropertiesBuilder, writeParquet } from 'parquet-wasm'
import t from 'tap'
import { post } from '../../http/test-server.ts'
import { askBoth, sameAnswers, show } from '../../sql/select/both-engines.ts'
import { fc } from '../../support/generate.ts'
import { writeZarr } from '../../zarr/write-zarr.ts'
import { writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'

/** So many that tasks read some of them each. */
const ROWS = 270_000
const UNIT_ROWS = 20_000
const service = await startTestService(t, { workers: 2, settings: { SERVICE_CACHE_BYTES: '0' } })

function values<T>(value: (row: number) => T): T[] {
  return Array.from({ length: ROWS }, (_, row) => value(row))
}

const scattered = (row: number) => (row * 7919) % 300_007
/** A text that cannot be compressed much. */
const textOf = (row: number) =>
  createHash('md5')
    .update(`${scattered(row)}`)
    .digest('hex')
const columns = tableFromArrays({
  id: Int32Array.from(values(scattered)),
  rising: Int32Array.from(values((row) => row)),
  few: Int8Array.from(values((row) => (row * 31) % 53)),
  many: Int32Array.from(values((row) => (row * 31) % 90_001)),
  x: values((row) => [null, Number.NaN, -0, 0][row % 19] ?? ((row * 104_729) % 1009) / 10),
  text: values(textOf),
  holes: values((row) => (row % 3 === 0 ? null : textOf(row))),
})
const properties = new WriterPropertiesBuilder()
  .setCompression(Compression.SNAPPY)
  .setMaxRowGroupSize(UNIT_ROWS)
  .setDataPageSizeLimit(32 << 10)
  .setDictionaryEnabled(false)
  .setStatisticsEnabled(EnabledStatistics.Page)
  .build()
const bytes = writeParquet(Table.fromIPCStream(tableToIPC(columns, 'stream')), properties)
writeFileSync(join(service.datasets, 'a.parquet'), bytes)

const FROM = "FROM read_parquet('a.parquet')"

async function requireSame(sql: string): Promise<void> {
  const { engine, core, duck } = await askBoth(service, sql)
  assert.equal(engine, 'core', sql)
  assert.ok(sameAnswers(core, duck, true), `${sql}\n${show(core).slice(0, 300)}\n${show(duck).slice(0, 300)}`)
}

t.test('first rows of groups and values of extreme rows are those of DuckDB', async () => {
  await requireSame(`SELECT DISTINCT ON (few) * ${FROM} ORDER BY few, rising DESC`)
  await requireSame(`SELECT DISTINCT ON (many) many, text, x ${FROM} ORDER BY many, id LIMIT 7 OFFSET 3`)
  await requireSame(`SELECT few, arg_max(text, rising), count(*) ${FROM} GROUP BY few ORDER BY few`)
})

t.test('the bytes are the same with any number of workers', async (t) => {
  const alone = await startTestService(t, { workers: 1 })
  writeFileSync(join(alone.datasets, 'a.parquet'), bytes)
  const statements = [
    `SELECT DISTINCT ON (many) many, text, x ${FROM} ORDER BY many, x`,
    `SELECT *, row_number() OVER (PARTITION BY few ORDER BY x) AS n ${FROM} QUALIFY n <= 5`,
    `SELECT few, arg_max(text, x), arg_min(holes, x), sum(x) ${FROM} GROUP BY few`,
  ]
  for (const sql of statements) {
    const [one, two] = await Promise.all(
      [alone, service].map(async (each) => Buffer.from(await (await each.query({ sql })).arrayBuffer())),
    )
    t.ok(one !== undefined && two?.equals(one), sql)
  }
})

async function rowsReadLate(sql: string): Promise<number | undefined> {
  const response = await post(`${service.url}/api/explain-analyze-query`, { sql })
  const [{ Plan }] = (await response.json()) as [{ Plan: { Extras: { rows_read_late?: number } } }]
  return Plan.Extras.rows_read_late
}

t.test('rows of arrays and of small files are read late too', async (t) => {
  const [times, places] = [100, 60]
  const dimensions = ['time', 'lat', 'lon']
  const shape = [times, places, places]
  const cells = times * places * places
  const numbers = (factor: number) => Float32Array.from({ length: cells }, (_, at) => (at * factor) % 1009)
  writeZarr(
    join(service.datasets, 'grid'),
    [
      ...dimensions.map((name, axis) => {
        const size = shape[axis] ?? 0
        const values = Int32Array.from({ length: size }, (_, at) => at)
        return { name, dimensions: [name], shape: [size], chunk: [size], values }
      }),
      { name: 'a', dimensions, shape, chunk: [20, 30, 30], values: numbers(7919) },
      { name: 'b', dimensions, shape, chunk: [10, 60, 20], values: numbers(31) },
    ],
    { version: 3 },
  )
  const grid = "FROM read_zarr('grid')"
  const cellsOfPlaces = `SELECT DISTINCT ON (lat, lon) lat, lon, time, a, b ${grid} ORDER BY lat, lon, a DESC, time`
  await requireSame(cellsOfPlaces)
  t.equal(await rowsReadLate(cellsOfPlaces), places * places)
  const few = `SELECT DISTINCT ON (lon) lon, time, lat, a, b ${grid} WHERE a > 500 ORDER BY lon, a, time, lat LIMIT 9`
  await requireSame(few)
  t.equal(await rowsReadLate(few), 9)

  mkdirSync(join(service.datasets, 'small'))
  const fileRows = 3000
  for (let from = 0; from < ROWS; from += fileRows)
    writeParquetFile(
      join(service.datasets, 'small', `${1_000_000 + from}.parquet`),
      columns.slice(from, from + fileRows),
      2000,
    )
  const small = FROM.replace('a.parquet', 'small/*.parquet')
  const rows = `SELECT DISTINCT ON (few) few, x * 2 AS y, text, holes ${small} ORDER BY few, id`
  await requireSame(rows)
  t.equal(await rowsReadLate(rows), 53)
  await requireSame(
    `SELECT few, arg_max(holes, id), arg_min(text, rising) ${small} GROUP BY few ORDER BY few`,
  )
})

t.test('a null in the row with the greatest key makes another row count', async () => {
  await requireSame(
    `SELECT few, arg_max(holes, rising), arg_min(holes, id) ${FROM} GROUP BY few ORDER BY few`,
  )
  await requireSame(
    `SELECT arg_max(holes, rising), arg_max(text, rising), max(rising) ${FROM} WHERE rising < 3`,
  )
  await requireSame(`SELECT arg_max(holes, CASE WHEN id > 500 THEN x END), arg_max(text, x) ${FROM}`)
})

const groups = fc.constantFrom('few', 'many', 'few, id % 3', 'x', 'holes IS NULL')
const where = fc.constantFrom(
  '',
  ' WHERE id > 150000',
  ' WHERE x > 50 AND few <> 7',
  ' WHERE rising % 50 = 3',
)
const order = fc.constantFrom('x', 'x DESC NULLS LAST', 'rising DESC', 'id', 'text', 'holes NULLS FIRST')
const aggregate = fc
  .tuple(
    fc.constantFrom('arg_max', 'arg_min'),
    fc.constantFrom('text', 'holes', 'id', 'x'),
    fc.constantFrom('x', 'rising', 'id', 'text', 'few'),
  )
  .map(([name, value, by]) => `${name}(${value}, ${by})`)
const aggregates = fc.array(
  fc.oneof({ weight: 4, arbitrary: aggregate }, fc.constantFrom('count(holes)', 'max(text)', 'sum(id)')),
  { minLength: 1, maxLength: 3 },
)
const statements = fc.oneof(
  fc
    .record({ groups, where, order, most: fc.constantFrom(1, 1, 3) })
    .map(
      ({ groups, where, order, most }) =>
        `SELECT text, id, x ${FROM}${where} QUALIFY row_number() OVER (PARTITION BY ${groups} ORDER BY ${order}, id) <= ${most} ORDER BY id LIMIT 1000`,
    ),
  fc
    .record({ groups, where, order, limit: fc.constantFrom('', ' LIMIT 20 OFFSET 5') })
    .map(
      ({ groups, where, order, limit }) =>
        `SELECT DISTINCT ON (${groups}) * ${FROM}${where} ORDER BY ${groups}, ${order}, id${limit}`,
    ),
  fc
    .record({ groups: fc.constantFrom('few', 'many'), where, aggregates })
    .map(
      ({ groups, where, aggregates }) =>
        `SELECT ${groups}, ${aggregates.join(', ')} ${FROM}${where} GROUP BY ${groups} ORDER BY ${groups} LIMIT 2000`,
    ),
)

t.test('answers are those of DuckDB, whatever is read late', async () => {
  await fc.assert(fc.asyncProperty(statements, requireSame), { numRuns: 6 })
})
