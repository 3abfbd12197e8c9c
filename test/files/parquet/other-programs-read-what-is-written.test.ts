import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { END_OF_STREAM } from '../../../src/plan/arrow/ipc.ts'
import { writeSchemaMessage } from '../../../src/plan/arrow/schema-message.ts'
import { type DataType, field } from '../../../src/plan/types/schema.ts'
import type { Column } from '../../../src/wasm/core/column.ts'
import { createCore } from '../../../src/wasm/core/create-core.ts'
import { place } from '../../core/c-array.ts'
import { SAMPLES } from '../../core/samples.ts'
import { runPython, skipWithout } from '../../support/python.ts'
import { encodedFile, type TestTable } from './encoded-file.ts'

const core = createCore({ maximumBytes: 256 << 20 })
const folder = mkdtempSync(join(tmpdir(), 'halocline-parquet-'))
t.teardown(() => rmSync(folder, { recursive: true }))

/** Compares a Parquet file with the same columns as an Arrow stream. Prints a line for each column that differs. */
const COMPARE = `
import json, sys
import duckdb, pyarrow as pa, pyarrow.parquet as pq
file, stream, unread = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
expected = pa.ipc.open_stream(stream).read_all()
whole = pq.read_table(file, page_checksum_verification=True)
names = [name for name in expected.column_names if name not in unread]
shown = ', '.join('"' + name + '"' for name in names)
by_duckdb = duckdb.sql(f"SELECT {shown} FROM read_parquet('{file}')").to_arrow_table()

def same(a, b):
    b = b.cast(a.type)
    return b.equals(a) or (pa.types.is_floating(a.type) and b.to_pandas().equals(a.to_pandas()))

for name in names:
    if whole[name].type != expected[name].type: print('pyarrow reads', name, 'as', whole[name].type)
    if not same(expected[name], whole[name]): print('pyarrow reads other values of', name)
    if not same(expected[name], by_duckdb[name]): print('DuckDB reads other values of', name)
for name in expected.column_names:
    if whole.schema.field(name).nullable != expected.schema.field(name).nullable: print('nullable', name)
metadata = pq.ParquetFile(file).metadata
for i in range(metadata.num_row_groups):
    for j in range(metadata.num_columns):
        chunk = metadata.row_group(i).column(j)
        if not (chunk.has_offset_index and chunk.is_stats_set): print('no index or statistics', chunk.path_in_schema)
`

/** A column of decimals of so many bits. */
function decimals(
  bits: 32 | 64 | 128 | 256,
  precision: number,
  rows: number,
): { type: DataType; column: Column } {
  const type: DataType = { kind: 'decimal', bits, precision, scale: 2 }
  const width = bits / 8
  const values = Buffer.alloc(rows * width)
  for (let row = 0; row < rows; row++) {
    const value = BigInt((row % 1000) - 500) * 10n ** BigInt(precision - 4)
    for (let byte = 0; byte < width; byte++)
      values[row * width + byte] = Number(BigInt.asUintN(8, value >> BigInt(8 * byte)))
  }
  const format = `d:${precision},2${bits === 128 ? '' : `,${bits}`}`
  const { memory, array, schema } = place({ format, length: rows, buffers: [null, values] })
  return { type, column: core.importArray(memory, array, schema, type) }
}

/** Columns of all types, of several pages, in which values repeat. */
function manyRows(): TestTable {
  const rows = 25_000
  const usual = SAMPLES.filter(({ type }) => type.kind !== 'decimal')
  const repeated = usual.map(({ name, type, array }) => {
    const placed = place(array)
    const five = core.importArray(placed.memory, placed.array, placed.schema, type)
    return { field: field(name.replaceAll(' ', '_'), type), column: core.concat(Array(rows / 5).fill(five)) }
  })
  const sizes = [
    [32, 9],
    [64, 18],
    [128, 9],
    [128, 18],
    [128, 38],
    [256, 76],
  ] as const
  const numbers = sizes.map(([bits, precision]) => {
    const { type, column } = decimals(bits, precision, rows)
    return { field: field(`decimal${bits}_${precision}`, type, false), column }
  })
  const all = [...repeated, ...numbers]
  return { fields: all.map((each) => each.field), columns: all.map((each) => each.column), rows }
}

t.test('pyarrow and DuckDB read all types', { skip: skipWithout('duckdb') }, async (t) => {
  const table = manyRows()
  const { fields, columns, rows } = table
  const types = fields.map(({ type }) => type)
  const batch = core.encodeBatch(columns, types, rows, null, 0, rows, 1 << 28)
  const stream = [writeSchemaMessage({ fields, metadata: {} }), Buffer.from(batch.bytes), END_OF_STREAM]
  writeFileSync(join(folder, 'all.arrows'), Buffer.concat(stream))
  writeFileSync(join(folder, 'all.parquet'), encodedFile(core, table, 21_000))
  // pyarrow has no intervals of Parquet, and DuckDB neither times beyond a day nor decimals of more than 38 digits.
  const unread = ['interval_of_months', 'interval_of_days', 'time64', 'decimal256_76']
  const paths = ['all.parquet', 'all.arrows'].map((name) => join(folder, name))
  t.equal(await runPython(COMPARE, [...paths, JSON.stringify(unread)]), '')
})

const GEOMETRY = `
import sys
import duckdb, geopandas, pyarrow.parquet as pq
file = sys.argv[1]
frame = geopandas.read_parquet(file)
print(frame.crs.to_authority(), list(frame.columns), frame.total_bounds.tolist())
print([None if point is None else (point.x, point.y) for point in frame.geometry])
print(pq.read_metadata(file).metadata[b'geo'].decode())
print(duckdb.sql(f"SELECT typeof(geometry) FROM read_parquet('{file}') LIMIT 1").fetchall()[0][0].startswith('GEOMETRY'))
`

t.test('GeoPandas and DuckDB read points', { skip: skipWithout('geopandas') }, async (t) => {
  const type: DataType = { kind: 'float', bits: 64 }
  const floats = (...values: readonly number[]): Column => {
    const buffers = [null, Float64Array.from(values)]
    const { memory, array, schema } = place({ format: 'g', length: values.length, buffers })
    return core.importArray(memory, array, schema, type)
  }
  const columns = [floats(5.5, -170, Number.NaN, 12), floats(52, -33.25, 1, Number.POSITIVE_INFINITY)]
  const table = { fields: [field('lon', type), field('lat', type)], columns, rows: 4 }
  const path = join(folder, 'points.parquet')
  const points = { longitude: 0, latitude: 1 }
  writeFileSync(path, encodedFile(core, table, 3, { kind: 'parquet', points }))
  t.same((await runPython(GEOMETRY, [path])).trim().split('\n'), [
    "('OGC', 'CRS84') ['lon', 'lat', 'geometry'] [-170.0, -33.25, 5.5, 52.0]",
    '[(5.5, 52.0), (-170.0, -33.25), None, None]',
    '{"version":"1.1.0","primary_column":"geometry","columns":{"geometry":{"encoding":"WKB","geometry_types":["Point"],"bbox":[-170,-33.25,5.5,52]}}}',
    'True',
  ])
})
