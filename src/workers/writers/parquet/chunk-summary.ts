/**
 * What the footer and the page index say of the column chunk of one row group. It can be cloned. Offsets count from the first byte
 * of the chunk, and bytes of pages are with their headers.
 */
export interface ParquetColumnChunk {
  /** Rows, nulls among them. */
  readonly rows: number
  readonly nulls: number
  /** Bytes of all pages in the file. */
  readonly bytes: number
  /** Bytes of all pages if none were compressed. */
  readonly plainBytes: number
  /** The bytes of the dictionary page, which is the first one. 0: there is none, and values are plain. */
  readonly dictionaryBytes: number
  /** How pages are compressed. */
  readonly codec: 'uncompressed' | 'zstd'
  readonly bounds: ParquetBounds | null
  /** The data pages in their order, at least one. */
  readonly pages: readonly ParquetPage[]
  /** The order of the pages by their bounds, without those that have only nulls. */
  readonly order: 'unordered' | 'ascending' | 'descending'
  /** The bytes of all values without their lengths, where values are byte arrays. Null: they are not. */
  readonly textBytes: number | null
}

/** A data page: definition levels, then values. */
export interface ParquetPage {
  readonly at: number
  readonly bytes: number
  readonly firstRow: number
  readonly rows: number
  readonly nulls: number
  /**
   * Null: the page has only nulls, or none of its values has an order (NaN, some of the intervals). If the page has other rows than nulls, the chunk
   * can have no column index.
   */
  readonly bounds: ParquetBounds | null
  readonly textBytes: number | null
}

/** The least and the greatest value in the order of the type, as plain values; byte arrays are without their length. */
export interface ParquetBounds {
  readonly least: Uint8Array
  readonly greatest: Uint8Array
  /** Whether they are values. If not, they are cut: `least` is at most the least value, `greatest` is at least the greatest. */
  readonly isLeastExact: boolean
  readonly isGreatestExact: boolean
}
