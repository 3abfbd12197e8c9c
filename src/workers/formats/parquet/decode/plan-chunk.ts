import type { ByteSource } from '../../../store/byte-source.ts'
import type { Stopwatch } from '../../../store/stopwatch.ts'
import type { ReadContext } from '../../provider.ts'
import type { Range } from '../../read-ranges.ts'
import type { ReadLimits } from '../limits.ts'
import type { Chunk } from '../metadata/chunks.ts'
import type { PageMap } from '../pages/page-map.ts'
import type { PageMaps } from '../pages/page-maps.ts'
import { reliable } from '../reliable.ts'
import { isWanted, settled, type WantedRows } from './wanted-rows.ts'

/** The bytes of a chunk that hold some rows: whole pages, the dictionary first. */
export interface ChunkPlan {
  readonly chunk: Chunk
  /** Of a chunk that is read as a whole not settled yet. */
  readonly rows: WantedRows
  /** Ascending. Nobody looks at the rows between two of them. */
  readonly stretches: readonly Stretch[]
}

/** Pages that lie together, and the rows that they hold; a dictionary alone holds none. */
export interface Stretch extends Range {
  readonly firstRow: number
  /** The row behind the last. */
  readonly endRow: number
}

/** Plans what to read of a chunk. Errors are `unreadable_file`, without the file's name. */
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
  // An offset index is small and one read; without one each page has to be visited.
  const isIndexed = rows.selection !== null && chunk.offsetIndex !== null && chunk.length > indexedChunk
  const find = (): PageMap | null => pages.of(chunk, source, checkCancelled)
  const map = isWhole || (isSmall && !isIndexed) ? null : isSmall ? reliable(find) : find()
  if (map === null) return { chunk, rows, stretches: [wholeChunk(chunk)] }
  const wanted = settled(
    rows,
    map.runs.map((run) => run.firstRow),
  )
  return { chunk, rows: wanted, stretches: stretchesOf(chunk, map, wanted, stopwatch) }
}

function wholeChunk({ start, length, rows }: Chunk): Stretch {
  return { offset: start, length, firstRow: 0, endRow: rows }
}

function stretchesOf(
  chunk: Chunk,
  { runs, dictionary }: PageMap,
  rows: WantedRows,
  stopwatch: Stopwatch,
): readonly Stretch[] {
  const stretches: Stretch[] = []
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
    const last = stretches.at(-1)
    if (last?.endRow === firstRow && last.offset + last.length === offset)
      stretches[stretches.length - 1] = { ...last, length: last.length + length, endRow }
    else stretches.push({ offset, length, firstRow, endRow })
  }
  if (dictionary === null || stretches.length === 0) return stretches
  return [{ ...dictionary, firstRow: 0, endRow: 0 }, ...stretches]
}
