/** A measured figure, other than the comparisons of single queries with native DuckDB. */
export interface Figure {
  readonly key: string
  readonly what: string
  readonly value: number
  readonly unit: 'ms' | 'MB' | '×' | 'GB/s' | 'req/s'
}
