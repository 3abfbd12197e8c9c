/** Wider values would not fit into a word with the bits before them. */
const MOST_BITS = 24

/**
 * Reads values of `width` bits off the RLE/bit-packing hybrid (Encodings.md of apache/parquet-format), one at each call;
 * null where the bytes end, or where values are too wide.
 */
export function createHybridReader(bytes: Uint8Array, width: number): () => number | null {
  const mask = 2 ** width - 1
  const byteAt = (at: number): number => bytes[at] ?? 0
  const wordAt = (at: number): number =>
    byteAt(at) | (byteAt(at + 1) << 8) | (byteAt(at + 2) << 16) | (byteAt(at + 3) << 24)
  let at = 0
  /** Values left of the run. */
  let left = 0
  /** Of a packed run the next bit. */
  let bit = 0
  /** Of another one its value. */
  let repeated: number | null = null
  const nextRun = (): void => {
    let header = 0
    for (let scale = 1; scale < 2 ** 35; scale *= 128) {
      const byte = byteAt(at++)
      header += (byte & 127) * scale
      if (byte < 128) break
    }
    const length = Math.floor(header / 2)
    const isPacked = header % 2 === 1
    left = isPacked ? length * 8 : length
    bit = at * 8
    repeated = isPacked ? null : wordAt(at) & mask
    at += isPacked ? length * width : Math.ceil(width / 8)
  }
  return () => {
    if (width > MOST_BITS) return null
    while (left === 0) {
      if (at >= bytes.length) return null
      nextRun()
    }
    left--
    if (repeated !== null) return repeated
    const from = Math.floor(bit / 8)
    const value = (wordAt(from) >>> (bit % 8)) & mask
    bit += width
    return Math.ceil(bit / 8) > bytes.length ? null : value
  }
}
