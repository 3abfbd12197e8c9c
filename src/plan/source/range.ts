/** Which rows of a file, counted from 0 within the range. */
export type RowRange = RowsRange | BoxRange | TextRange

/** Rows `from`..`to` of a segment. */
export interface RowsRange {
  readonly kind: 'rows'
  readonly segment: number
  readonly from: number
  readonly to: number
}

/** The cells of a grid from index `origin` on, `extent` of them along each axis. Rows are in C order: the last axis is the fastest. */
export interface BoxRange {
  readonly kind: 'box'
  /** Which of the file's dimensions each axis is. A column that lacks one has the same values all along it. */
  readonly dimensions: readonly number[]
  readonly origin: readonly number[]
  readonly extent: readonly number[]
}

/** The records that begin in a block of a text file. How many they are is known when they are read. */
export interface TextRange {
  readonly kind: 'text'
  /** The block. */
  readonly segment: number
  /** Byte at which its first record begins. Null: not known, and unless it is the file's first block the reader guesses. */
  readonly begin: number | null
}

/** Rows of a range; null: not known before it is read. */
export function rowsIn(range: RowRange): number | null {
  switch (range.kind) {
    case 'rows':
      return range.to - range.from
    case 'box':
      return range.extent.reduce((rows, each) => rows * each, 1)
    case 'text':
      return null
  }
}

/** Where a range begins in its file, as one string. */
export function originKey(range: RowRange): string {
  switch (range.kind) {
    case 'rows':
      return `${range.segment} ${range.from}`
    case 'box':
      return `${range.dimensions.join()} ${range.origin.join()}`
    case 'text':
      return `${range.segment}`
  }
}

/** Equal for ranges of one file that have the same rows. */
export function rangeKey(range: RowRange): string {
  switch (range.kind) {
    case 'rows':
      return `${originKey(range)} ${range.to}`
    case 'box':
      return `${originKey(range)} ${range.extent.join()}`
    case 'text':
      return originKey(range)
  }
}
