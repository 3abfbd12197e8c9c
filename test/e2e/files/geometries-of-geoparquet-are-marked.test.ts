import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Table, tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { changeFooter } from '../../parquet/change-footer.ts'
import { startTestService } from '../service.ts'

// The files and the rows of each are geopandas': scripts/make-geoparquet-fixtures.py.
const FOLDER = join(import.meta.dirname, '../../fixtures/geoparquet')
const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.parquet'))
  .map((name) => name.slice(0, -'.parquet'.length))

const { datasets, rows, query } = await startTestService(t)
for (const name of NAMES) copyFileSync(join(FOLDER, `${name}.parquet`), join(datasets, `${name}.parquet`))

type System = string | { readonly id?: { readonly code?: unknown } } | null

/** The rows as values that can be compared, and how the geometries are marked. */
function contentOf(table: Table) {
  const metadata = table.schema.fields.find(({ name }) => name === 'geometry')?.metadata
  const { crs = null } = JSON.parse(metadata?.get('ARROW:extension:metadata') ?? '{}') as { crs?: System }
  return {
    rows: JSON.stringify(table.toArray(), (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    extension: metadata?.get('ARROW:extension:name'),
    // Files lack some of the identifiers inside, as geopandas writes them.
    crs: typeof crs === 'object' ? (crs?.id ?? null) : crs,
  }
}

for (const name of NAMES)
  t.test(name, async (t) => {
    const written = contentOf(
      tableFromIPC(gunzipSync(readFileSync(join(FOLDER, `${name}.expected.arrow.gz`)))),
    )
    // Metadata without a reference system mean longitude and latitude, which geopandas spells out.
    const expected = name === 'default' ? { ...written, crs: 'OGC:CRS84' } : written
    const table = `read_geoparquet('${name}.parquet')`
    for (const body of [
      { sql: `SELECT * FROM ${table}` },
      { sql: `SELECT id, geometry FROM ${table} ORDER BY id, hash(id)` },
      { sql: `SELECT * FROM read_parquet('${name}.parquet')` },
      { select: ['id', 'geometry'], from: { geoparquet: { paths: [`${name}.parquet`] } } },
    ])
      t.same(contentOf(await rows(body)), expected, JSON.stringify(body))
    const columns = await rows({ sql: `SELECT column_name FROM read_geoparquet_schema('${name}.parquet')` })
    t.same(
      columns.toArray().map(({ column_name }) => column_name),
      ['id', 'geometry'],
    )
  })

/** The pair of the key `geo` and a value in the compact protocol of Thrift. */
function pair(value: string): readonly number[] {
  const bytes = Buffer.from(value)
  const length: number[] = []
  for (let left = bytes.length; left > 0 || length.length === 0; left >>>= 7)
    length.push((left & 127) | (left > 127 ? 128 : 0))
  return [3, ...Buffer.from('geo'), 0x18, ...length, ...bytes]
}

t.test('metadata that are not those of GeoParquet mark nothing, and the rows are read', async (t) => {
  const file = readFileSync(join(FOLDER, 'wkb.parquet'))
  const written = /\{"primary_column".*?\}(?=\0)/s.exec(file.toString('latin1'))?.[0] ?? ''
  const column = (encoding: unknown) => JSON.stringify({ columns: { geometry: { encoding } } })
  for (const geo of [
    ...['', '{', 'null', '[]', '7', '{"columns":[]}', '{"columns":{"geometry":null}}', '['.repeat(50_000)],
    ...[column('point'), column('polygon'), column('toString'), column(null), column(['WKB'])],
    JSON.stringify({ columns: { id: { encoding: 'WKB' }, other: { encoding: 'WKB' } } }),
  ]) {
    writeFileSync(join(datasets, 'odd.parquet'), changeFooter(file, pair(written), pair(geo)))
    const { extension } = contentOf(await rows({ sql: "SELECT * FROM read_geoparquet('odd.parquet')" }))
    t.equal(extension, undefined, geo.slice(0, 80))
  }
})

t.test('what is written as GeoParquet is read as geometry', async (t) => {
  const sql = "SELECT id, id::DOUBLE AS x, -id::DOUBLE AS y FROM read_geoparquet('wkb.parquet')"
  const answer = await query({ sql, output: { format: 'geoparquet' } })
  writeFileSync(join(datasets, 'answer.parquet'), new Uint8Array(await answer.arrayBuffer()))
  const { extension, crs } = contentOf(await rows({ sql: "SELECT * FROM read_geoparquet('answer.parquet')" }))
  t.equal(extension, 'geoarrow.wkb')
  t.equal(crs, 'OGC:CRS84')
})
