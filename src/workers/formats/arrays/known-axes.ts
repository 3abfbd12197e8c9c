import { getOrMake } from '../../../plan/get-or-make.ts'
import { type GridAxis, UNKNOWN } from '../../../plan/source/array-grid.ts'
import type { Axis, ColumnAlong } from '../../../plan/source/grid.ts'
import type { Reading } from './box/read-array.ts'
import type { ArrayColumn } from './columns.ts'
import { arraysAlong, coordinateOf, isToldIfCompared, statisticsAlong } from './coordinates.ts'
import { type ElementAt, readElements } from './elements.ts'
import { gatheredElements } from './ragged/gathered-elements.ts'
import { indexesOf } from './ragged/lookup.ts'

/** What is known of the values along an axis: of its coordinate, and of those of the columns that are read that a filter compares. */
export type KnownAxes = (
  axis: GridAxis,
  read: readonly ArrayColumn[],
  compared: readonly string[],
  reading: Reading,
) => Omit<Axis, 'dimension'>

type Known = ColumnAlong & Pick<Axis, 'block'>

/** The most columns along an axis besides its coordinate. Each takes as much memory as the coordinate. */
const MOST_OTHERS = 4

/** Values are read once. */
export function createKnownAxes(): KnownAxes {
  const axesByColumn = new Map<string, Known>()
  const knownOf = (reading: Reading, column: ArrayColumn, size: number): Known => {
    return getOrMake(axesByColumn, column.name, () =>
      statisticsAlong(column, size, elementsAlong(reading, column, size)),
    )
  }
  return ({ name, size }, read, compared, reading) => {
    const along = arraysAlong({ name, size }, read)
    const coordinate = coordinateOf(name, along)
    if (coordinate === null) return UNKNOWN
    const others = along
      .filter((each) => each !== coordinate && compared.includes(each.name) && isToldIfCompared(each, size))
      .slice(0, MOST_OTHERS)
      .map((each) => knownOf(reading, each, size))
    return { ...knownOf(reading, coordinate, size), ...(others.length > 0 && { others }) }
  }
}

function elementsAlong(reading: Reading, column: ArrayColumn, size: number): ElementAt {
  const { lookup } = column
  if (lookup !== undefined)
    return gatheredElements(reading, lookup.stored, indexesOf(reading, lookup, 0, size))
  return readElements(reading, column, 0, size)
}
