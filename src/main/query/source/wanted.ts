/** What a query has to know of files. */
export interface WantedOfFiles {
  /** The columns whose statistics are wanted. */
  readonly statistics: readonly string[]
  /** The columns that are read. The rows of a grid depend on them. None: the rows are those of all columns. */
  readonly columns: readonly string[]
}
