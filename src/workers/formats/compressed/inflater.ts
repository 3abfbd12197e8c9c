/** Inflates compressed data from their beginning to their end, members and frames one after the other. */
export interface Inflater {
  /** Fills `target`, unless the data end before. Returns the number of bytes. Throws `unreadable_file` for damaged data. */
  fill(target: Uint8Array): number
}

/** Fills the front of its target with the next bytes. Returns their number, 0 at the end. */
export type ReadNext = (target: Uint8Array) => number
