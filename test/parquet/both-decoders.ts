import { deepStrictEqual } from 'node:assert'
import { isServiceError } from '../../src/plan/errors.ts'
import type { Field } from '../../src/plan/types/schema.ts'
import type { Column as CoreColumn } from '../../src/wasm/core/column.ts'
import type { Core } from '../../src/wasm/core/core.ts'
import { decodeByParquetWasm } from '../../src/workers/formats/parquet/decode/decode.ts'
import { flatColumnOf } from '../../src/workers/formats/parquet/decode/flat.ts'
import type { MiniColumn } from '../../src/workers/formats/parquet/decode/mini-file.ts'
import { readChunks } from '../../src/workers/formats/parquet/metadata/chunks.ts'
import { isInflated } from '../../src/workers/formats/parquet/metadata/codecs.ts'
import { readFooter } from '../../src/workers/formats/parquet/metadata/footer.ts'
import { Codec } from '../../src/workers/formats/parquet/metadata/metadata.ts'
import { readColumns } from '../../src/workers/formats/parquet/metadata/schema.ts'
import { inflatePage, readPages } from '../../src/workers/formats/parquet/pages/pages.ts'
import { memorySource } from '../formats/source.ts'
import { columnValues, encode } from '../formats/values.ts'

/** A flat column of a row group, with all of its pages. */
export interface FlatChunk {
  readonly column: MiniColumn
  readonly rows: number
}

/** The flat columns of every row group that has rows. */
export function flatChunks(bytes: Uint8Array): FlatChunk[] {
  const metadata = readFooter(memorySource(bytes))
  const columns = readColumns(metadata)
  const groups = readChunks(metadata, columns, bytes.length)
  return groups.flatMap((chunks) =>
    columns.flatMap((column) => {
      const [leaf, ...others] = column.leaves
      const chunk = leaf && chunks[leaf.index]
      const isFlat = others.length === 0 && leaf?.path.length === 1 && leaf.maxRepetition === 0
      if (!isFlat || chunk === undefined || chunk.rows === 0) return []
      const { codec } = chunk.metaData
      const stored = bytes.subarray(chunk.start, chunk.start + chunk.length)
      const pages = [...readPages(stored)].map((page) => inflatePage(page, codec))
      const left = isInflated(codec) ? Codec.uncompressed : codec
      return [{ column: { column, chunks: [{ leaf, codec: left, pages }] }, rows: chunk.rows }]
    }),
  )
}

/** Decodes rows by the core and by parquet-wasm. Throws if they differ. Null: the core cannot decode the column. */
export function compareDecoders(
  core: Core,
  column: MiniColumn,
  offset: number,
  limit: number,
): 'equal' | 'both refuse' | null {
  const flat = flatColumnOf(column, offset, limit)
  if (flat === null) return null
  const { field } = column.column
  const own = attempt(() => content(core, core.flatColumn(flat), field))
  const other = attempt(() => {
    const [decoded] = decodeByParquetWasm([column], offset, limit, core)
    if (decoded === undefined) throw new Error('no column')
    return content(core, decoded, field)
  })
  deepStrictEqual(own, other)
  return own === null ? 'both refuse' : 'equal'
}

/** What `read` returns. Null: it throws that the file cannot be read. */
function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (isServiceError(error) && error.code !== 'internal') return null
    throw error
  }
}

/** The rows as values, and the bits of those that are not null: these tell one NaN from another. Frees the column. */
function content(core: Core, column: CoreColumn, field: Field): unknown[] {
  const rows = core.rows(column)
  const isNotNull = core.isNotNull(column)
  const present = core.filter(column, isNotNull)
  try {
    const bytes = core.encodeBatch([present], [field.type], core.rows(present), null, 0, rows, 64 << 20)
    return [
      ...columnValues(encode(core, [column], [field], rows)),
      Buffer.from(bytes.bytes).toString('base64'),
    ]
  } finally {
    core.freeMask(isNotNull)
    core.free(column)
    core.free(present)
  }
}
