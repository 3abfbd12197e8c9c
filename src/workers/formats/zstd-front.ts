import { constants, zstdDecompressSync } from 'node:zlib'

/** What a block of a frame holds at most, and in most frames all but the last do (RFC 8878, 3.1.1.2.4). */
const BLOCK_BYTES = 128 << 10

/** Of the stored bytes; to leave out fewer does not pay. */
const MOST = 7 / 8

/**
 * The first bytes of a Zstandard frame of `size` bytes, `wanted` of them at least, from as few of its blocks as it takes;
 * null where the frame has to be inflated as a whole, or is none.
 */
export function inflateZstdFront(stored: Uint8Array, size: number, wanted: number): Uint8Array | null {
  let at = firstBlock(stored)
  if (at === null) return null
  // Blocks may hold less; then they take as much less of what is stored.
  const enough = (stored.length * wanted) / size
  for (let held = 0; held < wanted || at < enough; held += BLOCK_BYTES) {
    const header: number = (stored[at] ?? 1) | ((stored[at + 1] ?? 0) << 8) | ((stored[at + 2] ?? 0) << 16)
    const isLast = header & 1
    const isRepeated = ((header >> 1) & 3) === 1
    at += 3 + (isRepeated ? 1 : header >> 3)
    if (isLast || at > stored.length * MOST) return null
  }
  try {
    const bytes = zstdDecompressSync(stored.subarray(0, at), {
      chunkSize: size + 1,
      maxOutputLength: size,
      finishFlush: constants.ZSTD_e_flush,
    })
    return bytes.length < wanted ? null : bytes
  } catch {
    // Whoever inflates the whole tells what is wrong with it.
    return null
  }
}

const MAGIC = 0xfd2fb528

/** Where the first block of a frame begins; null: it is no frame. */
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
