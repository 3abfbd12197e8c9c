import type { ArrayFile } from './array-file.ts'

/**
 * What small files have in common whose metadata say the same but for the sizes of dimensions, the places of elements, and texts of the file's
 * attributes. One object for all of them.
 */
export interface ArrayForm {
  /** One of these files. */
  readonly file: ArrayFile
  readonly isBigEndian: boolean
  /** In the order of `file.arrays`. */
  readonly arrays: readonly FormedArray[]
  /** Which attributes of the file have the texts that differ: their indices in `file.attributes`. */
  readonly texts: readonly number[]
}

export interface FormedArray {
  /** Its index among `FormNumbers.begins`. */
  readonly variable: number
  /** Indices of `FormNumbers.sizes`, the slowest dimension first. */
  readonly dimensions: readonly number[]
  /** Whether the elements of each index along its first dimension are in a record of their own. Otherwise all elements follow each other. */
  readonly isInRecords: boolean
}

/** What a file of a form says besides. */
export interface FormNumbers {
  /** Those of all dimensions. */
  readonly sizes: readonly number[]
  /** The bytes of each text, in the order of `ArrayForm.texts`. */
  readonly texts: readonly number[]
  /** The byte of the file at which the first element of each array begins. */
  readonly begins: readonly number[]
  /** Bytes from one record to the next. */
  readonly recordBytes: number
}

/** A small file whose metadata are of a form that is remembered. They have been checked. */
export interface FormedFile {
  readonly form: ArrayForm
  readonly numbers: FormNumbers
}
