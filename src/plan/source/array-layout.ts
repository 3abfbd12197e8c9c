import { memoize } from '../memoize.ts'
import { axesOf, type GridArray, type GridDimension, gridOf, sharedAxes, UNKNOWN } from './array-grid.ts'
import type { Grid } from './grid.ts'

/** What the grid of any columns of a file follows from, but for the sizes of its dimensions. Many files have the same one. */
export interface ArrayLayout {
  /** The names of the dimensions, by whose indexes boxes refer to them. */
  readonly dimensions: readonly string[]
  /** The arrays among the columns, in the order of the schema. */
  readonly arrays: readonly LaidOutArray[]
  /** Bytes of a decoded value of each column, as estimated, in the order of the schema. */
  readonly bytes: readonly number[]
  /** Names of arrays that are no columns: it is an error to read them, which a worker throws. */
  readonly refused: readonly string[]
}

export interface LaidOutArray {
  readonly name: string
  /** The index of its column in the schema. */
  readonly field: number
  /** Indexes of dimensions. */
  readonly dimensions: readonly number[]
  /** The number of indices of a chunk along each dimension; 0: all. Null: it is not stored in chunks. */
  readonly chunk: readonly number[] | null
  readonly isAtomic: boolean
  readonly annexFilters?: readonly string[]
}

/** The layout of a file, and the sizes of its dimensions. */
export interface LaidOutArrays {
  readonly layout: ArrayLayout
  readonly sizes: readonly number[]
}

/** The grid of the named columns, without statistics. Null: a worker has to tell it, or that a column cannot be read. */
export function gridOfColumns({ layout, sizes }: LaidOutArrays, names: readonly string[]): Grid | null {
  const { dimensions, arrays, refused } = layout
  if (names.some((name) => refused.includes(name))) return null
  const read = arrays
    .filter(({ name }) => names.includes(name))
    .map(({ name, dimensions: dimensionIndexes, chunk, isAtomic, annexFilters }): GridArray => {
      const along = dimensionIndexes.map((index) => ({
        name: dimensions[index] ?? '',
        size: sizes[index] ?? 0,
      }))
      const stored = chunk?.map((each, at) => (each === 0 ? Math.max(1, along[at]?.size ?? 0) : each)) ?? null
      const array = { chunk: stored, isAtomic, ...(annexFilters !== undefined && { annexFilters }) }
      return { name, dimensions: along, array }
    })
  const grid = gridOf(read, axesOf(read), dimensions, [], () => UNKNOWN)
  return { ...grid, decodedBytes: layout.bytes, sharedAxes: sharedAxesOf(layout, sizes, grid) }
}

/** The grid of all columns, without statistics, once for each object. Null: as above. */
export const gridOfAll = memoize((arrays: LaidOutArrays): Grid | null =>
  gridOfColumns(
    arrays,
    arrays.layout.arrays.map(({ name }) => name),
  ),
)

/** A grid of the arrays as a worker answers it, which has in common with grids of other files what follows from their layout. */
export function withSharedParts(grid: Grid, { layout, sizes }: LaidOutArrays): Grid {
  return { ...grid, decodedBytes: layout.bytes, sharedAxes: sharedAxesOf(layout, sizes, grid) }
}

/** How many axes the columns of a layout share, by grid. Files of a layout have the same, unless an axis has one index. */
const sharedAxesByGrid = memoize((_layout: ArrayLayout) => new Map<string, readonly number[]>())

/** The most grids of a layout for which it is kept. */
const MOST_GRIDS = 64

function sharedAxesOf(layout: ArrayLayout, sizes: readonly number[], grid: Grid): readonly number[] {
  const axesByGrid = sharedAxesByGrid(layout)
  const isLong = (size: number): number => (size > 1 ? 1 : 0)
  const key = `${grid.axes.map(({ dimension }) => dimension)} ${sizes.map(isLong)}`
  const earlier = axesByGrid.get(key)
  if (earlier !== undefined) return earlier
  const axes = grid.axes.map(({ name = '' }, index) => ({ name, size: grid.shape[index] ?? 0 }))
  const none: readonly GridDimension[] = []
  const byField = layout.bytes.map(() => none)
  for (const { field, dimensions } of layout.arrays)
    byField[field] = dimensions.map((index) => ({
      name: layout.dimensions[index] ?? '',
      size: sizes[index] ?? 0,
    }))
  const axesOfFields = byField.map((dimensions) => sharedAxes(dimensions, axes))
  if (axesByGrid.size >= MOST_GRIDS) axesByGrid.clear()
  axesByGrid.set(key, axesOfFields)
  return axesOfFields
}

/** Whether two layouts are equal. */
export function sameLayout(a: ArrayLayout, b: ArrayLayout): boolean {
  return (
    sameItems(a.dimensions, b.dimensions) &&
    sameItems(a.bytes, b.bytes) &&
    sameItems(a.refused, b.refused) &&
    a.arrays.length === b.arrays.length &&
    a.arrays.every((array, index) => sameArray(array, b.arrays[index]))
  )
}

function sameArray(a: LaidOutArray, b: LaidOutArray | undefined): boolean {
  return (
    b !== undefined &&
    a.name === b.name &&
    a.field === b.field &&
    a.isAtomic === b.isAtomic &&
    sameItems(a.dimensions, b.dimensions) &&
    sameItems(a.chunk ?? NOT_CHUNKED, b.chunk ?? NOT_CHUNKED) &&
    sameItems(a.annexFilters ?? [], b.annexFilters ?? [])
  )
}

const NOT_CHUNKED: readonly number[] = [-1]

function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index])
}
