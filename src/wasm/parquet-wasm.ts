import { ServiceError } from '../plan/errors.ts'
import { type Exports, failure, load, place, unwrap } from './parquet-wasm-module.ts'

/**
 * The parquet crate, as the package parquet-wasm compiles it. Unlike in the package, its memory has a maximum, and an instance
 * that has trapped is replaced by a new one.
 */
export interface ParquetWasm {
  /**
   * Decodes rows `offset`..`offset + limit` of a Parquet file. `parts` are its bytes, which are joined only in the module's
   * memory. `use` gets the batches, which are freed when it returns. Throws `memory_limit` when the memory is used up, and else
   * `unreadable_file` with the crate's message.
   */
  readParquet<T>(
    parts: readonly Uint8Array[],
    rows: { readonly offset: number; readonly limit: number },
    use: (batches: DecodedBatches) => T,
  ): T
  /**
   * Writes an Arrow IPC stream, which comes in parts, as a Parquet file with one row group, unless it has more than 2³¹ rows: pages V1 of at
   * most 20 000 rows, dictionaries, zstd, and statistics of pages and chunks. Throws `memory_limit`, and `not_supported` with the
   * crate's message.
   */
  writeParquet(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer>
  memoryBytes(): number
}

/** Record batches in the module's memory, by the Arrow C Data Interface. */
export interface DecodedBatches {
  readonly memory: WebAssembly.Memory
  /** For each batch, for each column, the addresses of its `ArrowArray` and `ArrowSchema`. */
  readonly batches: readonly (readonly CArray[])[]
}

interface CArray {
  readonly array: number
  readonly schema: number
}

/** An instance with more bytes of memory is not kept for the next call, because its memory never shrinks. */
const KEEP_BYTES = 256 << 20

export function createParquetWasm(limits: { readonly maximumBytes: number }): ParquetWasm {
  let instantiate: (() => Exports) | null = null
  let instance: Exports | null = null
  const current = (): Exports => {
    instantiate ??= load(limits.maximumBytes)
    instance ??= instantiate()
    return instance
  }
  /** Runs `work` on so many bytes. An instance that has trapped or grown is given up. */
  const guarded = <T>(parts: readonly Uint8Array[], work: (exports: Exports) => T): T => {
    const exports = current()
    const size = parts.reduce((sum, part) => sum + part.length, 0)
    if (size > limits.maximumBytes / 2) throw outOfMemory(limits.maximumBytes)
    try {
      const result = work(exports)
      if (exports.memory.buffer.byteLength > KEEP_BYTES) instance = null
      return result
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error
      instance = null
      throw trapError(error, exports.memory, limits.maximumBytes)
    }
  }
  return {
    readParquet: (parts, rows, use) => guarded(parts, (exports) => read(exports, parts, rows, use)),
    writeParquet: (parts) => guarded(parts, (exports) => write(exports, parts)),
    memoryBytes: () => instance?.memory.buffer.byteLength ?? 0,
  }
}

function read<T>(
  exports: Exports,
  parts: readonly Uint8Array[],
  rows: { readonly offset: number; readonly limit: number },
  use: (batches: DecodedBatches) => T,
): T {
  const { address, size } = place(exports, parts)
  const options = exports.__externref_table_alloc()
  exports.__wbindgen_externrefs.set(options, { ...rows, batchSize: rows.limit })
  // This takes ownership of the bytes and the options.
  const table = unwrap(exports, exports.readParquet(address, size, options), 'unreadable_file')
  const stream = unwrap(exports, exports.table_intoFFI(table), 'unreadable_file')
  try {
    const schemas = children(exports.memory, exports.ffistream_schemaAddr(stream) >>> 0, SCHEMA_CHILDREN)
    const batches = Array.from({ length: exports.ffistream_numArrays(stream) }, (_, chunk) => {
      const batch = exports.ffistream_arrayAddr(stream, chunk) >>> 0
      return children(exports.memory, batch, ARRAY_CHILDREN).map((array, i) => ({
        array,
        schema: schemas[i] ?? 0,
      }))
    })
    return use({ memory: exports.memory, batches })
  } finally {
    exports.__wbg_ffistream_free(stream, 0)
  }
}

/**
 * Drops up to `rows` rows from the beginning of an `ArrowArray`, whose null count is unknown after that. Returns the number of
 * rows that were dropped.
 */
export function dropRows(memory: WebAssembly.Memory, array: number, rows: number): number {
  if (rows === 0) return 0
  const view = new DataView(memory.buffer, array)
  const dropped = Math.min(rows, Number(view.getBigInt64(0, true)))
  view.setBigInt64(0, view.getBigInt64(0, true) - BigInt(dropped), true)
  view.setBigInt64(8, -1n, true)
  view.setBigInt64(16, view.getBigInt64(16, true) + BigInt(dropped), true)
  return dropped
}

/** Byte offsets of `n_children` and `children` in the structs of the Arrow C data interface, with pointers of 4 bytes. */
const SCHEMA_CHILDREN = { count: 24, pointer: 32 }
const ARRAY_CHILDREN = { count: 32, pointer: 44 }

function children(
  memory: WebAssembly.Memory,
  address: number,
  layout: { readonly count: number; readonly pointer: number },
): number[] {
  const view = new DataView(memory.buffer)
  const count = Number(view.getBigInt64(address + layout.count, true))
  const pointers = view.getUint32(address + layout.pointer, true)
  return Array.from({ length: count }, (_, i) => view.getUint32(pointers + 4 * i, true))
}

/**
 * The error for a trap. Rust traps when it panics and when an allocation fails, and the module has no symbols to tell the two
 * apart. Vectors grow by doubling, so when one fails to grow about a third of the memory is in use: above a quarter it counts
 * as used up. Anything else counts as an unreadable file, since a panic on a valid one would be a bug of the crate.
 */
function trapError(
  cause: WebAssembly.RuntimeError,
  memory: WebAssembly.Memory,
  maximumBytes: number,
): ServiceError {
  return memory.buffer.byteLength > maximumBytes / 4
    ? outOfMemory(maximumBytes, { cause })
    : new ServiceError('unreadable_file', 'the decoder gave up on it', { cause })
}

function outOfMemory(maximumBytes: number, options?: ErrorOptions): ServiceError {
  return new ServiceError(
    'memory_limit',
    `decoding takes more than the ${maximumBytes} bytes that it may use`,
    options,
  )
}

/** The enums `Compression` and `EnabledStatistics` of parquet-wasm 0.8.0. */
const ZSTD = 5
const OF_PAGES = 2

/** More rows than memory holds. */
const ALL_ROWS = 0x7fff_ffff

/** An Arrow IPC stream as a Parquet file. Throws `not_supported` with the crate's message. */
function write(exports: Exports, parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  // Each call takes ownership of what it is given.
  const { address, size } = place(exports, parts)
  const table = unwrap(exports, exports.table_fromIPCStream(address, size), 'not_supported')
  let builder = exports.writerpropertiesbuilder_new()
  builder = exports.writerpropertiesbuilder_setCompression(builder, ZSTD)
  builder = exports.writerpropertiesbuilder_setMaxRowGroupSize(builder, ALL_ROWS)
  builder = exports.writerpropertiesbuilder_setStatisticsEnabled(builder, OF_PAGES)
  const properties = exports.writerpropertiesbuilder_build(builder)
  const [written, length, error, isError] = exports.writeParquet(table, properties)
  if (isError) throw failure(exports, error, 'not_supported')
  try {
    return new Uint8Array(exports.memory.buffer, written >>> 0, length).slice()
  } finally {
    exports.__wbindgen_free(written, length, 1)
  }
}
