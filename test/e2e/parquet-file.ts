import { writeFileSync } from 'node:fs'
import { type Table, tableFromArrays, tableToIPC } from 'apache-arrow'
import { Compression, Table as ParquetTable, WriterPropertiesBuilder, writeParquet } from 'parquet-wasm'

/** Writes an Arrow table as a Parquet file with row groups of `rowGroupRows` rows. */
export function writeParquetFile(path: string, table: Table, rowGroupRows: number): void {
  const properties = new WriterPropertiesBuilder()
    .setCompression(Compression.ZSTD)
    .setMaxRowGroupSize(rowGroupRows)
    .build()
  writeFileSync(path, writeParquet(ParquetTable.fromIPCStream(tableToIPC(table, 'stream')), properties))
}

/** A table of `rows` rows: `id` counts from `first`, `noise` is scattered over 0..1, `name` is one of seven texts. */
export function numberedRows(rows: number, first = 0): Table {
  const id = Int32Array.from({ length: rows }, (_, row) => first + row)
  return tableFromArrays({
    id,
    noise: Float64Array.from(id, (value) => (Math.imul(value, 0x9e3779b1) >>> 0) / 2 ** 32),
    name: Array.from(id, (value) => `name-${value % 7}`),
  })
}
