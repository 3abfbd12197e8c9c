import type { LaidOutArrays } from '../../../plan/source/array-layout.ts'
import type { Grid } from '../../../plan/source/grid.ts'
import type { Reading } from './box/read-array.ts'
import type { ArraysColumn } from './columns.ts'

/** The columns that are made of a file of arrays, and the rows that some of them have together. */
export interface Arrangement {
  /** In the order of the schema. */
  readonly columns: ReadonlyMap<string, ArraysColumn>
  /** The names of the dimensions, by whose indexes boxes refer to them. */
  readonly dimensions: readonly string[]
  /** Those of the file that the rows lie along. They are the same, unless counts make one of several. */
  readonly storedDimensions: readonly string[]
  /** Whether count variables tell the rows, so that an array may have values in none of them. */
  readonly isCounted: boolean
  /** What the grid of any columns follows from. Null: it takes more, such as counts of observations. */
  layout(): LaidOutArrays | null
  /**
   * The grid of the named columns. Columns that the file does not have are null in its rows, whatever these are. `names` null: all
   * columns. What is known along its axes includes the columns in `compared`; null: nothing is known. Throws `unknown_column` for an
   * array that is not kept, and `unreadable_file` for sizes that do not fit.
   */
  gridOf(names: readonly string[] | null, compared: readonly string[] | null, reading: Reading): Grid
}
