import type { Column } from '../core/column.ts'
import type { Core } from '../core/core.ts'
import type { Duck } from './instance.ts'
import { type LogicalType, withLogicalType } from './logical-type.ts'
import { fillVector } from './vectors.ts'

/** The dictionary of a column as a DuckDB vector. */
export interface Dictionary {
  /** Makes a vector select rows of the column from the dictionary. */
  fill(vector: number, from: number, rows: number): void
  /** Frees the dictionary. */
  end(): void
}

/** The number of dictionaries made in this thread so far. */
let count = 0

/**
 * Copies the dictionary of a column into a DuckDB vector. If DuckDB knows the size of a dictionary, it groups and calls
 * functions once for each of its values, and if it knows by an id that the next chunk has the same dictionary, it keeps the
 * results: `GROUP BY` on text takes a quarter of the time. Null: the column has its values row by row, as few rows
 * share one (`duckdb/physical.rs`).
 */
export function createDictionary(
  duck: Duck,
  core: Core,
  type: LogicalType,
  column: Column,
): Dictionary | null {
  const values = core.duckDictionary(column)
  if (values === 0) return null
  const { api, memory } = duck
  // One more value, which is null, for the rows that are null.
  const size = BigInt(values + 1)
  const vector = withLogicalType(duck, type, (handle) => api.duckdb_create_vector(handle, size))
  const blocks: number[] = []
  const keep = (length: number): number => {
    const block = memory.allocate(length)
    blocks.push(block)
    return block
  }
  const end = (): void => {
    duck.destroy('duckdb_destroy_vector', vector)
    blocks.forEach(memory.free)
  }
  try {
    fillVector(duck, core, vector, type, { column, path: [0] }, 0, values, (bytes) => {
      const block = keep(bytes.length)
      memory.views().u8.set(bytes, block)
      return block
    })
    setNull(duck, vector, values)
  } catch (error) {
    end()
    throw error
  }
  count++
  const id = cppString(String(count))
  const idAddress = keep(id.length)
  return {
    end,
    fill(target, from, rows) {
      const selection = api.duckdb_create_selection_vector(BigInt(rows))
      const indices = core.duckSelection(column, from, rows)
      memory.views().u8.set(core.view(indices, 4 * rows), api.duckdb_selection_vector_get_data_ptr(selection))
      api.vector_dictionary(target, vector, size, selection, BigInt(rows))
      // Written each time, because DuckDB moves the string out of its place.
      memory.views().u8.set(id, idAddress)
      api.vector_set_dictionary_id(target, idAddress)
      api.duckdb_destroy_selection_vector(selection)
    },
  }
}

function setNull({ api, memory }: Duck, vector: number, row: number): void {
  api.duckdb_vector_ensure_validity_writable(vector)
  const validity = api.duckdb_vector_get_validity(vector) + 8 * Math.floor(row / 64)
  const { u64 } = memory.views()
  u64[validity / 8] = (u64[validity / 8] ?? 0n) & ~(1n << BigInt(row % 64))
}

/** A `std::string` of libc++ for 32 bits with at most 10 ASCII characters, which are inlined. Its last byte is the length. */
function cppString(text: string): Uint8Array {
  const bytes = new Uint8Array(12)
  bytes.set(Buffer.from(text))
  bytes[11] = text.length
  return bytes
}
