import { ServiceError } from '../../../plan/errors.ts'
import type { Axis, Grid } from '../../../plan/source/grid.ts'
import type { ArrayFile } from './array-file.ts'
import { type Reading, readArray } from './box/read-array.ts'
import { type ArrayColumn, type ArraysColumn, arrayColumn, columnsOf } from './columns.ts'
import { coordinateOf, knownAlong } from './coordinates.ts'
import { axesOf, type GridAxis, gridOf, UNKNOWN } from './grid.ts'
import { keptArrays } from './kept-arrays.ts'
import { type NumberAt, numbersOf } from './numbers-of.ts'

/** The columns that are made of a file of arrays, and the rows that some of them have together. */
export interface Arranged {
  /** In the order of the schema. */
  readonly columns: ReadonlyMap<string, ArraysColumn>
  /** The names of the dimensions, by whose indexes boxes refer to them. */
  readonly dimensions: readonly string[]
  /**
   * The grid of the named columns. Columns that the file does not have are null in its rows, whatever these are. `names` null: all
   * columns. Throws `unknown_column` for an array that is not kept, and `unreadable_file` for sizes that do not fit.
   */
  gridOf(names: readonly string[] | null, reading: Reading): Grid
}

/** `asked` are the dimensions of the grid. Null: those that keep most arrays. */
export function arranged(file: ArrayFile, asked: readonly string[] | null): Arranged {
  const arrays = file.arrays.map(arrayColumn)
  const kept = keptArrays(file, arrays, asked)
  const isKept = new Set(kept)
  const dropped = new Map(arrays.filter((each) => !isKept.has(each)).map((each) => [each.name, each]))
  const columns = columnsOf(file, kept)
  const dimensions = [...new Set(kept.flatMap((array) => array.dimensions.map(({ name }) => name)))]
  const knownOf = createCoordinates()
  return {
    columns,
    dimensions,
    gridOf(names, reading) {
      for (const name of names ?? []) requireKept(name, dropped.get(name), dimensions, reading)
      const wanted = names === null ? null : new Set(names)
      const read = [...columns.values()].filter(
        (column): column is ArrayColumn => column.kind === 'array' && (wanted?.has(column.name) ?? true),
      )
      // Without columns there is no condition on the values along an axis.
      const alongAxis = (axis: GridAxis): KnownAlong =>
        names === null ? UNKNOWN : knownOf(axis, read, reading)
      return gridOf(read, axesOf(read), dimensions, [...columns.values()], alongAxis)
    },
  }
}

type KnownAlong = Omit<Axis, 'dimension'>

/** Finds what is known of the values along an axis. Values are read once. */
function createCoordinates() {
  const known = new Map<string, KnownAlong>()
  return ({ name, size }: GridAxis, read: readonly ArrayColumn[], reading: Reading): KnownAlong => {
    const coordinate = coordinateOf(name, read)
    if (coordinate?.dimensions[0]?.size !== size) return UNKNOWN
    const earlier = known.get(coordinate.name)
    if (earlier !== undefined) return earlier
    const made = knownAlong(coordinate, size, numbersAlong(reading, coordinate, name, size))
    known.set(coordinate.name, made)
    return made
  }
}

function numbersAlong(reading: Reading, coordinate: ArrayColumn, name: string, size: number): NumberAt {
  const { core } = reading.context
  const column = readArray(reading, coordinate, { names: [name], origin: [0], extent: [size] })
  try {
    return numbersOf(core, column, coordinate.type)
  } finally {
    core.free(column)
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
