import type { ColumnStatistics } from '../../../../plan/source/statistics.ts'
import type { ByteSource } from '../../../store/byte-source.ts'
import { locateErrors } from '../../error-location.ts'
import { fault } from '../../fault.ts'
import type { Range } from '../../read-ranges.ts'
import type { Chunk } from '../metadata/chunks.ts'
import { columnIndex, offsetIndex } from '../metadata/metadata.ts'
import { type Codec, decode } from '../metadata/thrift.ts'
import type { PageMap } from '../pages/page-map.ts'
import { boundsOf } from './statistics.ts'

/**
 * Reads the page index of a chunk (PageIndex.md of apache/parquet-format): the offset index has the places of its data pages, the
 * column index has their statistics. Throws `unreadable_file`; callers add the file's name.
 */

/** The largest offset or column index that is read, in bytes: one of some 100 000 pages. */
const MAX_INDEX_BYTES = 8 << 20

/** The pages of a chunk. Each begins on a row. Null: it has no offset index, or too large a one. */
export function readOffsetIndex(chunk: Chunk, source: ByteSource): PageMap | null {
  return locateErrors('the offset index', () => {
    const pages = read(chunk.offsetIndex, offsetIndex, source)?.pages
    const first = pages?.[0]
    if (pages === undefined || first === undefined) return null
    let end = chunk.start
    let lastRow = 0
    for (const [i, { offset, compressedSize, firstRow }] of pages.entries()) {
      if (offset < end || compressedSize <= 0 || compressedSize > chunk.start + chunk.length - offset)
        throw fault(`page ${i} lies outside its chunk`)
      // A page may have no rows, and then begins at the same row as the next one. pyarrow writes such pages.
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

/** The statistics of a data page that can be relied on. */
export interface IndexedPage extends ColumnStatistics {
  /** Whether the column index says that the page has only nulls. */
  readonly isNull: boolean
}

/** The statistics of each data page of a chunk. Null: it has no column index, or too large a one. */
export function readColumnIndex(chunk: Chunk, source: ByteSource): readonly IndexedPage[] | null {
  return locateErrors('the column index', () => {
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
      // A page of nulls has no bounds: what stands in their place is a placeholder.
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
