import { ServiceError } from '../../plan/errors.ts'
import type { Api } from './api.ts'

/** The memory of an instance as typed arrays. The index of a number is its address divided by its width. */
interface Views {
  readonly u8: Uint8Array
  readonly u32: Uint32Array
  readonly u64: BigUint64Array
  readonly i64: BigInt64Array
  readonly f64: Float64Array
}

/** The memory of an instance. It is smaller than 2 GiB, so that addresses are never negative. */
export interface Memory {
  readonly memory: WebAssembly.Memory
  /** The views of the memory. Valid until the next call of DuckDB, which may grow it. */
  views(): Views
  /** Allocates memory. Throws `memory_limit`. */
  allocate(bytes: number): number
  free(address: number): void
  /** The text up to the next zero byte. */
  text(address: number): string
  /** The same, and frees the memory. For an address of 0 it is empty. */
  takeText(address: number): string
  scratch(): Scratch
}

/** Memory that is freed at the end of a block: `using scratch = memory.scratch()`. */
interface Scratch extends Disposable {
  /** Allocates bytes, all zero. */
  bytes(count: number): number
  /** Allocates a text in UTF-8 with a zero byte at its end. */
  text(text: string): number
  /** Allocates an array of addresses. */
  addresses(values: readonly number[]): number
}

const ENCODER = new TextEncoder()
const DECODER = new TextDecoder()

/** `api` is that of the instance to which the memory belongs. */
export function createMemory(memory: WebAssembly.Memory, api: Api): Memory {
  let seen: Views | null = null
  const views = (): Views => {
    if (seen === null || seen.u8.buffer !== memory.buffer) seen = viewsOf(memory.buffer)
    return seen
  }
  const allocate = (bytes: number): number => {
    const address = api.duckdb_malloc(Math.max(1, bytes))
    if (address === 0) throw new ServiceError('memory_limit', 'The memory for SQL is used up.')
    return address
  }
  const text = (address: number): string => {
    const { u8 } = views()
    return DECODER.decode(u8.subarray(address, u8.indexOf(0, address)))
  }
  return {
    memory,
    views,
    allocate,
    free: api.duckdb_free,
    text,
    takeText(address) {
      if (address === 0) return ''
      const taken = text(address)
      api.duckdb_free(address)
      return taken
    },
    scratch() {
      const taken: number[] = []
      const bytes = (count: number): number => {
        const address = allocate(count)
        taken.push(address)
        views().u8.fill(0, address, address + count)
        return address
      }
      return {
        bytes,
        text(text) {
          const encoded = ENCODER.encode(text)
          const address = bytes(encoded.length + 1)
          views().u8.set(encoded, address)
          return address
        },
        addresses(values) {
          const address = bytes(4 * values.length)
          views().u32.set(values, address / 4)
          return address
        },
        [Symbol.dispose]() {
          for (const address of taken) api.duckdb_free(address)
        },
      }
    },
  }
}

function viewsOf(buffer: ArrayBuffer): Views {
  return {
    u8: new Uint8Array(buffer),
    u32: new Uint32Array(buffer),
    u64: new BigUint64Array(buffer),
    i64: new BigInt64Array(buffer),
    f64: new Float64Array(buffer),
  }
}
