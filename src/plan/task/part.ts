/** Encoded rows in a buffer of their own: an Arrow record batch message, or lines of CSV. */
export interface Part {
  readonly bytes: ArrayBuffer
  readonly rows: number
  /** Row of the unit from which these rows were looked for. */
  readonly from: number
  /** Bytes of the message's metadata with its prefix and padding (Arrow), else 0. */
  readonly metadataBytes: number
  /** Those that the rows refer to, all of them: parts of one answer share their bytes. */
  readonly dictionaries: readonly PartDictionary[]
}

/** The values of a dictionary column, an Arrow dictionary batch message. */
export interface PartDictionary {
  /** The place of the column in the output, which is also the dictionary's id in its schema. */
  readonly id: number
  /** Equal keys are equal bytes: a digest. */
  readonly key: string
  readonly bytes: ArrayBuffer
}

/** The buffers of parts, to be moved with them, each once: parts share dictionaries. */
export function partBuffers(parts: readonly Part[]): ArrayBuffer[] {
  return [
    ...new Set(
      parts.flatMap(({ bytes, dictionaries }) => [bytes, ...dictionaries.map((each) => each.bytes)]),
    ),
  ]
}

/** Bytes that a part holds in memory. */
export function partBytes({ bytes, dictionaries }: Part): number {
  return dictionaries.reduce((sum, dictionary) => sum + dictionary.bytes.byteLength, bytes.byteLength)
}

/** Those of several, each buffer once. */
export function bytesOfParts(parts: readonly Part[]): number {
  return partBuffers(parts).reduce((sum, { byteLength }) => sum + byteLength, 0)
}
