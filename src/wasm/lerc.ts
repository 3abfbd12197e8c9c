import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ServiceError } from '../plan/errors.ts'

/** What a LERC blob says of itself. Its values are in C order: band, row, column, depth. */
export interface LercInfo {
  /** The index in the types of LERC: integers of 8, 16, 32 bits, each signed and unsigned, then floats of 32 and 64 bits. */
  readonly type: number
  readonly width: number
  readonly height: number
  readonly bands: number
  readonly depth: number
  /** None, one for all bands, or one for each. */
  readonly masks: number
  /** Bands that have a value of their own for what is missing. */
  readonly bandsWithNodata: number
  readonly bytes: number
}

/** A decoded blob, in memory that is used again. */
interface LercValues {
  readonly bytes: Uint8Array
  /** A byte for each pixel of each mask: 0 where it is masked. */
  readonly masks: Uint8Array
}

export interface Lerc {
  /** What the blob at the beginning says. Throws `unreadable_file`. */
  info(stored: Uint8Array): LercInfo
  /** Decodes a blob as its `info` says. `take` copies what it needs. Throws `unreadable_file`, and `memory_limit`. */
  decode<Result>(stored: Uint8Array, info: LercInfo, take: (values: LercValues) => Result): Result
}

/** The exports of lerc-wasm.wasm in lerc 4.2.0 that are used here, whose names are made when it is compiled. The version is pinned. */
interface Exports {
  readonly d: WebAssembly.Memory
  /** Begins. */
  e(): void
  /** lerc_getBlobInfo. */
  f(blob: number, size: number, info: number, range: number, infoSize: number, rangeSize: number): number
  /** lerc_decode_4D. */
  h(
    blob: number,
    size: number,
    maskCount: number,
    masks: number,
    depth: number,
    width: number,
    height: number,
    bands: number,
    type: number,
    values: number,
    usesNodata: number,
    nodata: number,
  ): number
  /** malloc. 0: there is no memory. */
  i(bytes: number): number
  /** free. */
  j(address: number): void
}

const PAGE_BYTES = 64 << 10

/** The numbers of `lerc_getBlobInfo` (Lerc_types.h, `InfoArrOrder`). */
const INFO = Object.freeze({ count: 12, ranges: 3 })

/** Bytes of a value by type. */
const VALUE_BYTES: readonly number[] = Object.freeze([1, 1, 2, 2, 4, 4, 4, 8])

let compiled: WebAssembly.Module | null = null

/** The module of the package, which is compiled when a file needs it for the first time. */
function lercModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(readFileSync(fileURLToPath(import.meta.resolve('lerc/lerc-wasm.wasm'))))
  return compiled
}

/**
 * A decoder whose memory never exceeds `maximumBytes`, and never shrinks. The package's JavaScript is not used: it begins asynchronously, keeps one
 * instance for ever, and limits nothing. After an error that is no code of LERC's the decoder is not used any more: see `isDead`.
 */
export function createLerc(
  maximumBytes: number,
): Lerc & { readonly bytes: number; readonly isDead: boolean } {
  let isDead = false
  const { exports } = new WebAssembly.Instance(lercModule(), {
    a: {
      // A C++ exception: there is no memory.
      a() {
        isDead = true
        throw outOfMemory()
      },
      b() {
        isDead = true
        throw new ServiceError('unreadable_file', 'LERC data on which the decoder gave up')
      },
      /** Grows the memory: 1 if it has so many bytes then. */
      c(bytes: number): number {
        const wanted = bytes >>> 0
        if (wanted > maximumBytes) return 0
        try {
          lerc.d.grow(Math.ceil((wanted - lerc.d.buffer.byteLength) / PAGE_BYTES))
          return 1
        } catch {
          return 0
        }
      },
    },
  })
  const lerc = exports as unknown as Exports
  lerc.e()

  /** Calls with memory for each of the numbers of bytes, which is freed afterwards. */
  function withMemory<Result>(
    sizes: readonly number[],
    use: (addresses: readonly number[]) => Result,
  ): Result {
    const addresses: number[] = []
    try {
      for (const size of sizes) {
        const address = lerc.i(Math.max(8, size)) >>> 0
        if (address === 0) throw outOfMemory()
        addresses.push(address)
      }
      return use(addresses)
    } catch (cause) {
      if (!(cause instanceof WebAssembly.RuntimeError)) throw cause
      isDead = true
      throw new ServiceError('unreadable_file', 'LERC data on which the decoder gave up', { cause })
    } finally {
      if (!isDead) for (const address of addresses) lerc.j(address)
    }
  }

  const requireDone = (code: number): void => {
    if (code !== 0) throw new ServiceError('unreadable_file', `damaged LERC data (error ${code} of LERC)`)
  }

  return {
    get bytes() {
      return lerc.d.buffer.byteLength
    },
    get isDead() {
      return isDead
    },
    info: (stored) =>
      withMemory([stored.length, 4 * INFO.count, 8 * INFO.ranges], ([blob = 0, numbers = 0, ranges = 0]) => {
        new Uint8Array(lerc.d.buffer, blob).set(stored)
        requireDone(lerc.f(blob, stored.length, numbers, ranges, INFO.count, INFO.ranges))
        const [
          ,
          type = 0,
          ,
          width = 0,
          height = 0,
          bands = 0,
          ,
          bytes = 0,
          masks = 0,
          depth = 0,
          nodata = 0,
        ] = new Uint32Array(lerc.d.buffer, numbers, INFO.count)
        return { type, width, height, bands, depth, masks, bandsWithNodata: nodata, bytes }
      }),
    decode(stored, { type, width, height, bands, depth, masks }, take) {
      const pixels = width * height
      const valueBytes = pixels * bands * depth * (VALUE_BYTES[type] ?? 8)
      const sizes = [stored.length, pixels * masks, valueBytes, bands, 8 * bands]
      return withMemory(sizes, ([blob = 0, maskAt = 0, values = 0, usesNodata = 0, nodata = 0]) => {
        new Uint8Array(lerc.d.buffer, blob).set(stored)
        const shape = [depth, width, height, bands, type] as const
        requireDone(lerc.h(blob, stored.length, masks, maskAt, ...shape, values, usesNodata, nodata))
        return take({
          bytes: new Uint8Array(lerc.d.buffer, values, valueBytes),
          masks: new Uint8Array(lerc.d.buffer, maskAt, pixels * masks),
        })
      })
    },
  }
}

function outOfMemory(): ServiceError {
  return new ServiceError('memory_limit', 'LERC data that take more memory than there is for them')
}
