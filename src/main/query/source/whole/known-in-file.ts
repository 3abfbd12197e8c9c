import type { KnownColumn } from '../../../../plan/condition/bounds.ts'
import type { FileSummary } from '../../../../plan/source/segments.ts'
import type { ColumnStatistics } from '../../../../plan/source/statistics.ts'
import { wholeColumn } from '../../../../plan/source/whole.ts'
import type { ColumnInFile, ColumnsInFile } from '../column-in-file.ts'

/** What is known of all rows of a file, by the names of columns. Null: nothing. */
export type KnownOfColumn = (name: string) => KnownColumn | null

/**
 * The number of rows that a filter is tested for. How many a file has depends on the columns that are read, and of the rows in which a
 * column is null it only counts whether they are none, some or all.
 */
export const SOME_ROWS = 2

/** What is known of all rows of a file, as if it had `SOME_ROWS`. */
export function knownOfFile({ whole }: Pick<FileSummary, 'whole'>, columns: ColumnsInFile): KnownOfColumn {
  return (name) => {
    const column = columns.get(name)
    if (column === undefined) return null
    if (column.index === null) return column.of(null, SOME_ROWS)
    const valuesOfColumn = whole === undefined ? null : wholeColumn(whole, column.index)
    return valuesOfColumn && column.of(someNull(valuesOfColumn.statistics, valuesOfColumn.values), SOME_ROWS)
  }
}

function someNull({ nulls, ...bounds }: ColumnStatistics, values: number): ColumnStatistics {
  if (nulls === undefined) return bounds
  return { ...bounds, nulls: nulls === 0 ? 0 : nulls === values ? SOME_ROWS : 1 }
}

/** What is known of a column in all rows of a file, which has so many. */
export function knownInRows(
  { whole }: Pick<FileSummary, 'whole'>,
  { index, of }: ColumnInFile,
  rows: number,
): KnownColumn | null {
  if (index === null) return of(null, rows)
  const valuesOfColumn = whole === undefined ? null : wholeColumn(whole, index)
  // Otherwise the values are those of other rows.
  if (valuesOfColumn === null || rows % valuesOfColumn.values !== 0) return null
  const { nulls, ...bounds } = valuesOfColumn.statistics
  return of(nulls === undefined ? bounds : { ...bounds, nulls: nulls * (rows / valuesOfColumn.values) }, rows)
}
