/** When a chunk is read as a whole, and when columns are decoded one by one. All in bytes. */
export interface ReadLimits {
  /** A chunk of up to this stored size is read as a whole, whichever rows are wanted: finding its pages would cost more. */
  readonly smallChunk: number
  /** The same for a chunk with an offset index if not all of its rows are wanted: one read finds its pages. */
  readonly indexedChunk: number
  /** Columns are decoded together up to this inflated size. Beyond it they are decoded one by one, so that memory peaks low. */
  readonly together: number
}
