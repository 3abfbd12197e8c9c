import { readFileSync } from 'node:fs'
import { type ErrorCode, ServiceError } from '../../plan/errors.ts'

/** The functions of the module (`src/abi.rs`). Each returns a number, and for an error its code, which is negative. */
type CodecsFunction = `stream_${'open' | 'next'}` | `jpeg_${'room' | 'decode'}`

type Exports = Readonly<Record<CodecsFunction | 'results', (...args: number[]) => number>>

/** One instance of the module with its memory, which never shrinks. */
export interface CodecsInstance {
  /** Calls a function of `src/abi.rs`. Throws `ServiceError`; after a trap the instance cannot be used any more. */
  call(name: CodecsFunction, ...args: readonly number[]): number
  /** One of the two unsigned results of the last call. */
  result(index: number): number
  /** Bytes of the memory. Valid until the next call, which may grow the memory. */
  bytes(address: number, length: number): Uint8Array
}

/** Pages of 64 KiB that the module needs before its first allocation (its data and a stack of 256 KiB). */
const INITIAL_PAGES = 32
const PAGE_BYTES = 64 << 10

/** The number that tells the module that no bytes could be handed over. */
const FAILED = -1

const CODES: Readonly<Record<number, ErrorCode>> = Object.freeze({
  [-1]: 'memory_limit',
  [-2]: 'unreadable_file',
  [-3]: 'unreadable_file',
  [-4]: 'internal',
  [-5]: 'internal',
})

let compiled: WebAssembly.Module | null = null

/** The module, which is compiled when a file needs it for the first time. */
function codecsModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(readFileSync(new URL('../codecs.wasm', import.meta.url)))
  return compiled
}

/**
 * A new instance whose memory never exceeds `maximumBytes`. `read` fills the front of its target with compressed bytes and returns their
 * number, 0 at the end; what it throws is thrown by the call that needed the bytes.
 */
export function instantiateCodecs(
  maximumBytes: number,
  read: (target: Uint8Array) => number = () => 0,
): CodecsInstance {
  const maximum = Math.max(INITIAL_PAGES, Math.floor(maximumBytes / PAGE_BYTES))
  const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum })
  const bytes = (address: number, length: number) => new Uint8Array(memory.buffer, address, length)
  let readError: { readonly cause: unknown } | null = null
  const env = {
    memory,
    read(to: number, length: number): number {
      try {
        return read(bytes(to >>> 0, length >>> 0))
      } catch (cause) {
        readError = { cause }
        return FAILED
      }
    },
  }
  const exports = new WebAssembly.Instance(codecsModule(), { env }).exports as unknown as Exports
  const results = exports.results() >>> 0
  let death: unknown = null

  const result = (index: number) => new DataView(memory.buffer).getUint32(results + 4 * index, true)

  return {
    call(name, ...args) {
      if (death !== null)
        throw new ServiceError('internal', 'the codecs have trapped before', { cause: death })
      let outcome: number
      try {
        outcome = exports[name](...args)
      } catch (cause) {
        // A codec that has panicked on a file, or that got no memory.
        death = cause
        throw new ServiceError('unreadable_file', 'the decoder gave up on it', { cause })
      }
      if (outcome >= 0) return outcome
      if (readError !== null) throw readError.cause
      const text = Buffer.from(bytes(result(0), result(1))).toString('utf8')
      throw new ServiceError(CODES[outcome] ?? 'internal', text)
    },
    result,
    bytes,
  }
}
