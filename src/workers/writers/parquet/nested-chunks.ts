import { END_OF_STREAM } from '../../../plan/arrow/ipc.ts'
import { writeSchemaMessage } from '../../../plan/arrow/schema-message.ts'
import type { DataType, Field } from '../../../plan/types/schema.ts'
import type { Column } from '../../../wasm/core/column.ts'
import type { Core } from '../../../wasm/core/core.ts'
import { parquetWasm } from '../../formats/parquet/shared-parquet-wasm.ts'
import { type FoundChunk, readWrittenFile } from './written-file.ts'

/**
 * The most bytes of nested columns in a row group, unless one row has more. parquet-wasm has them in its memory several times: as a
 * message, as arrays, as pages and as a file.
 */
const NESTED_BYTES = 16 << 20

export interface NestedColumns {
  readonly fields: readonly Field[]
  readonly columns: readonly Column[]
  /** The rows of each column. */
  readonly rows: number
}

/** The chunks of rows of nested columns. */
export interface NestedChunks {
  readonly rows: number
  /** For each leaf of the columns. */
  readonly chunks: readonly FoundChunk[]
}

/**
 * The chunks of rows from `from` on, at most `limit` of them and as many as one row group takes. parquet-wasm writes a file of them. Throws
 * `not_supported` and `memory_limit`.
 */
export function nestedChunks(
  { fields, columns, rows }: NestedColumns,
  from: number,
  limit: number,
  core: Core,
): NestedChunks {
  const sent = fields.map(({ name, type, nullable }) => ({
    name,
    type: sentType(type),
    nullable,
    metadata: {},
  }))
  const types = sent.map(({ type }) => type)
  const batch = core.encodeBatch(columns, types, rows, null, from, limit, NESTED_BYTES)
  const schema = writeSchemaMessage({ fields: sent, metadata: {} })
  const file = parquetWasm.writeParquet([schema, new Uint8Array(batch.bytes), END_OF_STREAM])
  return { rows: batch.rows, chunks: readWrittenFile(file) }
}

/** The type as parquet-wasm gets it: a UUID as its bytes. The keys of maps are never null. */
function sentType(type: DataType): DataType {
  switch (type.kind) {
    case 'uuid':
      return { kind: 'fixed_binary', width: 16 }
    case 'list':
    case 'large_list':
    case 'fixed_list':
      return { ...type, item: sentField(type.item) }
    case 'struct':
      return { ...type, fields: type.fields.map(sentField) }
    case 'map':
      return { ...type, entries: { ...sentField(type.entries), type: entriesType(type.entries.type) } }
    default:
      return type
  }
}

function sentField({ name, type, nullable }: Field): Field {
  return { name, type: sentType(type), nullable, metadata: {} }
}

function entriesType(type: DataType): DataType {
  if (type.kind !== 'struct') return type
  const fields = type.fields.map(sentField)
  return { ...type, fields: fields.map((field, i) => (i === 0 ? { ...field, nullable: false } : field)) }
}
