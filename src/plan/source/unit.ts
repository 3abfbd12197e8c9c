import type { BoxRange, RowsRange, RunRange, TextRange } from './range.ts'

/** Consecutive rows, from the first to the one after the last. */
export interface IndexRange {
  readonly from: number
  readonly to: number
}

/** The smallest part of a scan that a task can have. Its rows are counted from 0. */
export type Unit = RowsUnit | BoxUnit | TextUnit | RunUnit
export type RowsUnit = RowsRange & OfScan
export type BoxUnit = BoxRange & OfScan & InChunks
export type TextUnit = TextRange & OfScan
export type RunUnit = RunRange & OfScan

interface InChunks {
  /**
   * The number of indices of a chunk along each axis, if the rows of the unit come chunk by chunk: chunks in C order, and C order
   * inside of each. Absent: all of its rows are in C order.
   */
  readonly chunk?: readonly number[]
  /**
   * What is decoded of the unit, whatever rows it has: the first index of its tile along each axis, and the decoded bytes of the tile, as
   * estimated. Absent: chunks can be read in part.
   */
  readonly tile?: { readonly origin: readonly number[]; readonly bytes: number }
}

/** The members of every unit besides its range of rows. */
interface OfScan {
  /** The index of its file in the scan. */
  readonly file: number
  /** Bytes of the columns that the scan reads, decoded, as estimated. */
  readonly decodedBytes: number
}
