/** The sizes of blocks and reads, and the limits beyond which a file is refused. Bytes unless said otherwise. */
export interface CsvLimits {
  /** The first block is small, so that its rows reach the client early. */
  readonly firstBlock: number
  readonly block: number
  /** How much is read after a block to find the end of its last record. Doubled until the record ends. */
  readonly tail: number
  /** The longest record. A longer one is an error: most likely a quote is not closed. */
  readonly record: number
  /** The most columns. A number, not bytes. */
  readonly columns: number
}

export const CSV_LIMITS: CsvLimits = Object.freeze({
  firstBlock: 256 << 10,
  block: 4 << 20,
  tail: 16 << 10,
  record: 16 << 20,
  columns: 100_000,
})
