/** What a query has to know of files. */
export interface WantedOfFiles {
  /** The columns whose statistics are wanted. */
  readonly statistics: readonly string[]
  /** The columns that are read. The rows of a grid depend on them. None: the rows are those of all columns. */
  readonly columns: readonly string[]
  /** As in `InspectTask`. Absent: it follows from the number of files. */
  readonly areMany?: boolean
  /** Set if no rows are read by what is told. A file then may come back without the metadata that the annex parses. */
  readonly areUnread?: true
}
