import { constants, zstdDecompressSync } from 'node:zlib'

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
    const header: number = (stored[at] ?? 1) | ((stored[at + 1] ?? 0) << 8) | ((stored[at + 2] ?? 0) << 16)
    const isLast = header & 1
    const isRepeated = ((header >> 1) & 3) === 1
    at += 3 + (isRepeated ? 1 : header >> 3)
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

const MAGIC = 0xfd2fb528

/** The byte at which the first block of a frame begins. Null: the bytes are not a frame. */
function firstBlock(stored: Uint8Array): number | null {
  if (stored.length < 8) return null
  const view = new DataView(stored.buffer, stored.byteOffset, stored.length)
  if (view.getUint32(0, true) !== MAGIC) return null
  const descriptor = view.getUint8(4)
  const isSingle = (descriptor >> 5) & 1
  const sizeFlag = descriptor >> 6
  const windowBytes = isSingle ? 0 : 1
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0
  const sizeBytes = sizeFlag === 0 ? isSingle : 1 << sizeFlag
  return 5 + windowBytes + dictionaryBytes + sizeBytes
}
