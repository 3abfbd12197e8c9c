/** What a cache has done since the start, and holds. */
export interface CacheFigures {
  readonly hits: number
  readonly misses: number
  /** Entries that were given up to keep others. */
  readonly evictions: number
  readonly entries: number
  /** About what they take in memory. */
  readonly bytes: number
}
