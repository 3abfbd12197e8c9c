import type { DataType } from '../../../plan/types/schema.ts'
import type { ElementSpec } from '../../../wasm/core/boxes/box-column.ts'

/**
 * Where a small file has the elements of a column, one after the other, and how they are decoded. It follows from the metadata, so it holds for
 * all files that share an `ArrayFile`.
 */
export interface ElementPlace {
  readonly spec: ElementSpec
  readonly isBigEndian: boolean
  /** Equal if the two above are. */
  readonly key: string
  /** The byte of the file at which the first element begins. */
  readonly from: number
  /** The bytes of an element: of a number, or of all letters of a text. */
  readonly width: number
  /** The number of elements. If there are more rows, all elements come again behind the last one. */
  readonly elements: number
  /** How many rows that follow each other have the same element. */
  readonly repeat: number
}

/** Where all elements of a column of numbers or times are in a small file. */
export interface WholePlace extends ElementPlace {
  /** The index of its field in the file's schema. */
  readonly field: number
  readonly type: DataType
  /** The number of elements. */
  readonly rows: number
}
