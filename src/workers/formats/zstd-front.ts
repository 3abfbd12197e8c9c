import { constants, zstdDecompressSync } from 'node:zlib'
import { blockAt, firstBlock } from '../../wasm/zstd-frame.ts'

/** The most bytes that one block inflates to (RFC 8878, 3.1.1.2.4). In most frames every block but the last has as many. */
const BLOCK_BYTES = 128 << 10

/** The front alone is inflated only if its blocks are at most this share of the stored bytes; else it saves too little. */
const MAX_SHARE = 7 / 8

/**
 * Inflates only the first blocks of a Zstandard frame: at least `wanted` of the `size` bytes that the whole frame inflates
 * to. Null: the whole frame has to be inflated, or `stored` is not a Zstandard frame.
 */
export function inflateZstdFront(stored: Uint8Array, size: number, wanted: number): Uint8Array | null {
  let at = firstBlock(stored)
  if (at === null) return null
  // Blocks may hold less than the most. So blocks are also taken until they are that share of the stored bytes.
  const enough = (stored.length * wanted) / size
  for (let held = 0; held < wanted || at < enough; held += BLOCK_BYTES) {
    const { isLast, end }: { isLast: boolean; end: number } = blockAt(stored, at)
    at = end
    if (isLast || at > stored.length * MAX_SHARE) return null
  }
  try {
    const bytes = zstdDecompressSync(stored.subarray(0, at), {
      chunkSize: size + 1,
      maxOutputLength: size,
      finishFlush: constants.ZSTD_e_flush,
    })
    return bytes.length < wanted ? null : bytes
  } catch {
    // The caller then inflates the whole frame, which throws an error that says what is wrong.
    return null
  }
}
