import { readFileSync } from 'node:fs'
import { constants, crc32, zstdCompressSync } from 'node:zlib'
import { type ErrorCode, ServiceError } from '../../plan/errors.ts'
import { inflateZstdInto } from '../zstd-context.ts'

/** The functions of the module (`src/abi`). Each returns a number, and for an error its code, which is negative. */
type CoreFunction =
  | `array_${'new' | 'buffer' | 'child' | 'finish' | 'free'}`
  | `box_${'new' | 'room' | 'elements' | 'shuffled' | 'inflated' | 'texts' | 'validity' | 'finish' | 'without_nan' | 'free'}`
  | 'box_cells'
  | 'box_written'
  | `section_${'new' | 'room' | 'space' | 'plain' | 'add' | 'finish' | 'free'}`
  | `flat_${'new' | 'select' | 'dictionary' | 'plain' | 'page' | 'append' | 'skip' | 'finish' | 'free'}`
  | `column_${'rows' | 'bytes' | 'share' | 'free' | 'repeat' | 'nulls' | 'filter' | 'concat' | 'cast' | 'value' | 'bounds'}`
  | `csv_${'new' | 'room' | 'guess' | 'find' | 'keep' | 'column' | 'names' | 'sample' | 'free'}`
  | `csv_${'stations' | 'lead' | 'carried'}`
  | `copy_${'new' | 'room' | 'find' | 'column' | 'free'}`
  | `mask_${'compare' | 'within' | 'is_null' | 'is_not_null' | 'filled'}`
  | `mask_${'in_runs' | 'any_true'}`
  | `mask_${'and' | 'or' | 'not' | 'count' | 'free'}`
  | `groups_${'new' | 'rows' | 'merge' | 'bytes' | 'count' | 'columns' | 'column' | 'free'}`
  | `order_${'new' | 'firsts' | 'rows' | 'take' | 'changes' | 'free'}`
  | `grid_${'new' | 'spool' | 'size' | 'sort' | 'unit' | 'arrange' | 'distribute' | 'begin' | 'put' | 'values' | 'free'}`
  | 'advance'
  | 'arguments'
  | 'encode_batch'
  | `evaluation_${'new' | 'advance' | 'column' | 'mask' | 'free'}`
  | `program_${'new' | 'free'}`
  | 'encode_csv'
  | 'encode_json'
  | 'encode_odv'
  | `duckdb_${'column' | 'text' | 'rows' | 'dictionary' | 'selection'}`
  | 'encode_dictionary'
  | `pack_${'new' | 'file' | 'add' | 'column' | 'free'}`
  | `inflate_${'blosc' | 'lzf' | 'shuffled' | 'lzw' | 'lzw_part' | 'packbits'}`
  | `inflated_${'room' | 'unpredict' | 'widen' | 'planes' | 'column'}`
  | 'lent'
  | 'lz4_block'
  | 'lz4_blocks'
  | 'lz4_frame'
  | 'parquet_chunk'
  | 'points_new'
  | `summary_${'new' | 'room' | 'read' | 'free'}`
  | 'zlib'
  | 'used_bytes'

type Exports = Readonly<Record<CoreFunction | 'results' | 'message', (...args: number[]) => number>>

/** One instance of the module with its memory. */
export interface Instance {
  /** Calls a function of `src/abi`. Throws `ServiceError`, which after a trap is always `internal`. */
  call(name: CoreFunction, ...args: readonly number[]): number
  /** One of the four unsigned results of the last call. */
  result(index: number): number
  /** Bytes of the memory. Valid until the next call, which may grow the memory. */
  bytes(address: number, length: number): Uint8Array
  /** A copy of bytes of the memory. */
  copy(address: number, length: number): ArrayBuffer
  /** Room for arguments that are not numbers, which whoever asks for it writes before the next call. It begins with a line of the processor's cache. */
  argumentRoom(length: number): Uint8Array
  /** Writes the arguments of the next call that are not numbers. Those that have been written to their room are not copied. */
  setArguments(bytes: Uint8Array): void
  /** Has long calls throw `cancelled` once `isCancelled` returns true. Null: nothing cancels them. */
  watch(isCancelled: (() => boolean) | null): void
  /** The size of the memory. */
  memoryBytes(): number
  isDead(): boolean
}

/** Pages of 64 KiB that the module needs before its first allocation (its data and a stack of 256 KiB). */
const INITIAL_PAGES = 32
const PAGE_BYTES = 64 << 10
/** The most pages that 32-bit addresses can reach. */
const MAX_PAGES = 65_536

