/**
 * Bytes of a text file between which a unit's records lie. A record belongs to the segment in which it begins, so
 * `ended` of one segment is where the next one must have `began`; a reader that was not told where has guessed.
 */
export interface Span {
  readonly began: number
  readonly ended: number
}

/** Neighbouring rows: the first, and the one behind the last. */
export interface RowRun {
  readonly from: number
  readonly to: number
}

/** The smallest piece of a scan that one task carries to a worker: rows `from`..`to` of one segment of one file. */
export interface Unit {
  /** Index into the scan's files. */
  readonly file: number
  readonly segment: number
  readonly from: number
  /** Infinity: to the end of a segment whose rows are not known. */
  readonly to: number
  /** Estimated decoded bytes of the columns that the scan reads. */
  readonly decodedBytes: number
}
