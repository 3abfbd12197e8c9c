/** How a file is cut and what is too much. Bytes unless said otherwise. */
export interface CsvLimits {
  /** The first block is small, so that its rows leave early. */
  readonly firstBlock: number
  readonly block: number
  /** Read after a block for the rest of its last record; doubled until that ends. */
  readonly tail: number
  /** A longer record is taken for an unbalanced quote. */
  readonly record: number
  /** Columns. */
  readonly columns: number
}

export const CSV_LIMITS: CsvLimits = Object.freeze({
  firstBlock: 256 << 10,
  block: 4 << 20,
  tail: 16 << 10,
  record: 16 << 20,
  columns: 100_000,
})
