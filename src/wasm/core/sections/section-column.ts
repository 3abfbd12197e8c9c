import type { DataType } from '../../../plan/types/schema.ts'

/** A part of a stored array, laid along a grid. Its rows are those of the grid in C order: the last axis varies fastest. */
export interface Section {
  /** The number of rows along each axis of the grid. None: one row. */
  readonly shape: readonly number[]
  /** The dimensions of the array in the order of the axes. The column is repeated along the other axes. */
  readonly dimensions: readonly SectionDimension[]
  /** Null: all rows are null. There are no dimensions then. */
  readonly stored: StoredElements | null
}

interface SectionDimension {
  readonly axis: number
  /** Elements of the array from one row along the axis to the next. */
  readonly stride: number
}

/** Elements of an array. The first one is that of the first row. */
export interface StoredElements {
  /** A boolean, an integer, a float, a timestamp without a zone, text, or null. Values are converted to the column's type. */
  readonly type: DataType
  /** How many have values here. Of runs: the runs. */
  readonly elements: number
  /** The bit of the first byte at which the validity, and the values of booleans, begin. */
  readonly bit: number
  /** Set where an element is not null. Null: all of them are. */
  readonly validity: Uint8Array | null
  /** Of text: 32 bits for each element, and one more. */
  readonly offsets: Uint8Array | null
  /** Little-endian numbers of the type's width, bits of booleans, or UTF-8 from the first offset on. */
  readonly values: Uint8Array
  /** Of an array of runs: the number of its elements up to the end of each run, 32 bits, and that of the first element. */
  readonly runs: { readonly ends: Uint8Array; readonly first: number } | null
}
