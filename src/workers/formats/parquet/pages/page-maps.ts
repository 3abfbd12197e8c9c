import type { ColumnStatistics } from '../../../../plan/source/statistics.ts'
import type { ByteSource } from '../../../store/byte-source.ts'
import type { Chunk } from '../metadata/chunks.ts'
import { readColumnIndex, readOffsetIndex } from '../statistics/page-index.ts'
import { mapPages, type PageMap } from './page-map.ts'

/** What is known of the pages of one file, kept for the units to come: those of a row group come one after the other. */
export interface PageMaps {
  /** Where they lie; null: in this chunk that cannot be told. */
  of(chunk: Chunk, source: ByteSource, checkCancelled: () => void): PageMap | null
  /** What the page index says of their values; null: there is none. */
  statistics(chunk: Chunk, source: ByteSource, checkCancelled: () => void): readonly PageStatistics[] | null
}

/** Of the rows from the page's first to that of the next. Bounds as in `ColumnStatistics`. */
export interface PageStatistics {
  readonly firstRow: number
  readonly rows: number
  readonly statistics: ColumnStatistics
}

/** Pages of which something is kept: each some 100 bytes, with statistics some hundred more. */
const MAX_PAGES = 100_000

export function createPageMaps(): PageMaps {
  const maps = keeping<PageMap | null>((map) => map?.runs.length ?? 0)
  const statistics = keeping<readonly PageStatistics[] | null>((pages) => pages?.length ?? 0)
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
          const known = isNull && nulls === undefined ? rows : nulls
          // A page that is said to be of nulls and to have values besides says nothing.
          const isConsistent = known !== undefined && known <= rows && (!isNull || known === rows)
          return { firstRow, rows, statistics: { ...bounds, ...(isConsistent && { nulls: known }) } }
        })
      }),
  }
}

/** Keeps what was made of chunks; beyond `MAX_PAGES` what was made first is forgotten. */
function keeping<T>(pagesOf: (value: T) => number): (chunk: Chunk, make: () => T) => T {
  const kept = new Map<Chunk, T>()
  let pages = 0
  return (chunk, make) => {
    const known = kept.get(chunk)
    if (known !== undefined) return known
    const made = make()
    kept.set(chunk, made)
    pages += pagesOf(made)
    for (const [oldest, each] of kept) {
      if (pages <= MAX_PAGES || oldest === chunk) break
      kept.delete(oldest)
      pages -= pagesOf(each)
    }
    return made
  }
}
