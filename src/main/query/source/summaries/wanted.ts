/** What a query has to know of files. */
export interface WantedOfFiles {
  /** The columns whose statistics are wanted. */
  readonly statistics: readonly string[]
  /**
   * The columns that are named or, where rows do not depend on them, read. The rows of a grid are those of these columns together. None:
   * those of all columns.
   */
  readonly columns: readonly string[]
  /** Whether rows of the files are going to be read: compressed files are then inflated. Absent: they are not. */
  readonly areRowsWanted?: boolean
  /** As in `InspectTask`. Absent: it follows from the number of files. */
  readonly areMany?: boolean
  /** As in `InspectTask`. */
  readonly isSurvey?: boolean
}
