import { ServiceError } from '../../../plan/errors.ts'
import type { Arrangement } from './arrangement.ts'
import type { ArrayFile } from './array-file.ts'
import type { Reading } from './box/read-array.ts'
import { type ArrayColumn, arrayColumn, columnsOf } from './columns.ts'
import { axesOf, gridOf, leaderOf, UNKNOWN } from './grid.ts'
import { keptArrays } from './kept-arrays.ts'
import { createKnownAxes } from './known-axes.ts'
import { arrangedByCounts } from './ragged/arranged-by-counts.ts'
import { gatheredArrays } from './ragged/gathered-arrays.ts'
import { noColumn } from './ragged/no-column.ts'
import { samplingOf } from './ragged/sampling.ts'
import { arraysIn } from './read-columns.ts'

/** `asked` are the dimensions of the grid. Null: those that keep most arrays. */
export function arranged(file: ArrayFile, asked: readonly string[] | null): Arrangement {
  const stored = file.arrays.map(arrayColumn)
  const sampling = samplingOf(file, stored)
  if (sampling.counts.length > 0) return arrangedByCounts(file, stored, sampling, asked)
  const arrays = gatheredArrays(stored, sampling.indexes, asked)
  const kept = keptArrays(file, arrays, asked)
  const isKept = new Set(kept)
  const dropped = new Map(arrays.filter((each) => !isKept.has(each)).map((each) => [each.name, each]))
  const hidden = new Set(sampling.indexes.map(({ column }) => column.name))
  const columns = columnsOf(file, kept, hidden)
  // In the order of the whole grid.
  const inOrder = [leaderOf(kept) ?? [], ...kept].flat()
  const dimensions = [...new Set(inOrder.flatMap((array) => array.dimensions.map(({ name }) => name)))]
  const knownOf = createKnownAxes()
  return {
    columns,
    dimensions,
    gridOf(names, compared, reading) {
      for (const name of names ?? []) {
        requireKept(name, dropped.get(name), dimensions, reading)
        if (hidden.has(name)) throw noColumn(name, reading.store.file.path)
      }
      const read = arraysIn(columns, names)
      // Without columns there is no condition on the values along an axis.
      return gridOf(read, axesOf(read), dimensions, [...columns.values()], (axis) =>
        names === null ? UNKNOWN : knownOf(axis, read, compared, reading),
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
  const own = dropped.dimensions.map((each) => each.name)
  throw new ServiceError(
    'unknown_column',
    `"${name}" has the dimensions (${own.join(', ')}) in "${store.file.path}", whose rows have (${grid.join(', ')}). ` +
      `Read it with dimensions = ${JSON.stringify(own)}, or without this column.`,
  )
}
