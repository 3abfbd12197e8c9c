/** The widest values that are read: one always lies in a 32-bit word, with up to 7 bits of others before it. */
export const MAX_BITS = 24

/** A run of the RLE/bit-packing hybrid (Encodings.md of apache/parquet-format). */
interface Run {
  /** How many values it has, those included that pad a packed run. In a damaged file it may be any number. */
  readonly values: number
  /** The position of its values. */
  readonly at: number
  /** Whether its values are packed. If not, it has one value, which repeats. */
  readonly isPacked: boolean
}

/** The runs of values of `width` bits, at most `MAX_BITS`, up to the end of the bytes. */
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

/** The 32-bit word at a position, little endian. Bytes beyond the end are zeros. */
export function wordAt(bytes: Uint8Array, at: number): number {
  const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)
  return low | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)
}

/** Returns a function that reads the next value of `width` bits. Null: the bytes have ended, or values are too wide. */
export function createHybridReader(bytes: Uint8Array, width: number): () => number | null {
  const mask = 2 ** width - 1
  const runs = hybridRuns(bytes, width)
  /** How many values are left in the current run. */
  let remainingValues = 0
  /** The position of the next value in a packed run, in bits. */
  let bit = 0
  /** The value of a run that repeats it. Null: the run is packed. */
  let repeated: number | null = null
  return () => {
    if (width > MAX_BITS) return null
    while (remainingValues === 0) {
      const { value: run } = runs.next()
      if (run === undefined) return null
      remainingValues = run.values
      bit = run.at * 8
      repeated = run.isPacked ? null : wordAt(bytes, run.at) & mask
    }
    remainingValues--
    if (repeated !== null) return repeated
    const value = (wordAt(bytes, Math.floor(bit / 8)) >>> (bit % 8)) & mask
    bit += width
    return Math.ceil(bit / 8) > bytes.length ? null : value
  }
}
