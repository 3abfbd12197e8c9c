/** The rows of a table function, as DuckDB asks for them. */
export interface Feed {
  /** Fills an empty chunk and returns its rows; 0 at the end. */
  next(chunk: number): number
  end(): void
}
