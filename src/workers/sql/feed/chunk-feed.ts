/** The rows of a table function, chunk by chunk as DuckDB asks for them. */
export interface Feed {
  /** Fills an empty chunk and returns the number of its rows; 0 at the end. */
  next(chunk: number): number
  end(): void
}
