import { ServiceError } from '../../../plan/errors.ts'
import type { Duck } from '../instance.ts'

/** The values of an argument of a scalar function, row by row. Each method is for the type that it names. */
export interface ArgumentVector {
  isNull(row: number): boolean
  /** Of VARCHAR, BLOB and BIT: where the bytes are. */
  address(row: number): number
  /** Of VARCHAR, BLOB and BIT: the number of bytes. */
  length(row: number): number
  /** Of VARCHAR and BLOB: the bytes in DuckDB's memory, valid until DuckDB is called. Throws `invalid_sql` if they are too many. */
  bytes(row: number): Buffer
  /** Of VARCHAR and BLOB: a copy of the bytes. It is made once for rows of the same value that follow each other. Throws as `bytes`. */
  copy(row: number): Buffer
  /** Of VARCHAR. It is made as a copy is. Throws as `bytes`. */
  text(row: number): string
  /** Of BIGINT and TIME. */
  bigint(row: number): bigint
  /** Of DOUBLE. */
  double(row: number): number
}

/** Words of a `duckdb_string_t`: a length, then the bytes themselves, or if there are more than 12 four of them and an address. */
export const STRING = Object.freeze({ words: 4, inlined: 1, inlinedBytes: 12, address: 2 })

/** The longest text that functions in JavaScript take, in bytes: they make copies outside of the memory that DuckDB counts. */
const MAX_BYTES = 64 << 20

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true })

/** The values of a flat vector. Valid during the call of the function. */
export function argumentVector({ api, memory }: Duck, vector: number): ArgumentVector {
  const data = api.duckdb_vector_get_data(vector)
  const validity = api.duckdb_vector_get_validity(vector)
  let views = memory.views()
  /** Views are detached when the memory grows, and have no bytes then. */
  const fresh = () => {
    if (views.u8.length === 0) views = memory.views()
    return views
  }
  const length = (row: number): number => fresh().u32[data / 4 + row * STRING.words] ?? 0
  const address = (row: number): number => {
    const word = data / 4 + row * STRING.words
    const { u32 } = fresh()
    if ((u32[word] ?? 0) <= STRING.inlinedBytes) return 4 * (word + STRING.inlined)
    return u32[word + STRING.address] ?? 0
  }
  const bytes = (row: number): Buffer => {
    const count = length(row)
    if (count > MAX_BYTES)
      throw new ServiceError(
        'invalid_sql',
        `a text of ${count} bytes is too long: ${MAX_BYTES} are the most.`,
      )
    return Buffer.from(fresh().u8.buffer, address(row), count)
  }
  /** Values whose words are the same are equal: the bytes lie in them, or at the same address. */
  const isLike = (row: number, other: number): boolean => {
    const { u32 } = fresh()
    const [one, two] = [data / 4 + row * STRING.words, data / 4 + other * STRING.words]
    for (let word = 0; word < STRING.words; word++) if (u32[one + word] !== u32[two + word]) return false
    return true
  }
  const once = <T>(make: (row: number) => T): ((row: number) => T) => {
    let last: { readonly row: number; readonly value: T } | null = null
    return (row) => {
      if (last === null || !isLike(row, last.row)) last = { row, value: make(row) }
      return last.value
    }
  }
  return {
    isNull(row) {
      return validity !== 0 && ((fresh().u8[validity + (row >> 3)] ?? 0) & (1 << (row & 7))) === 0
    },
    address,
    length,
    bytes,
    copy: once((row) => Buffer.from(bytes(row))),
    text: once((row) => DECODER.decode(bytes(row))),
    bigint: (row) => fresh().i64[data / 8 + row] ?? 0n,
    double: (row) => fresh().f64[data / 8 + row] ?? 0,
  }
}
