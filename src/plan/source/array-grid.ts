import { ServiceError } from '../errors.ts'
import type { Axis, Grid } from './grid.ts'
import type { ColumnStatistics } from './statistics.ts'

/** An array whose elements are in the rows of a grid. */
export interface GridArray {
  readonly name: string
  /** The dimensions of its values, which have distinct names. */
  readonly dimensions: readonly GridDimension[]
  readonly array: {
    readonly chunk: readonly number[] | null
    readonly isAtomic: boolean
    readonly annexFilters?: readonly string[]
  }
  /** Set if its values do not lie along its dimensions, so that its rows have no chunks. */
  readonly lookup?: unknown
}

export interface GridDimension {
  readonly name: string
  readonly size: number
}

/** A column of the file, in the order of its schema. An attribute has no dimensions. */
export interface GridColumn {
  /** Of a decoded value, as estimated. */
  readonly bytes: number
  readonly dimensions: readonly GridDimension[]
}

/** The axes of a grid, without what is known of the values along them. */
export interface GridAxis {
  readonly name: string
  readonly size: number
  /** The number of indices of a chunk. */
  readonly chunk: number
}

/**
 * The array that leads among those that are read together: the one of the highest rank; of equal ones one whose values lie along its
 * dimensions, and then the last.
 */
export function leaderOf<A extends GridArray>(arrays: readonly A[]): A | null {
  return arrays.reduce<A | null>(
    (most, array) => (most === null || leadsMore(array, most) ? array : most),
    null,
  )
}

function leadsMore(array: GridArray, most: GridArray): boolean {
  const more = array.dimensions.length - most.dimensions.length
  return more === 0 ? array.lookup === undefined || most.lookup !== undefined : more > 0
}

/** The chunks of the rows of a column. Null: there are none. */
function chunkOf({ array, lookup }: GridArray): readonly number[] | null {
  return lookup === undefined ? array.chunk : null
}

/**
 * The axes of the rows that arrays have together, in the order of columns: the dimensions of the leader, and then those that only
 * others have. An axis with one index has as many as another array says. Throws `unreadable_file` if arrays say otherwise.
 */
export function axesOf(arrays: readonly GridArray[]): readonly GridAxis[] {
  const leader = leaderOf(arrays)
  if (leader === null) return []
  const sizes = new Map<string, { size: number; of: string }>()
  for (const { name: of, dimensions } of [leader, ...arrays])
    for (const { name, size } of dimensions) {
      const earlierSize = sizes.get(name)
      if (earlierSize === undefined || earlierSize.size === 1) sizes.set(name, { size, of })
      else if (size !== earlierSize.size && size !== 1)
        throw new ServiceError(
          'unreadable_file',
          `cannot broadcast: dimension '${name}' has size ${size} in "${of}", but "${earlierSize.of}" expects ${earlierSize.size}; ask for one of them alone`,
        )
    }
  const chunks = chunkOf(leader)
  return [...sizes].map(([name, { size }]) => {
    const at = leader.dimensions.findIndex((each) => each.name === name)
    const isOwn = at >= 0 && leader.dimensions[at]?.size === size
    const chunk = isOwn ? (chunks?.[at] ?? size) : size
    return { name, size, chunk: Math.max(1, Math.min(chunk, Math.max(1, size))) }
  })
}

/**
 * The arrays that are in one grid with the leader. The others differ from it, or from one before them, in the length of a dimension:
 * so do arrays whose dimensions have no names but their places.
 */
export function arraysThatFit<A extends GridArray>(arrays: readonly A[]): readonly A[] {
  const sizes = new Map(leaderOf(arrays)?.dimensions.map(({ name, size }) => [name, size]))
  return arrays.filter(({ dimensions }) => {
    const others = dimensions.filter(({ name, size }) => size !== 1 && size !== sizes.get(name))
    if (others.some(({ name }) => (sizes.get(name) ?? 1) !== 1)) return false
    for (const { name, size } of others) sizes.set(name, size)
    return true
  })
}

/**
 * The grid of the arrays that are read. `dimensions` are the names of the file's dimensions, by whose indexes boxes refer to
 * them. `columns` are all columns of the file.
 */
export function gridOf(
  arrays: readonly GridArray[],
  axes: readonly GridAxis[],
  dimensions: readonly string[],
  columns: readonly GridColumn[],
  knownOf: (axis: GridAxis) => Pick<Axis, 'column' | 'block' | 'statistics' | 'others'>,
): Grid {
  const leader = leaderOf(arrays)
  const annex = arrays.flatMap(({ name, array }) =>
    array.annexFilters === undefined ? [] : { name, filters: array.annexFilters },
  )
  return {
    kind: 'grid',
    shape: axes.map(({ size }) => size),
    chunk: axes.map(({ chunk }) => chunk),
    axes: axes.map((axis) => ({
      dimension: dimensions.indexOf(axis.name),
      name: axis.name,
      ...knownOf(axis),
    })),
    ...(leader !== null && leader.dimensions.length > 0 && { leader: leader.name }),
    isAtomic: leader !== null && chunkOf(leader) !== null && leader.array.isAtomic,
    ...(annex.length > 0 && { annex }),
    decodedBytes: columns.map(({ bytes }) => bytes),
    sharedAxes: columns.map((column) => sharedAxes(column.dimensions, axes)),
  }
}

/** Nothing is known of the values along an axis. */
export const UNKNOWN: {
  readonly column: null
  readonly block: number
  readonly statistics: readonly ColumnStatistics[]
} = Object.freeze({ column: null, block: 1, statistics: Object.freeze([]) })

/**
 * How many of the last axes a column does not depend on. Values along axes that do not follow each other are gathered row by row, so
 * rows share nothing then.
 */
export function sharedAxes(dimensions: readonly GridDimension[], axes: readonly GridDimension[]): number {
  const long = dimensions.filter(({ size }) => size > 1)
  const isOwn = axes.map(({ name }) => long.some((each) => each.name === name))
  const [first, last] = [isOwn.indexOf(true), isOwn.lastIndexOf(true)]
  if (last < 0) return axes.length
  const isTogether = axes.every(({ size }, at) => at < first || at > last || isOwn[at] || size === 1)
  return isTogether ? axes.length - 1 - last : 0
}
