import { BATCH_BYTES, BATCH_ROWS } from '../../../plan/limits.ts'
import type { Encoding } from '../../../plan/task/encoding.ts'
import type { Part } from '../../../plan/task/part.ts'
import type { Schema } from '../../../plan/types/schema.ts'
import type { Column } from '../../../wasm/core/column.ts'
import type { Core } from '../../../wasm/core/core.ts'
import { encoderOf, payloadOf } from '../../rows/encoder.ts'

/** Collects the columns of DuckDB's small chunks, to encode them in batches of full size. */
export interface Batch {
  /** Takes over the columns of a chunk. */
  add(columns: readonly Column[], rows: number): void
  isFull(): boolean
  /** Encodes and drops all that was added. `from` is the number of rows that were encoded before. */
  encode(from: number): Part[]
  end(): void
}

export function createBatch(core: Core, schema: Schema, encoding: Encoding): Batch {
  const types = schema.fields.map(({ type }) => type)
  const encoder = encoderOf(core, encoding)
  const usedBefore = core.usedBytes()
  let chunks: (readonly Column[])[] = []
  let rows = 0

  const free = (columns: readonly Column[]): void => {
    for (const column of columns) core.free(column)
  }
  const drop = (): void => {
    chunks.forEach(free)
    chunks = []
    rows = 0
  }
  /** One column of all chunks for each field. */
  const join = (): Column[] => {
    const [only, ...others] = chunks
    if (only !== undefined && others.length === 0) {
      chunks = []
      return [...only]
    }
    const columns: Column[] = []
    try {
      for (const index of types.keys())
        columns.push(core.concat(chunks.flatMap((chunk) => chunk[index] ?? [])))
      return columns
    } catch (error) {
      free(columns)
      throw error
    }
  }

  return {
    add(columns, count) {
      chunks.push(columns)
      rows += count
    },
    isFull: () => rows >= BATCH_ROWS || core.usedBytes() - usedBefore >= BATCH_BYTES,
    encode(from) {
      if (rows === 0) return []
      const parts: Part[] = []
      const total = rows
      const columns = join()
      try {
        for (let row = 0; row < total; ) {
          const encoded = encoder(columns, types, total, null, row, BATCH_ROWS, BATCH_BYTES)
          const payload = payloadOf(encoding, encoded, [])
          parts.push({ rows: encoded.rows, from: from + row, payload })
          row = encoded.next
        }
      } finally {
        free(columns)
        drop()
      }
      return parts
    },
    end: drop,
  }
}
