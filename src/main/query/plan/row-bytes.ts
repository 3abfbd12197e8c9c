import { productOf } from '../../../plan/product-of.ts'
import type { Grid } from '../../../plan/source/grid.ts'
import type { IndexRange } from '../../../plan/source/unit.ts'
import type { ColumnInFile } from '../source/column-in-file.ts'

/** The estimated bytes of rows in memory. `decodedBytes` are those of the columns of the file, in its order. */
export function bytesOfRows(
  columns: ReadonlyMap<string, ColumnInFile>,
  decodedBytes: readonly number[],
  rows: number,
): number {
  let bytes = 0
  for (const column of columns.values()) bytes += bytesOfColumn(column, decodedBytes, rows)
  return bytes
}

/**
 * The same of one row of a grid, of which `axisRanges` are the index ranges along each axis. Rows that share a value have it once: along the
 * last axes a unit has whole chunks, or what the ranges leave of them. A value that all rows share counts for nothing.
 */
export function bytesOfGridRow(
  { decodedBytes, sharedAxes, chunk }: Pick<Grid, 'decodedBytes' | 'sharedAxes' | 'chunk'>,
  columns: ReadonlyMap<string, ColumnInFile>,
  axisRanges: readonly (readonly IndexRange[])[],
): number {
  const lengths = axisRanges.map((ranges, axis) => Math.min(chunk[axis] ?? 1, longestOf(ranges)))
  let bytes = 0
  for (const column of columns.values()) {
    const shared = column.index === null ? 0 : (sharedAxes?.[column.index] ?? 0)
    if (shared >= lengths.length && shared > 0) continue
    const rows = productOf(lengths.slice(lengths.length - shared))
    bytes += bytesOfColumn(column, decodedBytes, 1) / rows
  }
  return bytes
}

function bytesOfColumn(
  { index, minRowBytes }: ColumnInFile,
  decodedBytes: readonly number[],
  rows: number,
): number {
  const asStored = index === null ? 0 : (decodedBytes[index] ?? 0)
  return Math.max(asStored, rows * minRowBytes)
}

function longestOf(ranges: readonly IndexRange[]): number {
  return ranges.reduce((most, { from, to }) => Math.max(most, to - from), 1)
}
