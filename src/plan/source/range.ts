import { productOf } from '../product-of.ts'
/** A range of the rows of a file. Within it rows are counted from 0. */
export type RowRange = RowsRange | BoxRange | TextRange | RunRange

/** Rows `from`..`to` of a segment. */
export interface RowsRange {
  readonly kind: 'rows'
  readonly segment: number
  readonly from: number
  readonly to: number
}

/** `extent` elements of a grid along each axis, from `origin` on. Rows are in C order: the last axis varies fastest. */
export interface BoxRange {
  readonly kind: 'box'
  /** The dimension of the file for each axis. A column without the dimension has the same values all along the axis. */
  readonly dimensions: readonly number[]
  readonly origin: readonly number[]
  readonly extent: readonly number[]
  /** The elements around the box of which no other unit of the scan has rows. They may exceed the grid. Absent: it is not known. */
  readonly exclusive?: { readonly origin: readonly number[]; readonly extent: readonly number[] }
}

/** The records that begin in a block of a text file. Their number is known only after reading. */
export interface TextRange {
  readonly kind: 'text'
  /** The index of the block. */
  readonly segment: number
  /** The byte at which its first record begins. Null: not known. Then the reader guesses, except for the first block of a file. */
  readonly begin: number | null
  /** The last station before the block, of which its first records may leave out the metadata. Absent: it is not known. */
  readonly station?: StationPlace
}

/** A station of a text file: the record that has the metadata of those below it. */
export interface StationPlace {
  /** The byte at which its record begins. 0: no station lies before `until`. */
  readonly at: number
  /** The byte up to which no other station begins. */
  readonly until: number
}

/** The rows of entries `from`..`to` of a file. Their number is known only after reading. */
export interface RunRange {
  readonly kind: 'run'
  /** The index of the run in the segments of the file. */
  readonly segment: number
  readonly from: number
  readonly to: number
  /** The columns whose arrays make the rows of an entry. None: all columns. */
  readonly rowsOf: readonly string[]
}

/** The number of rows of a range. Null: not known before reading. */
export function rowsIn(range: RowRange): number | null {
  switch (range.kind) {
    case 'rows':
      return range.to - range.from
    case 'box':
      return productOf(range.extent)
    case 'text':
    case 'run':
      return null
  }
}

/** The beginning of a range in its file as a string. */
export function originKey(range: RowRange): string {
  switch (range.kind) {
    case 'rows':
    case 'run':
      return `${range.segment} ${range.from}`
    case 'box':
      return `${range.dimensions.join()} ${range.origin.join()}`
    case 'text':
      return `${range.segment}`
  }
}

/** A key that is equal for ranges of a file with the same rows. */
export function rangeKey(range: RowRange): string {
  switch (range.kind) {
    case 'rows':
      return `${originKey(range)} ${range.to}`
    case 'box':
      return `${originKey(range)} ${range.extent.join()}`
    case 'text':
      return originKey(range)
    case 'run':
      return `${originKey(range)} ${range.to} ${JSON.stringify(range.rowsOf)}`
  }
}
