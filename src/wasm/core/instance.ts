import { readFileSync } from 'node:fs'
import { constants, zstdCompressSync } from 'node:zlib'
import { type ErrorCode, ServiceError } from '../../plan/errors.ts'

/** The functions of the module (`src/abi`). Each returns a number that is not negative, or an error's code. */
export type CoreFunction =
  | `array_${'new' | 'buffer' | 'child' | 'finish' | 'free'}`
  | `flat_${'new' | 'dictionary' | 'plain' | 'page' | 'append' | 'skip' | 'finish' | 'free'}`
  | `column_${'rows' | 'bytes' | 'share' | 'free' | 'repeat' | 'nulls' | 'filter' | 'concat' | 'cast' | 'value'}`
  | `csv_${'new' | 'room' | 'guess' | 'find' | 'keep' | 'column' | 'names' | 'sample' | 'free'}`
  | `mask_${'compare' | 'within' | 'is_null' | 'is_not_null' | 'where_known' | 'filled'}`
  | `mask_${'in_runs' | 'any_true'}`
  | `mask_${'and' | 'or' | 'not' | 'count' | 'free'}`
  | `groups_${'new' | 'rows' | 'merge' | 'bytes' | 'count' | 'columns' | 'column' | 'free'}`
  | `order_${'new' | 'rows' | 'take' | 'free'}`
  | 'advance'
  | 'arguments'
  | 'encode_batch'
  | 'encode_csv'
  | `duckdb_${'column' | 'text' | 'rows' | 'dictionary' | 'selection'}`
  | 'encode_dictionary'
  | 'lent'
  | 'lz4_frame'
  | 'used_bytes'

type Exports = Readonly<Record<CoreFunction | 'results' | 'message', (...args: number[]) => number>>

/** One instance of the module with its memory. */
export interface Instance {
  /** Calls a function of `src/abi`. Throws `ServiceError`; after a trap, always `internal`. */
  call(name: CoreFunction, ...args: readonly number[]): number
  /** One of the four numbers that the last call left, unsigned. */
  result(index: number): number
  /** Bytes of the memory. Invalid after the next call, which may grow it. */
  bytes(address: number, length: number): Uint8Array
  /** A copy of bytes of the memory. */
  copy(address: number, length: number): ArrayBuffer
  /** Puts bytes where the next call expects its arguments. */
  setArguments(bytes: Uint8Array): void
  isDead(): boolean
}

/** Pages of 64 KiB that the module needs before its first allocation (its data and a stack of 256 KiB). */
const INITIAL_PAGES = 32
const PAGE_BYTES = 64 << 10
/** What 32-bit addresses reach. */
const MOST_PAGES = 65_536

const CODES: Readonly<Record<number, ErrorCode>> = Object.freeze({
  [-1]: 'memory_limit',
  [-2]: 'memory_limit',
  [-3]: 'unreadable_file',
  [-4]: 'type_mismatch',
  [-5]: 'not_supported',
  [-6]: 'internal',
  [-7]: 'type_mismatch',
  [-8]: 'memory_limit',
})

/** Level 1: 3, the default, takes 1.5 times as long for a few hundredths less. */
const ZSTD = Object.freeze({ params: { [constants.ZSTD_c_compressionLevel]: 1 } })

let compiled: WebAssembly.Module | null = null

function coreModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(readFileSync(new URL('../core.wasm', import.meta.url)))
  return compiled
}

/** A new instance whose memory never exceeds `maximumBytes` (at least 2 MiB). */
export function instantiate(maximumBytes: number, module: WebAssembly.Module = coreModule()): Instance {
  const maximum = Math.max(INITIAL_PAGES, Math.min(MOST_PAGES, Math.floor(maximumBytes / PAGE_BYTES)))
  const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum })
  const bytes = (address: number, length: number) => new Uint8Array(memory.buffer, address, length)
  /** Compresses bytes of the memory, if they become fewer than there is room for; how many. */
  const zstd = (from: number, length: number, to: number, room: number): number => {
    const packed = zstdCompressSync(bytes(from >>> 0, length >>> 0), ZSTD)
    if (packed.length >= room >>> 0) return 0
    bytes(to >>> 0, packed.length).set(packed)
    return packed.length
  }
  const exports = new WebAssembly.Instance(module, { env: { memory, zstd } }).exports as unknown as Exports
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
      // A trap, or a stack overflow: nothing in the memory can be relied on any more.
      death = cause
      throw new ServiceError('internal', `the core trapped in ${name}`, { cause })
    }
    if (outcome >= 0) return outcome
    const text = Buffer.from(bytes(message, result(0))).toString('utf8')
    const code = CODES[outcome] ?? 'internal'
    throw new ServiceError(code, outcome === -1 ? `${text} (${maximum * PAGE_BYTES} bytes)` : text)
  }

  return {
    call,
    result,
    bytes,
    copy(address, length) {
      // Not `slice`, which fills new memory with zeros first.
      const target = Buffer.allocUnsafeSlow(length)
      target.set(bytes(address, length))
      return target.buffer
    },
    setArguments(argument) {
      call('arguments', argument.length)
      bytes(result(0), argument.length).set(argument)
    },
    isDead: () => death !== null,
  }
}
