import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import { type Field, typeName } from '../../../plan/types/schema.ts'
import type { Column } from '../../../wasm/core/column.ts'
import type { Core } from '../../../wasm/core/core.ts'
import type { ReadContext } from '../../formats/provider.ts'
import { at } from '../../rows/typed-table.ts'
import { flatChunk } from './flat-chunk.ts'
import { nestedChunks } from './nested-chunks.ts'
import { readSummary } from './read-summary.ts'
import type { RowGroupChunk, WrittenRowGroup } from './row-group.ts'
import { storageOf } from './storage.ts'
import { writtenSchema } from './written-schema.ts'

interface Columns {
  /** Dictionaries count as their values. */
  readonly fields: readonly Field[]
  readonly columns: readonly Column[]
  /** The rows of each column. */
  readonly rows: number
}

interface RowGroups {
  readonly chunks: readonly ArrayBuffer[]
  readonly groups: readonly WrittenRowGroup[]
}

/**
 * Encodes rows `from..from + rows` of columns: one row group of flat columns, and as many as parquet-wasm has memory for if some are
 * nested. Throws `type_mismatch` for a value that Parquet cannot hold.
 */
export function encodeRowGroups(
  table: Columns,
  from: number,
  rows: number,
  { core, stopwatch, checkCancelled }: ReadContext,
): RowGroups {
  const chunks: ArrayBuffer[] = []
  const groups: WrittenRowGroup[] = []
  const nested = nestedOf(table)
  let bytes = 0
  for (let row = from; row < from + rows; ) {
    const limit = from + rows - row
    const others = stopwatch.time('encode', () =>
      nested.columns.length === 0 ? NONE : nestedChunks(nested, row, limit, core),
    )
    const count = nested.columns.length === 0 ? limit : others.rows
    const columnChunks: RowGroupChunk[] = []
    let nextOther = 0
    for (const [i, field] of table.fields.entries()) {
      checkCancelled()
      const storage = storageOf(field.type)
      if (storage === null) {
        const next = nextOther + writtenSchema([field]).leaves.length
        for (const { pages, chunk } of others.chunks.slice(nextOther, next)) {
          chunks.push(pages.slice().buffer)
          columnChunks.push({ ...chunk, at: bytes })
          bytes += pages.length
        }
        nextOther = next
      } else {
        const encodedChunk = stopwatch.time('encode', () =>
          namingColumn(field, () => encodeColumnChunk(core, at(table.columns, i), field, row, count)),
        )
        chunks.push(encodedChunk.bytes)
        columnChunks.push(flatChunk(readSummary(encodedChunk.summary, storage), bytes))
        bytes += encodedChunk.bytes.byteLength
      }
    }
    groups.push({ rows: count, chunks: columnChunks })
    row += count
  }
  return { chunks, groups }
}

const NONE = Object.freeze({ rows: 0, chunks: [] })

function nestedOf({ fields, columns, rows }: Columns): Columns {
  const isNested = fields.map(({ type }) => storageOf(type) === null)
  return {
    fields: fields.filter((_, i) => isNested[i]),
    columns: columns.filter((_, i) => isNested[i]),
    rows,
  }
}

/** Runs `work`, and names the column in front of the message of a value that its type cannot hold. */
function namingColumn<T>({ name, type }: Field, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (!isServiceError(cause) || cause.code !== 'type_mismatch') throw cause
    const message = `output.format: a value of column ${JSON.stringify(name)} has no place in the type that Parquet has for ${typeName(type)}; cast the column to text, or leave the row out`
    throw new ServiceError(cause.code, message, { cause })
  }
}

export interface EncodedColumnChunk {
  /** The pages. */
  readonly bytes: ArrayBuffer
  /** Their summary, which `readSummary` reads. It may be kept and sent as it is, and is some hundred bytes for each 20 000 rows. */
  readonly summary: Uint8Array
}

/**
 * Encodes rows `from..from + rows` of a flat column, at least one, as a column chunk. It has definition levels if the field is
 * nullable. Throws `type_mismatch` for a value that Parquet cannot store.
 */
export function encodeColumnChunk(
  core: Core,
  column: Column,
  field: Field,
  from: number,
  rows: number,
): EncodedColumnChunk {
  const storage = storageOf(field.type)
  if (storage === null)
    throw new ServiceError('internal', `a column of ${typeName(field.type)} has several chunks`)
  const width = storage.kind === 'fixed_len_byte_array' ? storage.length : storage.kind === 'int32' ? 4 : 8
  const { bytes, summary } = core.encodeParquetChunk(column, field.type, from, rows, width, field.nullable)
  return { bytes, summary: new Uint8Array(summary) }
}
