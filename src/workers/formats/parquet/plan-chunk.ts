import type { Chunk, Range } from './chunks.ts'
import type { PageMap } from './page-map.ts'

/** The bytes of a chunk that hold some rows: whole pages, the dictionary first. */
export interface ChunkPlan {
  readonly chunk: Chunk
  readonly ranges: readonly Range[]
  /** Row at which the first data page begins. */
  readonly firstRow: number
}

export function wholeChunk(chunk: Chunk): ChunkPlan {
  return { chunk, ranges: [{ offset: chunk.start, length: chunk.length }], firstRow: 0 }
}

/** The pages that overlap rows `from`..`to`, `from < to`. */
export function pagesOfRows(chunk: Chunk, map: PageMap, from: number, to: number): ChunkPlan {
  const { runs, dictionary } = map
  const first = Math.max(
    0,
    runs.findLastIndex((run) => run.firstRow <= from),
  )
  const after = runs.findIndex((run) => run.firstRow >= to)
  const wanted = runs.slice(first, after < 0 ? runs.length : after)
  return {
    chunk,
    ranges: dictionary === null ? wanted : [dictionary, ...wanted],
    firstRow: wanted[0]?.firstRow ?? 0,
  }
}
