import type { RowSlice } from './held-rows.ts'
import type { Nc4Attribute, Nc4File } from './nc4-file.ts'

/** Writes the values of a column. */
export interface ColumnWriter {
  /** The bytes of a value besides those of its text. */
  readonly width: number
  /** Writes rows, the first of which is row `at` of the file. */
  write(slices: readonly RowSlice[], at: number, rows: number, file: Nc4File): void
  /** The value that stands for the nulls. Null: there were none. */
  fillValue(): Nc4Attribute | null
}