const CODES: Readonly<Record<number, ErrorCode>> = Object.freeze({
  [-1]: 'memory_limit',
  [-2]: 'memory_limit',
  [-3]: 'unreadable_file',
  [-4]: 'type_mismatch',
  [-5]: 'not_supported',
  [-6]: 'internal',
  [-7]: 'type_mismatch',
  [-8]: 'memory_limit',
  [-9]: 'cancelled',
})

let compiled: WebAssembly.Module | null = null

function coreModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(readFileSync(new URL('../core.wasm', import.meta.url)))
  return compiled
}

/** A new instance whose memory never exceeds `maximumBytes` (at least 2 MiB). */
export function instantiate(maximumBytes: number, module: WebAssembly.Module = coreModule()): Instance {
  const maximum = Math.max(INITIAL_PAGES, Math.min(MAX_PAGES, Math.floor(maximumBytes / PAGE_BYTES)))
  const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum })
  const bytes = (address: number, length: number) => new Uint8Array(memory.buffer, address, length)
  /** Compresses bytes of the memory and returns the number of bytes. 0: it is not less than `capacity`. */
  const zstd = (from: number, length: number, to: number, capacity: number, level: number): number => {
    const packed = zstdCompressSync(bytes(from >>> 0, length >>> 0), {
      params: { [constants.ZSTD_c_compressionLevel]: level },
      // The library then makes tables of a fitting size.
      pledgedSrcSize: length >>> 0,
      // All that is wanted comes in one buffer, which is not copied again.
      chunkSize: Math.max(constants.Z_MIN_CHUNK, capacity >>> 0),
    })
    const { length: size } = packed
    const fits = size < capacity >>> 0
    if (fits) bytes(to >>> 0, size).set(packed)
    // The garbage collector would free it much later, since it does not see how large it is. A small one is part of Node's pool.
    if (packed.buffer.byteLength > Buffer.poolSize) packed.buffer.transfer(0)
    return fits ? size : 0
  }
  /** Inflates a frame of the memory to bytes of it. Returns whether it fills them. */
  const unzstd = (from: number, length: number, to: number, size: number): number =>
    Number(inflateZstdInto(bytes(from >>> 0, length >>> 0), bytes(to >>> 0, size >>> 0)) === size >>> 0)
  /** The checksum of bytes of the memory. */
  const checksum = (from: number, length: number): number => crc32(bytes(from >>> 0, length >>> 0))
  let isCancelled: (() => boolean) | null = null
  const cancelled = (): number => Number(isCancelled?.() === true)
  const imports = { env: { memory, zstd, unzstd, crc32: checksum, cancelled } }
  const exports = new WebAssembly.Instance(module, imports).exports as unknown as Exports
  const results = exports.results() >>> 0
  const message = exports.message() >>> 0
  let death: unknown = null

  const result = (index: number) => new DataView(memory.buffer).getUint32(results + 4 * index, true)

  const call = (name: CoreFunction, ...args: readonly number[]): number => {
    if (death !== null) throw new ServiceError('internal', 'the core has trapped before', { cause: death })
    let outcome: number
    try {
      outcome = exports[name](...args)
    } catch (cause) {
      // After a trap or a stack overflow the contents of the memory may be inconsistent.
      death = cause
      throw new ServiceError('internal', `the core trapped in ${name}`, { cause })
    }
    if (outcome >= 0) return outcome
    const text = Buffer.from(bytes(message, result(0))).toString('utf8')
    const code = CODES[outcome] ?? 'internal'
    throw new ServiceError(code, outcome === -1 ? `${text} (${maximum * PAGE_BYTES} bytes)` : text)
  }

  const argumentRoom = (length: number) => {
    call('arguments', length)
    return bytes(result(0), length)
  }

  return {
    call,
    result,
    bytes,
    argumentRoom,
    copy(address, length) {
      // Not by `slice`, which would first fill the new memory with zeros.
      const target = Buffer.allocUnsafeSlow(length)
      target.set(bytes(address, length))
      return target.buffer
    },
    setArguments(argument) {
      const room = argumentRoom(argument.length)
      const isThere = argument.buffer === room.buffer && argument.byteOffset === room.byteOffset
      if (!isThere) room.set(argument)
    },
    watch(watched) {
      isCancelled = watched
    },
    memoryBytes: () => memory.buffer.byteLength,
    isDead: () => death !== null,
  }
}
