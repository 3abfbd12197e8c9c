import type { ByteSource } from '../../../store/byte-source.ts'
import type { Stopwatch } from '../../../store/stopwatch.ts'
import type { ReadContext } from '../../provider.ts'
import type { Range } from '../../read-ranges.ts'
import type { ReadLimits } from '../limits.ts'
import type { Chunk } from '../metadata/chunks.ts'
import type { PageMap } from '../pages/page-map.ts'
import type { PageMaps } from '../pages/page-maps.ts'
import { unlessDamaged } from '../unless-damaged.ts'
import { isWanted, type WantedRows, widenToKeep } from './wanted-rows.ts'

/** What to read of a chunk for the wanted rows. */
export interface ChunkPlan {
  readonly chunk: Chunk
  /** If the chunk is read as a whole, `widenToKeep` is still to be applied: its pages are not known yet. */
  readonly rows: WantedRows
  /** Ascending, the dictionary first. Rows between two of them are not wanted. */
  readonly ranges: readonly PageRange[]
}

/** The bytes of adjoining pages, and the rows that they have. A dictionary page by itself has none. */
interface PageRange extends Range {
  readonly firstRow: number
  /** The row after the last. */
  readonly endRow: number
}

/** Plans what to read of a chunk. Throws `unreadable_file`; callers add the file's name. */
export function planChunk(
  chunk: Chunk,
  rows: WantedRows,
  { smallChunk, indexedChunk }: ReadLimits,
  pages: PageMaps,
  source: ByteSource,
  { stopwatch, checkCancelled }: Pick<ReadContext, 'stopwatch' | 'checkCancelled'>,
): ChunkPlan {
  const isWhole = rows.selection === null && rows.to - rows.from === chunk.rows
  const isSmall = chunk.length <= smallChunk
  // An offset index takes one small read. Without it every page header has to be read to find the pages.
  const isIndexed = rows.selection !== null && chunk.offsetIndex !== null && chunk.length > indexedChunk
  const find = (): PageMap | null => pages.of(chunk, source, checkCancelled)
  const map = isWhole || (isSmall && !isIndexed) ? null : isSmall ? unlessDamaged(find) : find()
  if (map === null) return { chunk, rows, ranges: [wholeChunk(chunk)] }
  const wanted = widenToKeep(
    rows,
    map.runs.map((run) => run.firstRow),
  )
  return { chunk, rows: wanted, ranges: rangesOf(chunk, map, wanted, stopwatch) }
}

function wholeChunk({ start, length, rows }: Chunk): PageRange {
  return { offset: start, length, firstRow: 0, endRow: rows }
}

/** The ranges of the pages that have wanted rows. */
function rangesOf(
  chunk: Chunk,
  { runs, dictionary }: PageMap,
  rows: WantedRows,
  stopwatch: Stopwatch,
): readonly PageRange[] {
  const ranges: PageRange[] = []
  const first = runs.findLastIndex((run) => run.firstRow <= rows.from)
  for (let i = Math.max(0, first); i < runs.length; i++) {
    const run = runs[i]
    if (run === undefined || run.firstRow >= rows.to) break
    const { offset, length, firstRow } = run
    const endRow = runs[i + 1]?.firstRow ?? chunk.rows
    if (!isWanted(rows, firstRow, endRow)) {
      stopwatch.count('pagesSkipped')
      stopwatch.count('bytesSkipped', length)
      continue
    }
    const last = ranges.at(-1)
    if (last?.endRow === firstRow && last.offset + last.length === offset)
      ranges[ranges.length - 1] = { ...last, length: last.length + length, endRow }
    else ranges.push({ offset, length, firstRow, endRow })
  }
  if (dictionary === null || ranges.length === 0) return ranges
  return [{ ...dictionary, firstRow: 0, endRow: 0 }, ...ranges]
}
