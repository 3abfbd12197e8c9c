import type { BoxRange, RowsRange, TextRange } from './range.ts'

/** Neighbouring rows: the first, and the one behind the last. */
export interface RowRun {
  readonly from: number
  readonly to: number
}

/** The smallest piece of a scan that one task carries to a worker. Its rows are counted from 0. */
export type Unit = RowsUnit | BoxUnit | TextUnit
export type RowsUnit = RowsRange & OfScan
export type BoxUnit = BoxRange & OfScan
export type TextUnit = TextRange & OfScan

/** What every unit says besides which rows it has. */
interface OfScan {
  /** Index into the scan's files. */
  readonly file: number
  /** Estimated decoded bytes of the columns that the scan reads. */
  readonly decodedBytes: number
}
