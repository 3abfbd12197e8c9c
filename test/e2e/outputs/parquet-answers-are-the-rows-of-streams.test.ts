import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Table, tableFromIPC } from 'apache-arrow'
import { readParquet } from 'parquet-wasm'
import t from 'tap'
import { numberedRows, writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'

const service = await startTestService(t, { workers: 2 })
const { datasets, query, rows } = service
writeParquetFile(join(datasets, 'a.parquet'), numberedRows(270_000), 90_000)
const from = { parquet: { paths: ['a.parquet'] } }
const sql = (text: string): object => ({ sql: text })

const QUERIES: readonly object[] = [
  { from, select: ['id', 'noise'] },
  { from, select: ['name', 'id'], filters: [{ column: 'noise', max: 0.05 }] },
  { from, select: ['id'], limit: 0 },
  { from, select: ['id', 'name'], sort_by: [{ Desc: 'noise' }], limit: 1000 },
  // DuckDB runs these.
  sql(
    "SELECT name, median(id) AS m, list(id) FILTER (id < 40) AS ids FROM read_parquet('a.parquet') GROUP BY name ORDER BY name",
  ),
  sql(
    "SELECT id, {'a': id, 'b': [name]} AS s, MAP {name: noise} AS m FROM read_parquet('a.parquet') WHERE id < 500 ORDER BY id",
  ),
  sql(
    "SELECT NULL AS n, DATE '2024-02-29' AS d, TIME '12:30' AS t, INTERVAL 3 DAY AS i, 12.5 AS x, uuid() IS NULL AS b",
  ),
]

/** The values of all columns: of numbers their bytes in hexadecimal digits. */
function valuesOf(table: Table): readonly unknown[] {
  return Array.from({ length: table.numCols }, (_, i) => {
    const column = table.getChildAt(i)
    const values: unknown = column?.toArray()
    return ArrayBuffer.isView(values) && column?.nullCount === 0
      ? Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('hex')
      : [...(column ?? [])].map(String)
  })
}

/** The answer to a query as a Parquet file. */
async function fileOf(body: object): Promise<Uint8Array> {
  const response = await query({ ...body, output: { format: 'parquet' } })
  if (response.status !== 200) throw new Error(await response.text())
  t.equal(response.headers.get('content-type'), 'application/vnd.apache.parquet')
  t.match(response.headers.get('content-disposition'), /attachment; filename="output.parquet"/)
  const bytes = new Uint8Array(await response.arrayBuffer())
  t.equal(response.headers.get('content-length'), String(bytes.length))
  return bytes
}

for (const [i, body] of QUERIES.entries()) {
  t.test(JSON.stringify(body), async (t) => {
    const bytes = await fileOf(body)
    writeFileSync(join(datasets, `${i}.parquet`), bytes)
    const expected = await rows(body)
    const written = await rows(sql(`SELECT * FROM read_parquet('${i}.parquet')`))
    t.strictSame(valuesOf(written), valuesOf(expected), 'read back here')
    t.equal(String(written.schema), String(expected.schema), 'the schema')
    t.equal(
      tableFromIPC(readParquet(bytes).intoIPCStream()).numRows,
      expected.numRows,
      'read by parquet-wasm',
    )
    t.same(await fileOf(body), bytes, 'equal questions give equal bytes')
  })
}

t.test('row groups have at most 262 144 rows, and statistics that filters use', async (t) => {
  writeFileSync(join(datasets, 'sorted.parquet'), await fileOf({ from, select: ['id'] }))
  const paths = { parquet: { paths: ['sorted.parquet'] } }
  const explained = await (
    await query({ from: paths, select: ['id'], filters: [{ column: 'id', min: 269_990 }] }, {})
  ).arrayBuffer()
  t.equal(tableFromIPC(new Uint8Array(explained)).numRows, 10)
})

t.test('points', async (t) => {
  const text =
    "SELECT id * 10.0 - 20 AS lon, CASE WHEN id > 0 THEN id + 40 END AS lat FROM read_parquet('a.parquet') WHERE id < 3 ORDER BY id"
  const response = await query({ sql: text, output: { format: { geoparquet: {} } } })
  t.equal(response.headers.get('content-type'), 'application/vnd.apache.arrow.geo+parquet')
  const table = tableFromIPC(readParquet(new Uint8Array(await response.arrayBuffer())).intoIPCStream())
  t.same(
    table.schema.fields.map(({ name }) => name),
    ['lon', 'lat', 'geometry'],
  )
  t.same(
    [...(table.getChild('geometry') ?? [])].map((point) => point && Buffer.from(point).readDoubleLE(13)),
    [null, 41, 42],
  )
})

t.test('what a file cannot hold is a 400 before a row is read', async (t) => {
  const refused = async (body: object, format: unknown = 'parquet') => {
    const response = await query({ ...body, output: { format } })
    t.equal(response.status, 400)
    return response.json()
  }
  t.match(await refused(sql('SELECT 1 AS a, 2 AS a')), /two columns are named "a".*alias/)
  t.match(await refused(sql('SELECT [INTERVAL 1 DAY] AS i')), /column "i" has the type List.*VARCHAR/)
  t.match(
    await refused({ from, select: ['id', 'name'] }, { geoparquet: { longitude_column: 'id' } }),
    /latitude/,
  )
  t.match(
    await refused(
      { from, select: ['id', 'name'] },
      { geoparquet: { longitude_column: 'name', latitude_column: 'id' } },
    ),
    /column "name" is Utf8.*DOUBLE/,
  )
})
