import type { Scalar } from '../types/scalar.ts'
import type { Schema } from '../types/schema.ts'
import type { FileRef } from './file.ts'
import type { ObjectVersion } from './object.ts'

/**
 * What a file says of one column in one segment. Absent members are not known. `min` and `max` bound every value
 * that is neither null nor NaN; they are bounds, not necessarily values that occur.
 */
export interface ColumnStatistics {
  readonly min?: Scalar
  readonly max?: Scalar
  /** Set where the bound is a value that occurs, and no other value, nor NaN, is beyond it. */
  readonly isMinExact?: true
  readonly isMaxExact?: true
  readonly nulls?: number
}

/** A run of rows that a format keeps together and has statistics of: a Parquet row group, an Arrow record batch. */
export interface Segment {
  /** Null: not known before it is read (a block of a text file). Such a segment is one unit. */
  readonly rows: number | null
  /** Estimated bytes of each top-level column once decoded, in the order of the file's schema. */
  readonly decodedBytes: readonly number[]
  /** Bytes of each top-level column in the file. */
  readonly storedBytes: readonly number[]
}

/** What `inspect` learns of a file without reading rows. */
export interface FileSummary {
  readonly schema: Schema
  readonly segments: readonly Segment[]
  /** Those of the file in its table; see `FileRef`. Not what `inspect` learns. */
  readonly constants?: FileRef['constants']
  /** Of a dataset that is a folder: all that has been read for this, besides the marker. */
  readonly documents?: readonly ObjectVersion[]
  /** For each column asked for, its statistics segment by segment; null where the file has none. */
  readonly statistics: Readonly<Record<string, readonly (ColumnStatistics | null)[]>>
}
