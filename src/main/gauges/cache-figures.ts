/** Counts of a cache since the start, and its entries now. */
export interface CacheFigures {
  readonly hits: number
  readonly misses: number
  readonly evictions: number
  readonly entries: number
  /** Memory of the entries, about. */
  readonly bytes: number
}
