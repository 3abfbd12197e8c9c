/** What is to be known of files. */
export interface WantedOfFiles {
  /** Columns whose statistics are wanted. */
  readonly statistics: readonly string[]
  /** Columns whose rows are wanted, of a format whose rows follow the columns that are read; none: the rows of all of them. */
  readonly columns: readonly string[]
}
