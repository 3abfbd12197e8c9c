import type { Rasters } from '../../../../wasm/core/kernels/rasters.ts'
import { fault } from '../../fault.ts'

/** The bytes of a stream, and of what they hold, that are in the core's memory at once. Programs write a CLEAR after some 6 kB. */
const PART = Object.freeze({ stored: 1 << 20, decoded: 16 << 20 })

/** The most bytes that one byte may hold. */
const MOST_OF_ONE = 4096

/**
 * Decompresses LZW data, up to `most` bytes of them, part by part: a part ends with the last code CLEAR in it, behind which nothing depends
 * on what came before. Throws `unreadable_file` for damaged data, and if there is no such code, which libtiff does not read either.
 */
export function decodeLzw(rasters: Rasters, stored: Uint8Array, most: number): Uint8Array {
  const output = new Uint8Array(Math.min(most, stored.length * MOST_OF_ONE))
  // As in `src/wasm/src/raster/lzw.rs`.
  const isOld = stored[0] === 0 && (stored[1] ?? 0) % 2 === 1
  let to = 0
  // A byte, and a bit of it.
  let at = 0
  let bit = 0
  while (to < output.length) {
    const part = stored.subarray(at, at + PART.stored)
    const room = Math.min(PART.decoded, output.length - to)
    const { bytes, clear, isEnded } = rasters.inflateLzwPart(part, room, bit, isOld)
    const isAll = at + part.length === stored.length && bytes.length < room
    const isLast = isEnded || isAll || to + bytes.length === output.length
    const length = isLast ? bytes.length : clear.bytes
    output.set(new Uint8Array(bytes.copy(), 0, length), to)
    to += length
    if (isLast) break
    if (clear.bit === 0) throw fault('LZW data without a code that clears the table')
    at += Math.floor(clear.bit / 8)
    bit = clear.bit % 8
  }
  return output.subarray(0, to)
}
