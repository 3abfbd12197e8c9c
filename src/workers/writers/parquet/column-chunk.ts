import { ServiceError } from '../../../plan/errors.ts'
import { type Field, typeName } from '../../../plan/types/schema.ts'
import type { Column } from '../../../wasm/core/column.ts'
import type { Core } from '../../../wasm/core/core.ts'
import { storageOf } from './storage.ts'

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
