/** An array of small files of one form (`ArrayForm`). */
export interface FormedArray {
  /** Its index among `FormNumbers.begins`. */
  readonly variable: number
  /** Indices of `FormNumbers.sizes`, the slowest dimension first. */
  readonly dimensions: readonly number[]
  /** Whether the elements of each index along its first dimension are in a record of their own. Otherwise all elements follow each other. */
  readonly isInRecords: boolean
  readonly isBigEndian: boolean
}

/** What a file of a form says besides. */
export interface FormNumbers {
  /** Those of all dimensions. */
  readonly sizes: readonly number[]
  /** The bytes of each text, in the order of `ArrayForm.texts`. */
  readonly texts: readonly number[]
  /** The byte of the file at which the first element of each array begins. -1: its elements do not follow each other as they are. */
  readonly begins: readonly number[]
  /** Bytes from one record to the next. 0: there are no records. */
  readonly recordBytes: number
}
