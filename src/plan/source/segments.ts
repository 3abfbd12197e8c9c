import type { Schema } from '../types/schema.ts'
import type { FileRef } from './file.ts'
import { cellsOf, type Grid } from './grid.ts'
import type { ObjectVersion } from './object.ts'
import type { ColumnStatistics } from './statistics.ts'

/** A run of rows that a format keeps together and has statistics of: a Parquet row group, an Arrow record batch. */
export interface Segment {
  /** Null: not known before it is read (a block of a text file). Such a segment is one unit. */
  readonly rows: number | null
  /** Estimated bytes of each top-level column once decoded, in the order of the file's schema. */
  readonly decodedBytes: readonly number[]
  /** Bytes of each top-level column in the file. */
  readonly storedBytes: readonly number[]
}

/** How the rows of a file lie: what is read, and pruned, piece by piece. */
export type Segments = SegmentList | Grid

/** Segments one after the other. */
export interface SegmentList {
  readonly kind: 'list'
  readonly segments: readonly Segment[]
}

export function listed(segments: readonly Segment[]): SegmentList {
  return { kind: 'list', segments }
}

/** The segments of a list; a grid has none. */
export function segmentsOf(segments: Segments): readonly Segment[] {
  return segments.kind === 'list' ? segments.segments : []
}

/** Rows of a file; null: not known before it is read. */
export function rowsOf(segments: Segments): number | null {
  if (segments.kind === 'grid') return cellsOf(segments)
  let sum = 0
  for (const { rows } of segments.segments) {
    if (rows === null) return null
    sum += rows
  }
  return sum
}

/** What `inspect` learns of a file without reading rows. */
export interface FileSummary {
  readonly schema: Schema
  /** Of a grid: that of the columns that were asked for. */
  readonly segments: Segments
  /** Those of the file in its table; see `FileRef`. Not what `inspect` learns. */
  readonly constants?: FileRef['constants']
  /** Of a dataset that is a folder: all that has been read for this, besides the marker. */
  readonly documents?: readonly ObjectVersion[]
  /** Of a list, for each column asked for, its statistics segment by segment; null where the file has none. */
  readonly statistics: Readonly<Record<string, readonly (ColumnStatistics | null)[]>>
}
