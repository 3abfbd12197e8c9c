import type { Field } from '../../../src/plan/types/schema.ts'
import { fileEnd } from '../../../src/workers/writers/parquet/file-end.ts'
import { flatChunk } from '../../../src/workers/writers/parquet/flat-chunk.ts'
import { readSummary } from '../../../src/workers/writers/parquet/read-summary.ts'
import type { EncodedColumnChunk } from '../../../src/workers/writers/parquet/row-groups.ts'
import { storageOf } from '../../../src/workers/writers/parquet/storage.ts'
import { storedField } from '../../../src/workers/writers/parquet/stored-field.ts'

/** A Parquet file of one row group of one column. */
export function oneColumnFile(field: Field, { bytes, summary }: EncodedColumnChunk): Buffer {
  const magic = Buffer.from('PAR1')
  const storage = storageOf(field.type)
  if (storage === null) throw new TypeError('a nested column has several chunks')
  const chunk = readSummary(summary, storage)
  const group = { rows: chunk.rows, chunks: [flatChunk(chunk, 0)] }
  const at = magic.length + bytes.byteLength
  const end = fileEnd([storedField(field)], [{ at: magic.length, group }], [], at)
  return Buffer.concat([magic, Buffer.from(bytes), Buffer.from(end)])
}
