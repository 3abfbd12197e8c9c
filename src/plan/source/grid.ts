import type { ColumnStatistics } from './statistics.ts'

/**
 * The rows of a file of arrays: one for each cell of a grid, whose axes are the dimensions of the columns that were asked
 * for, the slowest first. A grid of no axes has one row. Nothing here grows with the number of chunks.
 */
export interface Grid {
  readonly kind: 'grid'
  /** Indices along each axis. */
  readonly shape: readonly number[]
  /** Those of a chunk, at least 1. Chunks begin at multiples of it. */
  readonly chunk: readonly number[]
  readonly axes: readonly Axis[]
  /** Whether a chunk is always decoded whole, because it is compressed as one. */
  readonly isAtomic: boolean
  /** Estimated bytes that a row of each top-level column takes once decoded, in the order of the file's schema. */
  readonly decodedBytes: readonly number[]
}

export interface Axis {
  /** Which of the file's dimensions it is: what boxes name it by. */
  readonly dimension: number
  /** The column whose values depend on the index along this axis alone; null: there is none. */
  readonly column: string | null
  /** What is known of its values in each run of `block` indices, the first at 0; null where nothing is. */
  readonly block: number
  readonly statistics: readonly (ColumnStatistics | null)[]
}

/** Cells of a grid, of which each is a row. */
export function cellsOf({ shape }: Pick<Grid, 'shape'>): number {
  return shape.reduce((cells, each) => cells * each, 1)
}

/** What is wrong with a grid that a reader has made of what a file says; null: nothing. */
export function faultOfGrid({ shape, chunk, axes }: Grid): string | null {
  if (shape.length !== chunk.length || shape.length !== axes.length)
    return `${shape.length} axes, and chunks of ${chunk.length}`
  if (!shape.every((each) => Number.isSafeInteger(each) && each >= 0)) return `the shape ${shape.join(' x ')}`
  if (!chunk.every((each) => Number.isSafeInteger(each) && each >= 1)) return `chunks of ${chunk.join(' x ')}`
  if (!Number.isSafeInteger(cellsOf({ shape }))) return `${shape.join(' x ')} cells, more than can be counted`
  for (const [place, { block, statistics }] of axes.entries()) {
    const blocks = Math.ceil((shape[place] ?? 0) / block)
    if (statistics.length > 0 && !(Number.isSafeInteger(block) && block >= 1 && statistics.length === blocks))
      return `statistics of ${statistics.length} blocks of ${block} along an axis of ${shape[place]}`
  }
  return null
}
