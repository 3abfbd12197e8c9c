import { constants, createZstdCompress } from 'node:zlib'
import { type ZlibHandle, zlibHandle } from './zlib-handle.ts'

/** The contexts of this thread by level. Null: this Node has none. */
const kept = new Map<number, ZlibHandle | null>()

/** The most bytes that Zstandard makes of so many (zstd.h, `ZSTD_COMPRESSBOUND`, rounded up). */
function mostBytes(length: number): number {
  return length + (length >> 8) + 64
}

/**
 * Compresses into `output` by a context that is kept, and returns the number of bytes. `zstdCompressSync` makes a stream for each call, with
 * tables that have to be cleared and a buffer that is copied. The bytes are the same. Null: it cannot be done this way.
 */
export function compressByContext(input: Uint8Array, output: Uint8Array, level: number): number | null {
  // With less room the context might be left in the middle of a frame.
  if (output.length <= mostBytes(input.length)) return null
  let context = kept.get(level)
  if (context === undefined) {
    context = zlibHandle(createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: level } }))
    kept.set(level, context)
  }
  if (context === null) return null
  const { handle, left } = context
  handle.writeSync(constants.ZSTD_e_end, input, 0, input.length, output, 0, output.length)
  const [room = 0, unread] = left
  if (!context.hasFailed && unread === 0 && room > 0) return output.length - room
  kept.delete(level)
  return null
}
