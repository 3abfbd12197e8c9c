import type { Axis } from '../../../plan/source/grid.ts'
import type { Reading } from './box/read-array.ts'
import { type Cells, readCells } from './cells.ts'
import type { ArrayColumn } from './columns.ts'
import { coordinateOf, knownAlong } from './coordinates.ts'
import { type GridAxis, UNKNOWN } from './grid.ts'
import { gatheredCells } from './ragged/gathered-cells.ts'
import { indexesOf } from './ragged/lookup.ts'

/** What is known of the values along an axis, by the columns that are read. */
export type KnownAxes = (
  axis: GridAxis,
  read: readonly ArrayColumn[],
  reading: Reading,
) => Omit<Axis, 'dimension'>

/** Values are read once. */
export function createKnownAxes(): KnownAxes {
  const known = new Map<string, Omit<Axis, 'dimension'>>()
  return ({ name, size }, read, reading) => {
    const coordinate = coordinateOf(name, read)
    if (coordinate?.dimensions[0]?.size !== size) return UNKNOWN
    const earlier = known.get(coordinate.name)
    if (earlier !== undefined) return earlier
    const made = knownAlong(coordinate, size, cellsAlong(reading, coordinate, size))
    known.set(coordinate.name, made)
    return made
  }
}

function cellsAlong(reading: Reading, column: ArrayColumn, size: number): Cells {
  const { lookup } = column
  if (lookup !== undefined) return gatheredCells(reading, lookup.stored, indexesOf(reading, lookup, 0, size))
  return readCells(reading, column, 0, size)
}
