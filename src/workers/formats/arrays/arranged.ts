import { ServiceError } from '../../../plan/errors.ts'
import { memoize } from '../../../plan/memoize.ts'
import {
  arraysThatFit,
  axesOf,
  type GridColumn,
  gridOf,
  leaderOf,
  UNKNOWN,
} from '../../../plan/source/array-grid.ts'
import type { LaidOutArrays } from '../../../plan/source/array-layout.ts'
import type { Arrangement } from './arrangement.ts'
import type { ArrayFile } from './array-file.ts'
import { layoutOf } from './array-layout.ts'
import type { ArrayOptions } from './array-options.ts'
import type { Reading } from './box/read-array.ts'
import { boundsAttributes, meaningOf } from './cf/bounds.ts'
import { isTextDimension, textDimensions } from './cf/text.ts'
import { type ArrayColumn, type ArraysColumn, arrayColumn, columnsOf } from './columns.ts'
import { gridColumns } from './grid-columns.ts'
import { decodeArraysOnce } from './kept-arrays.ts'
import { createKnownAxes } from './known-axes.ts'
import { arrangedByCounts } from './ragged/arranged-by-counts.ts'
import { gatheredArrays } from './ragged/gathered-arrays.ts'
import { noColumn } from './ragged/no-column.ts'
import { samplingOf } from './ragged/sampling.ts'
import { arraysIn } from './read-columns.ts'

/** What follows from the arrays of a file and the dimensions of the grid alone, and from no value. */
export interface DerivedColumns {
  readonly columns: ReadonlyMap<string, ArraysColumn>
  readonly dimensions: readonly string[]
  /** Arrays that are in no row, by name. */
  readonly dropped: ReadonlyMap<string, ArrayColumn>
  /** The names of index variables, which are no columns. */
  readonly hidden: ReadonlySet<string>
  readonly inGrid: readonly GridColumn[]
}

/** By the options, as JSON. A reader may give one object for many files. */
const columnsByOptions = memoize((_file: ArrayFile) => new Map<string, DerivedColumns>())

/** The columns of a file and its rows, with the options as the file decides (`optionsFor`). */
export function arrangeColumns(file: ArrayFile, options: ArrayOptions): Arrangement {
  const columns = arrangedColumns(file, options)
  return 'gridOf' in columns ? columns : arrangement(columns)
}

/** The same without the grid. Null: rows follow from counts of observations. */
export function columnsInFile(file: ArrayFile, options: ArrayOptions): DerivedColumns | null {
  const columns = arrangedColumns(file, options)
  return 'gridOf' in columns ? null : columns
}

function arrangedColumns(
  file: ArrayFile,
  { dimensions: asked, isNanValue = false, areAttributesLeftOut = false }: ArrayOptions,
): DerivedColumns | Arrangement {
  const ofFile = columnsByOptions(file)
  const key = JSON.stringify([asked, isNanValue, areAttributesLeftOut])
  const earlierColumns = ofFile.get(key)
  if (earlierColumns !== undefined) return earlierColumns
  const stored = storedColumns(file, !isNanValue)
  const sampling = samplingOf(file, stored)
  if (sampling.counts.length > 0) return arrangedByCounts(file, stored, sampling, asked, areAttributesLeftOut)
  const arrays = gatheredArrays(stored, sampling.indexes, asked)
  const hidden = new Set(sampling.indexes.map(({ column }) => column.name))
  const retained = decodeArraysOnce(file, arrays, asked)
  const columns = deriveColumns(file, arrays, retained, hidden, areAttributesLeftOut)
  ofFile.set(key, columns)
  return columns
}

/** The columns and dimensions of a grid that has the arrays `retained` of `arrays`. Arrays in `hidden` are none of them. */
export function deriveColumns(
  file: ArrayFile,
  arrays: readonly ArrayColumn[],
  retained: readonly ArrayColumn[],
  hidden: ReadonlySet<string>,
  areAttributesLeftOut: boolean,
): DerivedColumns {
  const isKept = new Set(retained)
  const dropped = new Map(arrays.filter((each) => !isKept.has(each)).map((each) => [each.name, each]))
  const columns = columnsOf(file, retained, hidden, areAttributesLeftOut)
  // In the order of the whole grid.
  const inOrder = [leaderOf(retained) ?? [], ...retained].flat()
  const dimensions = [...new Set(inOrder.flatMap((array) => array.dimensions.map(({ name }) => name)))]
  return { columns, dimensions, dropped, hidden, inGrid: gridColumns(columns.values()) }
}

/** What the grid of any of these columns follows from. Null: it takes more. */
export function layoutOfDerived({
  columns,
  dimensions,
  dropped,
  hidden,
  inGrid,
}: DerivedColumns): LaidOutArrays | null {
  return layoutOf(columns, dimensions, inGrid, [...dropped.keys(), ...hidden])
}

function arrangement(derived: DerivedColumns): Arrangement {
  const { columns, dimensions, dropped, hidden, inGrid } = derived
  const knownOf = createKnownAxes()
  return {
    columns,
    dimensions,
    storedDimensions: dimensions,
    isCounted: false,
    layout: () => layoutOfDerived(derived),
    gridOf(names, compared, reading) {
      for (const name of names ?? []) {
        requireKept(name, dropped.get(name), dimensions, reading)
        if (hidden.has(name)) throw noColumn(name, reading.store.file.path)
      }
      const named = arraysIn(columns, names)
      // Arrays that no grid has together are an error if they are named.
      const read = names === null ? arraysThatFit(named) : named
      // Without columns there is no condition on the values along an axis.
      return gridOf(read, axesOf(read), dimensions, inGrid, (axis) =>
        names === null || compared === null ? UNKNOWN : knownOf(axis, read, compared, reading),
      )
    },
  }
}

function requireKept(
  name: string,
  dropped: ArrayColumn | undefined,
  grid: readonly string[],
  { store }: Reading,
): void {
  if (dropped === undefined) return
  const droppedDimensions = dropped.dimensions.map((each) => each.name)
  throw new ServiceError(
    'unknown_column',
    `"${name}" has the dimensions (${droppedDimensions.join(', ')}) in "${store.file.path}", whose rows have (${grid.join(', ')}). ` +
      `Read it with dimensions = ${JSON.stringify(droppedDimensions)}, or without this column.`,
    { leftOut: { name, dimensions: droppedDimensions } },
  )
}

/** The arrays of a file as columns, in its order. What an array means may be said by the others. `isNanNull`: each NaN is null. */
export function storedColumns(file: ArrayFile, isNanNull: boolean): readonly ArrayColumn[] {
  const { arrays } = file
  const ofBounds = boundsAttributes(arrays)
  const texts = textDimensions(arrays)
  return arrays.map((array) => {
    const last = array.dimensions.at(-1)
    return arrayColumn(array, {
      isNanNull,
      attributes: ofBounds.get(array.name) ?? meaningOf(array),
      isWholeText: isTextDimension(last) || (last !== undefined && texts.has(last.name)),
    })
  })
}
