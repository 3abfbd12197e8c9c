import type { ColumnStatistics } from '../../../../plan/source/statistics.ts'
import type { ByteSource } from '../../../store/byte-source.ts'
import type { Chunk } from '../metadata/chunks.ts'
import { readColumnIndex, readOffsetIndex } from '../statistics/page-index.ts'
import { mapPages, type PageMap } from './page-map.ts'

/** The pages of a file's chunks and their statistics. They are cached, because the units of a row group are read in turn. */
export interface PageMaps {
  /** Where the pages of a chunk lie. Null: that cannot be found out. */
  of(chunk: Chunk, source: ByteSource, checkCancelled: () => void): PageMap | null
  /** The statistics of the page index. Null: there is none. */
  statistics(chunk: Chunk, source: ByteSource, checkCancelled: () => void): readonly PageStatistics[] | null
}

/** The statistics of a page: of the rows from its first one to the first of the next page. */
export interface PageStatistics {
  readonly firstRow: number
  readonly rows: number
  readonly statistics: ColumnStatistics
}

/** The most pages that are cached. Each takes some 100 bytes, and its statistics some hundred more. */
const MAX_PAGES = 100_000

export function createPageMaps(): PageMaps {
  const maps = cachedByChunk<PageMap | null>((map) => map?.runs.length ?? 0)
  const statistics = cachedByChunk<readonly PageStatistics[] | null>((pages) => pages?.length ?? 0)
  const mapOf: PageMaps['of'] = (chunk, source, checkCancelled) =>
    maps(chunk, () => readOffsetIndex(chunk, source) ?? mapPages(chunk, source, checkCancelled))
  return {
    of: mapOf,
    statistics: (chunk, source, checkCancelled) =>
      statistics(chunk, () => {
        const pages = chunk.offsetIndex && readColumnIndex(chunk, source)
        const runs = pages && mapOf(chunk, source, checkCancelled)?.runs
        if (!runs || pages.length !== runs.length) return null
        return pages.map(({ isNull, nulls, ...bounds }, i) => {
          const firstRow = runs[i]?.firstRow ?? 0
          const rows = (runs[i + 1]?.firstRow ?? chunk.rows) - firstRow
          const nullCount = isNull && nulls === undefined ? rows : nulls
          // The number of nulls is ignored if it contradicts the rows of the page, or that the page has only nulls.
          const isConsistent = nullCount !== undefined && nullCount <= rows && (!isNull || nullCount === rows)
          return { firstRow, rows, statistics: { ...bounds, ...(isConsistent && { nulls: nullCount }) } }
        })
      }),
  }
}

/** Returns a function that makes a value for a chunk, or has it cached. Beyond `MAX_PAGES` the oldest values are dropped. */
function cachedByChunk<T>(pagesOf: (value: T) => number): (chunk: Chunk, make: () => T) => T {
  const cache = new Map<Chunk, T>()
  let pages = 0
  return (chunk, make) => {
    const cached = cache.get(chunk)
    if (cached !== undefined) return cached
    const value = make()
    cache.set(chunk, value)
    pages += pagesOf(value)
    for (const [oldest, each] of cache) {
      if (pages <= MAX_PAGES || oldest === chunk) break
      cache.delete(oldest)
      pages -= pagesOf(each)
    }
    return value
  }
}
