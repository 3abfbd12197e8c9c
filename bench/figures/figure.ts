/** A measured figure, other than the comparisons of single queries with native DuckDB. */
export interface Figure {
  readonly key: string
  readonly what: string
  /** Null: it was not measured, since the peer is missing. */
  readonly value: number | null
  readonly unit: 'ms' | 'µs' | 'MB' | '×' | 'GB/s' | 'req/s'
}
