import { fault } from '../../../fault.ts'

/** The chunks of a dataset, as their index needs to know them. */
export interface ChunkGrid {
  /** The number of elements of a chunk along each dimension. */
  readonly chunk: readonly number[]
  /** Bytes of a chunk without filters. */
  readonly chunkBytes: number
  /** The number of chunks along each dimension that the dataset may grow to. Null: it is not limited. */
  readonly mostChunks: readonly (number | null)[]
  /** Whether chunks pass filters, so that their stored bytes differ. */
  readonly isFiltered: boolean
}

/** Where a chunk is stored. */
export interface StoredChunk {
  readonly address: number
  /** Bytes in the file. */
  readonly bytes: number
  /** Bit `i` is set if filter `i` was left out. */
  readonly mask: number
}

/**
 * Finds the chunk with these numbers along the dimensions. Null: it was never written. Reads only those nodes of the index that lead
 * to it. Throws `unreadable_file`.
 */
export type ChunkIndex = (position: readonly number[]) => StoredChunk | null

/** The number of a chunk, counted in C order: the last dimension varies fastest. The first dimension may have no limit. */
export function linearNumber(position: readonly number[], counts: readonly (number | null)[]): number {
  const number = position.reduce((sum, at, axis) => sum * (axis === 0 ? 1 : (counts[axis] ?? 1)) + at, 0)
  if (!Number.isSafeInteger(number)) throw fault('it has more chunks than any file has')
  return number
}

/** The counts of a dataset that has a limit along each dimension. */
export function fixedCounts({ mostChunks }: ChunkGrid): readonly number[] {
  return mostChunks.map((count) => {
    if (count === null) throw fault('its index of chunks suits no dimension without a limit')
    return count
  })
}
