import type { Duck } from '../instance.ts'
import { STRING } from './argument-vector.ts'

/** The results of a scalar function, row by row. Each method is for the type that it names. */
export interface ResultVector extends Disposable {
  setNull(row: number): void
  /** Of BOOLEAN. */
  setBoolean(row: number, value: boolean): void
  /** Of INTEGER. */
  setInteger(row: number, value: number): void
  /** Of BIGINT and TIMESTAMP. */
  setBigint(row: number, value: bigint): void
  /** Of VARCHAR and BLOB, of bytes in DuckDB's memory, which are copied. VARCHAR has to be UTF-8. */
  setText(row: number, address: number, bytes: number): void
  /** Of VARCHAR and BLOB. VARCHAR has to be UTF-8. */
  setBytes(row: number, bytes: Uint8Array): void
  /** Of a list of VARCHAR, of bytes in DuckDB's memory, which are copied. */
  setTexts(row: number, texts: readonly (readonly [address: number, bytes: number])[]): void
}

/** The flat vector of results, of which nothing is set yet. */
export function resultVector({ api, memory }: Duck, vector: number): ResultVector {
  const data = api.duckdb_vector_get_data(vector)
  let validity = 0
  let buffer = { address: 0, capacity: 0 }
  let items = 0
  const setText = (row: number, address: number, bytes: number): void => {
    if (bytes > STRING.inlinedBytes) {
      api.duckdb_vector_assign_string_element_len(vector, BigInt(row), address, BigInt(bytes))
      return
    }
    const { u8, u32 } = memory.views()
    const word = data / 4 + row * STRING.words
    u32.fill(0, word + STRING.inlined, word + STRING.words)
    u32[word] = bytes
    const from = 4 * (word + STRING.inlined)
    for (let i = 0; i < bytes; i++) u8[from + i] = u8[address + i] ?? 0
  }
  return {
    setNull(row) {
      if (validity === 0) {
        api.duckdb_vector_ensure_validity_writable(vector)
        validity = api.duckdb_vector_get_validity(vector)
      }
      const { u8 } = memory.views()
      const at = validity + (row >> 3)
      u8[at] = (u8[at] ?? 0) & ~(1 << (row & 7))
    },
    setBoolean(row, value) {
      memory.views().u8[data + row] = Number(value)
    },
    setInteger(row, value) {
      memory.views().u32[data / 4 + row] = value
    },
    setBigint(row, value) {
      memory.views().i64[data / 8 + row] = value
    },
    setText,
    setBytes(row, bytes) {
      if (bytes.length > buffer.capacity || buffer.address === 0) {
        memory.free(buffer.address)
        buffer = { address: 0, capacity: 0 }
        const capacity = 2 * bytes.length
        buffer = { address: memory.allocate(capacity), capacity }
      }
      memory.views().u8.set(bytes, buffer.address)
      setText(row, buffer.address, bytes.length)
    },
    setTexts(row, texts) {
      memory.views().u64.set([BigInt(items), BigInt(texts.length)], data / 8 + 2 * row)
      const child = listItems(items + texts.length)
      for (const [address, bytes] of texts)
        api.duckdb_vector_assign_string_element_len(child, BigInt(items++), address, BigInt(bytes))
    },
    [Symbol.dispose]() {
      memory.free(buffer.address)
    },
  }

  /** The vector of items, made large enough for so many. */
  function listItems(count: number): number {
    api.duckdb_list_vector_reserve(vector, BigInt(count))
    api.duckdb_list_vector_set_size(vector, BigInt(count))
    return api.duckdb_list_vector_get_child(vector)
  }
}
