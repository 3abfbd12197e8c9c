import { ServiceError } from '../../../plan/errors.ts'
import type { ByteSource } from '../provider.ts'
import type { Chunk } from './chunks.ts'
import { offsetIndex } from './metadata.ts'
import type { PageMap } from './page-map.ts'
import { decode } from './thrift.ts'

/** Some 100 000 pages; a chunk of more is mapped by its page headers. Bytes. */
const MAX_INDEX_BYTES = 8 << 20

/**
 * The chunk's pages as its offset index gives them (PageIndex.md of apache/parquet-format), or null when it has none.
 * Pages there begin on a row. Errors are `unreadable_file`, without the file's name.
 */
export function readOffsetIndex(chunk: Chunk, source: ByteSource): PageMap | null {
  const range = chunk.offsetIndex
  if (range === null || range.length > MAX_INDEX_BYTES) return null
  if (range.offset < 0 || range.length < 0 || range.length > source.size - range.offset)
    throw fault(`claims ${range.length} bytes at ${range.offset} of ${source.size}`)
  const { pages } = decode(offsetIndex, source.read(range.offset, range.length))
  let end = chunk.start
  let lastRow = 0
  for (const [i, { offset, compressedSize, firstRow }] of pages.entries()) {
    if (offset < end || compressedSize <= 0 || compressedSize > chunk.start + chunk.length - offset)
      throw fault(`places page ${i} outside its chunk`)
    // A page without rows begins where the next one does; pyarrow writes some.
    if (firstRow < lastRow || firstRow > chunk.rows || (i === 0 && firstRow !== 0))
      throw fault(`says that page ${i} begins at row ${firstRow}`)
    end = offset + compressedSize
    lastRow = firstRow
  }
  const [first] = pages
  if (first === undefined) return null
  return {
    dictionary:
      first.offset > chunk.start ? { offset: chunk.start, length: first.offset - chunk.start } : null,
    runs: pages.map(({ offset, compressedSize, firstRow }) => ({ offset, length: compressedSize, firstRow })),
  }
}

function fault(what: string): ServiceError {
  return new ServiceError('unreadable_file', `the offset index ${what}`)
}
