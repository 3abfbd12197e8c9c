import { isServiceError } from '../../../plan/errors.ts'
import type { InflatedBytes } from '../../../wasm/core/boxes/box-column.ts'
import type { Core } from '../../../wasm/core/core.ts'
import { inflateZstdInto } from '../../../wasm/zstd-context.ts'
import { fault } from '../fault.ts'
import { inflateGzipInto, inflateZlibInto } from '../zlib-context.ts'
import { type DecodedSize, damaged } from './filter.ts'

/**
 * Undoes a codec in the core's memory, where elements of `elementBytes` bytes may stay shuffled; of 0, none do. Throws `unreadable_file` for data
 * that are damaged, or hold more than `bytes` bytes.
 */
export type InflateInCore = (
  core: Core,
  stored: Uint8Array,
  bytes: number,
  elementBytes: number,
) => InflatedBytes

/** Blosc 1. What follows the buffer is ignored. */
export const inflateBlosc: InflateInCore = (core, stored, bytes, elementBytes) =>
  orDamaged('Blosc', () => core.inflateBlosc(stored, bytes, elementBytes))

/** A block of LZ4, which holds exactly so many bytes. */
export const inflateLz4Block: InflateInCore = (core, stored, bytes) =>
  orDamaged('LZ4', () => core.inflateLz4Block(stored, bytes))

/** Blocks of LZ4, each behind its stored size, as HDF5 has them. */
export const inflateLz4Blocks: InflateInCore = (core, stored, bytes) =>
  orDamaged('LZ4', () => core.inflateLz4Blocks(stored, bytes))

/** LZF, which h5py has brought. */
export const inflateLzf: InflateInCore = (core, stored, bytes) =>
  orDamaged('LZF', () => core.inflateLzf(stored, bytes))

/**
 * A zlib stream. What follows it is ignored. Node's zlib takes 0.85 times as long as the core for noise and as long for temperatures; the core
 * says what is wrong with data that do not hold as many bytes.
 */
export const inflateDeflate: InflateInCore = (core, stored, bytes) => {
  const inflated = filledExactly(core.rasters, stored, bytes, inflateZlibInto)
  if (inflated !== null) return inflated
  try {
    return core.inflateZlib(stored, bytes)
  } catch (cause) {
    if (!isServiceError(cause) || cause.code !== 'unreadable_file') throw cause
    throw fault(`data compressed by deflate cannot be inflated to ${bytes} bytes`, { cause })
  }
}

/** A frame of Zstandard. Null: it is damaged, or holds more or less than `bytes` bytes. */
export function inflateZstd({ rasters }: Core, stored: Uint8Array, bytes: number): InflatedBytes | null {
  return filledExactly(rasters, stored, bytes, inflateZstdInto)
}

/** A file of gzip. Null: it is damaged, or holds more or less than `bytes` bytes. */
export function inflateGzip({ rasters }: Core, stored: Uint8Array, bytes: number): InflatedBytes | null {
  return filledExactly(rasters, stored, bytes, inflateGzipInto)
}

/** What `into` inflates into room of the core with a byte to spare, which shows whether the data hold more. */
function filledExactly(
  rasters: Core['rasters'],
  stored: Uint8Array,
  bytes: number,
  into: (stored: Uint8Array, room: Uint8Array) => number | null,
): InflatedBytes | null {
  let isExact = false
  const inflated = rasters.filled(bytes, (room) => {
    isExact = into(stored, room) === bytes
  })
  return isExact ? inflated : null
}

/** The bytes that a codec gives, out of the core. */
export function copyOut(
  inflate: InflateInCore,
): (stored: Uint8Array, size: DecodedSize, core: Core) => Uint8Array {
  return (stored, { bytes }, core) => {
    const inflated = inflate(core, stored, bytes, 0)
    return new Uint8Array(inflated.copy(), 0, inflated.length)
  }
}

function orDamaged<T>(codec: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (!isServiceError(cause) || cause.code !== 'unreadable_file') throw cause
    throw damaged(codec, cause.message)
  }
}
