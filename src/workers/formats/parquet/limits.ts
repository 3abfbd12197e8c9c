/** When to look for single pages, and when to decode columns one by one. Bytes. */
export interface ReadLimits {
  /** A chunk up to this size is read as a whole whatever the rows: cheaper than finding its pages. Stored. */
  readonly smallChunk: number
  /** The same where an offset index tells the pages, and not all rows are wanted. Stored. */
  readonly indexedChunk: number
  /** Columns that are decoded together hold so much; beyond, one by one, so that the peak stays low. Inflated. */
  readonly together: number
}
