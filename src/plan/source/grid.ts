import { productOf } from '../product-of.ts'
import type { ColumnStatistics } from './statistics.ts'

/**
 * The rows of a file of arrays: one for each element of a grid. Its axes are the dimensions of the requested columns, the slowest
 * one first. A grid without axes has one row. The size of this object does not depend on the number of chunks.
 */
export interface Grid {
  readonly kind: 'grid'
  /** The number of indices along each axis. */
  readonly shape: readonly number[]
  /** The number of indices of a chunk along each axis, at least 1. Chunks begin at multiples of it. */
  readonly chunk: readonly number[]
  readonly axes: readonly Axis[]
  /** The array whose chunks order the rows. Absent: there is none. */
  readonly leader?: string
  /** Whether a chunk can only be decoded as a whole, because it is compressed as one. */
  readonly isAtomic: boolean
  /** The arrays that are named whose chunks the annex decodes. Absent: there are none. */
  readonly annex?: readonly AnnexArray[]
  /** The columns that are read by the statistics of whose chunks workers leave out chunks. Absent: there are none. */
  readonly chunkStatistics?: readonly string[]
  /** Bytes of a decoded value of each top-level column, as estimated, in the order of the file's schema. */
  readonly decodedBytes: readonly number[]
  /**
   * For each of these columns how many of the last axes its values do not depend on, if rows along them share a value that a unit
   * has once. The number of axes: all rows of a unit share one. Absent: no rows share values.
   */
  readonly sharedAxes?: readonly number[]
}

/** An array, and the filters of its chunks that the annex undoes, for people. */
export interface AnnexArray {
  readonly name: string
  readonly filters: readonly string[]
}

export interface Axis {
  /** The index of its dimension in the file, by which boxes refer to it. */
  readonly dimension: number
  /** The name of the dimension. Absent: the format has no names. */
  readonly name?: string
  /** The column whose values depend only on the index along this axis. Null: there is none. */
  readonly column: string | null
  /** Statistics of the column for each run of `block` indices, the first one from 0 on. Null: nothing is known of a run. */
  readonly block: number
  readonly statistics: readonly (ColumnStatistics | null)[]
  /** Other such columns, with statistics of the same runs. Absent: there are none. */
  readonly others?: readonly ColumnAlong[]
}

/** What is known of a column whose values depend only on the index along an axis. */
export interface ColumnAlong {
  readonly column: string
  readonly statistics: Axis['statistics']
}

/** The columns along an axis of which something is known. */
export function columnsAlong({ column, statistics, others = [] }: Axis): readonly ColumnAlong[] {
  return column === null || statistics.length === 0 ? others : [{ column, statistics }, ...others]
}

/** The number of elements of a grid. Each is a row. */
export function elementsOf({ shape }: Pick<Grid, 'shape'>): number {
  return productOf(shape)
}

/** What is wrong with a grid that a reader has made from a file. Null: nothing. */
export function faultOfGrid({ shape, chunk, axes }: Grid): string | null {
  if (shape.length !== chunk.length || shape.length !== axes.length)
    return `${shape.length} axes, and chunks of ${chunk.length}`
  if (!shape.every((each) => Number.isSafeInteger(each) && each >= 0)) return `the shape ${shape.join(' x ')}`
  if (!chunk.every((each) => Number.isSafeInteger(each) && each >= 1)) return `chunks of ${chunk.join(' x ')}`
  if (!Number.isSafeInteger(elementsOf({ shape })))
    return `${shape.join(' x ')} cells, more than can be counted`
  for (const [index, axis] of axes.entries()) {
    const { block } = axis
    const blocks = Math.ceil((shape[index] ?? 0) / block)
    for (const { statistics } of columnsAlong(axis))
      if (!(Number.isSafeInteger(block) && block >= 1 && statistics.length === blocks))
        return `statistics of ${statistics.length} blocks of ${block} along an axis of ${shape[index]}`
  }
  return null
}
