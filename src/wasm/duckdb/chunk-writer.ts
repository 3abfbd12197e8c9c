import type { Column } from '../core/column.ts'
import type { Core } from '../core/core.ts'
import { createDictionary, type Dictionary } from './dictionary.ts'
import type { Duck } from './instance.ts'
import type { LogicalType } from './logical-type.ts'
import { fillVector } from './vectors.ts'

/** Copies the rows of one scan, unit by unit, into the data chunks that DuckDB asks for. */
export interface ChunkWriter {
  /** Begins a unit with its columns, in DuckDB's form, one for each type. The caller still has to free them. */
  begin(columns: readonly Column[]): void
  /** Fills the vectors of an empty chunk, one for each type, with rows of the unit. */
  fill(vectors: readonly number[], from: number, rows: number): void
  /** Fills the vectors of an empty chunk with one row of nulls. None may have a nested type. */
  fillNull(vectors: readonly number[]): void
  /** Frees all memory in DuckDB. To be called once, when no chunk is in use. */
  end(): void
}

/**
 * Text that is too long to be inlined is stored in blocks of memory for each chunk, and each unit has its dictionaries. DuckDB
 * copies what it needs of a chunk before it asks for the next one. To be safe, blocks are kept for one more chunk, and
 * dictionaries for one more unit.
 */
export function createChunkWriter(duck: Duck, core: Core, types: readonly LogicalType[]): ChunkWriter {
  const { memory } = duck
  let columns: readonly Column[] = []
  let text = { last: [] as number[], now: [] as number[] }
  let dictionaries = { last: [] as (Dictionary | null)[], now: [] as (Dictionary | null)[] }

  const free = (blocks: readonly number[]) => blocks.forEach(memory.free)
  const end = (old: readonly (Dictionary | null)[]) => {
    for (const dictionary of old) dictionary?.end()
  }
  const putText = (bytes: Uint8Array): number => {
    const block = memory.allocate(bytes.length)
    text.now.push(block)
    memory.views().u8.set(bytes, block)
    return block
  }
  return {
    begin(next) {
      columns = next
      end(dictionaries.last)
      dictionaries = { last: dictionaries.now, now: [] }
      for (const [index, type] of types.entries()) {
        const column = columns[index]
        dictionaries.now.push(column === undefined ? null : createDictionary(duck, core, type, column))
      }
    },
    fill(vectors, from, rows) {
      free(text.last)
      text = { last: text.now, now: [] }
      for (const [index, type] of types.entries()) {
        const [vector, column] = [vectors[index], columns[index]]
        if (vector === undefined || column === undefined) continue
        const dictionary = dictionaries.now[index]
        if (dictionary) dictionary.fill(vector, from, rows)
        else fillVector(duck, core, vector, type, { column, path: [] }, from, rows, putText)
      }
    },
    fillNull(vectors) {
      for (const vector of vectors) {
        duck.api.duckdb_vector_ensure_validity_writable(vector)
        memory.views().u8[duck.api.duckdb_vector_get_validity(vector)] = 0
      }
    },
    end() {
      for (const blocks of [text.last, text.now]) free(blocks)
      for (const each of [dictionaries.last, dictionaries.now]) end(each)
    },
  }
}
