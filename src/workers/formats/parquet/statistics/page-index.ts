import { ServiceError } from '../../../../plan/errors.ts'
import type { ColumnStatistics } from '../../../../plan/source/statistics.ts'
import type { ByteSource } from '../../../store/byte-source.ts'
import { locatingErrors } from '../../error-location.ts'
import type { Range } from '../../read-ranges.ts'
import type { Chunk } from '../metadata/chunks.ts'
import { columnIndex, offsetIndex } from '../metadata/metadata.ts'
import { type Codec, decode } from '../metadata/thrift.ts'
import type { PageMap } from '../pages/page-map.ts'
import { boundsOf } from './statistics.ts'

/**
 * The page index (PageIndex.md of apache/parquet-format): where the data pages of a chunk lie, and their statistics.
 * Errors are `unreadable_file`, without the file's name.
 */

/** Some 100 000 pages. Bytes. */
const MAX_INDEX_BYTES = 8 << 20

/** The chunk's pages, each of which begins on a row, or null when it has no offset index or one beyond the limit. */
export function readOffsetIndex(chunk: Chunk, source: ByteSource): PageMap | null {
  return locatingErrors('the offset index', () => {
    const pages = read(chunk.offsetIndex, offsetIndex, source)?.pages
    const first = pages?.[0]
    if (pages === undefined || first === undefined) return null
    let end = chunk.start
    let lastRow = 0
    for (const [i, { offset, compressedSize, firstRow }] of pages.entries()) {
      if (offset < end || compressedSize <= 0 || compressedSize > chunk.start + chunk.length - offset)
        throw fault(`page ${i} lies outside its chunk`)
      // A page without rows begins where the next one does; pyarrow writes some.
      if (firstRow < lastRow || firstRow > chunk.rows || (i === 0 && firstRow !== 0))
        throw fault(`page ${i} begins at row ${firstRow}`)
      end = offset + compressedSize
      lastRow = firstRow
    }
    return {
      dictionary:
        first.offset > chunk.start ? { offset: chunk.start, length: first.offset - chunk.start } : null,
      runs: pages.map(({ offset, compressedSize, firstRow }) => ({
        offset,
        length: compressedSize,
        firstRow,
      })),
    }
  })
}

/** Statistics of a data page, as far as they can be relied on, and whether it is said to hold nulls alone. */
export interface IndexedPage extends ColumnStatistics {
  readonly isNull: boolean
}

/** The data pages of a chunk; null when there is no column index. */
export function readColumnIndex(chunk: Chunk, source: ByteSource): readonly IndexedPage[] | null {
  return locatingErrors('the column index', () => {
    const index = read(chunk.columnIndex, columnIndex, source)
    if (index === null) return null
    const { nullPages, minValues, maxValues, nullCounts } = index
    const pages = nullPages.length
    if (
      minValues.length !== pages ||
      maxValues.length !== pages ||
      (nullCounts && nullCounts.length !== pages)
    )
      throw fault('its lists are of different lengths')
    return nullPages.map((isNull, i): IndexedPage => {
      const nulls = nullCounts?.[i]
      // The bounds of a page of nulls are placeholders.
      const bounds = isNull ? null : boundsOf(chunk.leaf, minValues[i], maxValues[i])
      return { isNull, ...bounds, ...(nulls !== undefined && nulls >= 0 && { nulls }) }
    })
  })
}

function read<T>(range: Range | null, codec: Codec<T>, source: ByteSource): T | null {
  if (range === null || range.length > MAX_INDEX_BYTES) return null
  if (range.offset < 0 || range.length < 0 || range.length > source.size - range.offset)
    throw fault(`${range.length} bytes at ${range.offset} of ${source.size}`)
  return decode(codec, source.read(range.offset, range.length))
}

function fault(what: string): ServiceError {
  return new ServiceError('unreadable_file', what)
}
