import type { ByteSource } from '../provider.ts'
import type { Range } from '../read-ranges.ts'
import type { Chunk } from './chunks.ts'
import { readOffsetIndex } from './page-index.ts'
import { mapPages, type PageMap } from './page-map.ts'

/** The bytes of a chunk that hold some rows: whole pages, the dictionary first. */
export interface ChunkPlan {
  readonly chunk: Chunk
  readonly ranges: readonly Range[]
  /** Row at which the first data page begins, and the one before which the last ends. */
  readonly firstRow: number
  readonly endRow: number
}

/** Plans what to read of the chunks of one file. */
export interface ChunkPlanner {
  /** For rows `from`..`to`, `from < to`. Errors are `unreadable_file`, without the file's name. */
  plan(chunk: Chunk, from: number, to: number, source: ByteSource, checkCancelled: () => void): ChunkPlan
}

/** Of all page maps that are kept, some 10 MB. The units of a row group come one after the other. */
const MAX_RUNS = 100_000

/** `smallChunk`: bytes up to which a chunk is read as a whole whatever the rows. */
export function createChunkPlanner(smallChunk: number): ChunkPlanner {
  const maps = new Map<Chunk, PageMap | null>()
  let runs = 0
  const pageMap = (chunk: Chunk, source: ByteSource, checkCancelled: () => void): PageMap | null => {
    const known = maps.get(chunk)
    if (known !== undefined) return known
    const map = readOffsetIndex(chunk, source) ?? mapPages(chunk, source, checkCancelled)
    maps.set(chunk, map)
    runs += map?.runs.length ?? 0
    for (const [oldest, each] of maps) {
      if (runs <= MAX_RUNS || oldest === chunk) break
      maps.delete(oldest)
      runs -= each?.runs.length ?? 0
    }
    return map
  }
  return {
    plan(chunk, from, to, source, checkCancelled) {
      if (chunk.length <= smallChunk || to - from === chunk.rows) return wholeChunk(chunk)
      const map = pageMap(chunk, source, checkCancelled)
      return map === null ? wholeChunk(chunk) : pagesOfRows(chunk, map, from, to)
    },
  }
}

function wholeChunk(chunk: Chunk): ChunkPlan {
  return { chunk, ranges: [{ offset: chunk.start, length: chunk.length }], firstRow: 0, endRow: chunk.rows }
}

function pagesOfRows(chunk: Chunk, { runs, dictionary }: PageMap, from: number, to: number): ChunkPlan {
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
    endRow: runs[after]?.firstRow ?? chunk.rows,
  }
}
