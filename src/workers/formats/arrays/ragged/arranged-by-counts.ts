import { ServiceError } from '../../../../plan/errors.ts'
import { axesOf, gridOf, UNKNOWN } from '../../../../plan/source/array-grid.ts'
import type { Arrangement } from '../arrangement.ts'
import type { ArrayDimension, ArrayFile } from '../array-file.ts'
import { type ArrayColumn, type CountVariable, columnsOf, type IndexVariable } from '../columns.ts'
import { gridColumns } from '../grid-columns.ts'
import { createKnownAxes } from '../known-axes.ts'
import { arraysIn } from '../read-columns.ts'
import { rowsByCounts } from './counted-rows.ts'
import { wayTo } from './lookup.ts'
import { noColumn } from './no-column.ts'
import type { Sampling } from './sampling.ts'

/**
 * The columns of a file with contiguous ragged arrays. Its rows are the observations of one instance after the other, whichever columns
 * are read. With several sample dimensions an instance has as many rows as observations along the longest, and null in the last ones
 * of the others. Arrays of one dimension are columns, if that is a sample dimension, the instance dimension, or one that index variables
 * lead to. Throws `unreadable_file` if dimensions are asked for.
 */
export function arrangedByCounts(
  file: ArrayFile,
  arrays: readonly ArrayColumn[],
  { counts, indexes }: Sampling,
  asked: readonly string[] | null,
  areAttributesLeftOut: boolean,
): Arrangement {
  if (asked !== null)
    throw new ServiceError(
      'unreadable_file',
      'dimension projections are not supported for ragged datasets; without "dimensions" its rows are the observations, each with the values of its instance',
    )
  const hidden = new Set([...counts, ...indexes].map(({ column }) => column.name))
  const name = counts.map(({ sample }) => sample).join(', ')
  const arranged = arrays
    .filter((array) => !hidden.has(array.name))
    .map((stored) => ({ stored, column: columnOfRows(stored, name, counts, indexes) }))
  const columns = columnsOf(
    file,
    arranged.flatMap(({ column }) => column ?? []),
    hidden,
    areAttributesLeftOut,
  )
  const dropped = new Map(
    arranged.flatMap((each) => (each.column === null ? [[each.stored.name, each.stored]] : [])),
  )
  const knownOf = createKnownAxes()
  const inGrid = gridColumns(columns.values())
  let rows: number | null = null
  return {
    columns,
    dimensions: [name],
    storedDimensions: counts.map(({ sample }) => sample),
    isCounted: true,
    layout: () => null,
    gridOf(names, compared, reading) {
      const { path } = reading.store.file
      for (const each of names ?? []) {
        requireColumn(dropped.get(each), name, path)
        if (hidden.has(each)) throw noColumn(each, path)
      }
      rows ??= rowsByCounts(reading, counts)
      const ofRows: ArrayDimension = { name, size: rows, isInvented: false }
      const read = arraysIn(columns, names).map((column) =>
        column.dimensions.length === 0 ? column : { ...column, dimensions: [ofRows] },
      )
      const readAxes = axesOf(read)
      const axes = readAxes.length > 0 ? readAxes : [{ name, size: rows, chunk: Math.max(1, rows) }]
      return gridOf(read, axes, [name], inGrid, (axis) =>
        names === null || compared === null ? UNKNOWN : knownOf(axis, read, compared, reading),
      )
    },
  }
}

/** A stored column as one of rows, whose dimension is `name`. Its size is only known when counts have been read. Null: it is none. */
function columnOfRows(
  stored: ArrayColumn,
  name: string,
  counts: readonly CountVariable[],
  indexes: readonly IndexVariable[],
): ArrayColumn | null {
  const [dimension, ...others] = stored.dimensions
  if (dimension === undefined) return stored
  if (others.length > 0) return null
  const isSample = (of: string): boolean => counts.some(({ sample }) => sample === of)
  const instances = counts[0]?.column.dimensions[0]?.name
  const { from, through } = wayTo(dimension.name, indexes, (of) => of === instances || isSample(of))
  if (from !== instances && !isSample(from)) return null
  // Observation i along the only sample dimension is row i.
  if (dimension.name === name && dimension.size === counts[0]?.size) return stored
  const sample = isSample(from) ? from : null
  return {
    ...stored,
    dimensions: [{ name, size: dimension.size, isInvented: false }],
    lookup: { stored, counted: { counts, sample }, through },
  }
}

function requireColumn(dropped: ArrayColumn | undefined, rows: string, path: string): void {
  if (dropped === undefined) return
  const droppedDimensions = dropped.dimensions.map((each) => each.name).join(', ')
  throw new ServiceError(
    'unknown_column',
    `"${dropped.name}" has the dimensions (${droppedDimensions}) in "${path}", whose rows are the observations along (${rows}). Leave it out.`,
  )
}
