/** Wider values would not fit into a word with the bits before them. */
export const MOST_BITS = 24

/** Values of the RLE/bit-packing hybrid (Encodings.md of apache/parquet-format) that were written together. */
interface Run {
  /** Of a packed run with what pads the last byte. A damaged file may promise any number. */
  readonly values: number
  /** Where they are: packed, or one for all. */
  readonly at: number
  readonly isPacked: boolean
}

/** The runs of values of `width` bits, up to `MOST_BITS`, to the end of the bytes. */
export function* hybridRuns(bytes: Uint8Array, width: number): Generator<Run, void> {
  for (let at = 0; at < bytes.length; ) {
    let header = 0
    for (let scale = 1; scale < 2 ** 35; scale *= 128) {
      const byte = bytes[at++] ?? 0
      header += (byte & 127) * scale
      if (byte < 128) break
    }
    const length = Math.floor(header / 2)
    const isPacked = header % 2 === 1
    yield { values: isPacked ? length * 8 : length, at, isPacked }
    at += isPacked ? length * width : Math.ceil(width / 8)
  }
}

/** Four bytes, the least significant first; zeros beyond the end. */
export function wordAt(bytes: Uint8Array, at: number): number {
  const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)
  return low | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)
}

/** Reads values of `width` bits, one at each call; null where the bytes end, or where values are too wide. */
export function createHybridReader(bytes: Uint8Array, width: number): () => number | null {
  const mask = 2 ** width - 1
  const runs = hybridRuns(bytes, width)
  /** Values left of the run. */
  let left = 0
  /** Of a packed run the next bit. */
  let bit = 0
  /** Of another one its value. */
  let repeated: number | null = null
  return () => {
    if (width > MOST_BITS) return null
    while (left === 0) {
      const { value: run } = runs.next()
      if (run === undefined) return null
      left = run.values
      bit = run.at * 8
      repeated = run.isPacked ? null : wordAt(bytes, run.at) & mask
    }
    left--
    if (repeated !== null) return repeated
    const value = (wordAt(bytes, Math.floor(bit / 8)) >>> (bit % 8)) & mask
    bit += width
    return Math.ceil(bit / 8) > bytes.length ? null : value
  }
}
