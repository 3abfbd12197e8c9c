/** A Parquet file with the columns of the answer. */
export interface ParquetPlan {
  readonly kind: 'parquet'
  /** The columns, by their indexes, from which a column `geometry` of points is made. Null: there is none. */
  readonly points: { readonly longitude: number; readonly latitude: number } | null
}
