import type { Schema } from '../types/schema.ts'
import type { LaidOutArrays } from './array-layout.ts'
import type { FileRef } from './file.ts'
import { elementsOf, type Grid } from './grid.ts'
import type { ObjectVersion } from './object.ts'
import type { Omitted } from './omitted.ts'
import type { SeenCompressed } from './plain-bytes.ts'
import type { ColumnStatistics } from './statistics.ts'
import type { IndexRange } from './unit.ts'
import type { WholeOfFile } from './whole.ts'

/**
 * A run of rows that is stored together and may have statistics: a Parquet row group, an Arrow record batch, a block of text, a run of
 * entries.
 */
export interface Segment {
  /** The number of rows. Null: not known before reading, as in text. Such a segment is one unit. */
  readonly rows: number | null
  /** Of a file of entries: which of them. Absent: it has none. */
  readonly entries?: IndexRange
  /** Bytes of each top-level column when decoded, as estimated, in the order of the file's schema. */
  readonly decodedBytes: readonly number[]
  /** Bytes of each top-level column in the file. */
  readonly storedBytes: readonly number[]
}

/** The segments of a file, which are read and pruned one by one: a list, or the chunks of a grid. */
export type Segments = SegmentList | Grid

/** Segments whose rows follow each other. */
export interface SegmentList {
  readonly kind: 'list'
  readonly segments: readonly Segment[]
}

export function list(segments: readonly Segment[]): SegmentList {
  return { kind: 'list', segments }
}

/** The segments of a list. A grid has none. */
export function segmentsOf(segments: Segments): readonly Segment[] {
  return segments.kind === 'list' ? segments.segments : []
}

/** The segment of a list that has no other one, and is no run of entries. Undefined: there is none. */
export function onlySegment(segments: Segments): Segment | undefined {
  const [segment, ...others] = segmentsOf(segments)
  return others.length > 0 || segment?.entries !== undefined ? undefined : segment
}

/** The number of rows of a file. Null: not known before reading. */
export function rowsOf(segments: Segments): number | null {
  if (segments.kind === 'grid') return elementsOf(segments)
  let sum = 0
  for (const { rows } of segments.segments) {
    if (rows === null) return null
    sum += rows
  }
  return sum
}

/** The result of inspecting a file, without reading rows. */
export interface FileSummary {
  readonly schema: Schema
  /** For a file of arrays, the grid of the requested columns. */
  readonly segments: Segments
  /** The constant columns of the file's `FileRef`, which main adds. */
  readonly constants?: FileRef['constants']
  /** What looks as if other options were meant, each with the option that helps. Absent: nothing. */
  readonly notices?: readonly string[]
  /** What no column is made of: the first `MOST_OMITTED`. Absent: nothing. */
  readonly omitted?: readonly Omitted[]
  /** Names in the options of the format that are no columns here. Absent: there are none. */
  readonly unknownNames?: readonly string[]
  /** For a folder: all documents that were read, except the marker. */
  readonly documents?: readonly ObjectVersion[]
  /** Absent: the file is not compressed, or it was inspected inflated. */
  readonly compressed?: SeenCompressed
  /** For a list: the statistics of each requested column, segment by segment. Null: the file has none of a segment. */
  readonly statistics: Readonly<Record<string, readonly (ColumnStatistics | null)[]>>
  /** For a grid: what those of other columns follow from. Absent: that is not told. */
  readonly arrays?: LaidOutArrays
  /** For a grid, and for a list of one segment: what is known of all values of columns. Absent: nothing. */
  readonly whole?: WholeOfFile
}
