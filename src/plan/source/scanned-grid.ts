import type { AnnexArray } from './grid.ts'
import type { IndexRange } from './unit.ts'

/** What is read of the grid of a file, as EXPLAIN prints it. */
export interface ScannedGrid {
  readonly path: string
  /** The array whose chunks order the rows. Null: none is named that has dimensions, or the format does not tell. */
  readonly leader: string | null
  readonly axes: readonly ScannedAxis[]
  /** Whether the leader is stored in chunks. */
  readonly isChunked: boolean
  /** The chunks in which rows may pass the filter, and all. */
  readonly chunksLeft: number
  readonly chunks: number
  readonly annex: readonly AnnexArray[]
  /** See `Grid`. */
  readonly chunkStatistics: readonly string[]
}

export interface ScannedAxis {
  /** The name of its dimension or, if the format does not tell, the index of the dimension in the file. */
  readonly name: string
  readonly size: number
  /** The number of indices of a chunk. */
  readonly chunk: number
  /** The indices at which rows may pass the filter. */
  readonly ranges: readonly IndexRange[]
}
