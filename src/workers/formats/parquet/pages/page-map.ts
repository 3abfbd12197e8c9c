import type { ByteSource } from '../../../store/byte-source.ts'
import { fault } from '../../fault.ts'
import type { Range } from '../../read-ranges.ts'
import type { Chunk } from '../metadata/chunks.ts'
import { PageType } from '../metadata/metadata.ts'
import { countRecords } from './levels.ts'
import { type Page, readPageHeader, rowsOf } from './pages.ts'

/** Where the pages of a chunk lie, and which rows they have. */
export interface PageMap {
  /** The dictionary page. Null: there is none. */
  readonly dictionary: Range | null
  /** Ascending. The first begins at row 0. */
  readonly runs: readonly PageRun[]
}

/** Adjoining pages, mostly one, that have whole rows. */
interface PageRun extends Range {
  readonly firstRow: number
}

/** How many bytes are read at least to find a page header in them. It has about 30 bytes, with statistics some hundred. */
const HEADER_BYTES = 4 << 10

/** The largest page header that is read. Its statistics may have two long texts. */
const MAX_HEADER_BYTES = 4 << 20

/**
 * Finds the pages of a chunk without an offset index by reading their headers. The header of a V1 data page of a nested column
 * does not tell how many rows begin in it, so its levels are read too. Null: these cannot be read (levels.ts). Throws
 * `unreadable_file`; callers add the file's name.
 */
export function mapPages(chunk: Chunk, source: ByteSource, checkCancelled: () => void): PageMap | null {
  const { leaf, metaData } = chunk
  let end = chunk.start + chunk.length
  const runs: (PageRun & { length: number })[] = []
  let dictionary: Range | null = null
  let row = 0
  let window: { readonly offset: number; readonly bytes: Uint8Array } = {
    offset: 0,
    bytes: new Uint8Array(0),
  }
  for (let at = chunk.start; at < chunk.start + chunk.length || (at < end && row < chunk.rows); ) {
    checkCancelled()
    const inWindow = at - window.offset
    if (inWindow < 0 || inWindow + HEADER_BYTES > window.bytes.length)
      window = { offset: at, bytes: source.read(at, Math.min(2 * HEADER_BYTES, end - at)) }
    const { header, headerBytes } = readHeaderAt(window.bytes.subarray(at - window.offset), at, end, source)
    const length = headerBytes + header.compressedSize
    if (length > end - at) throw fault(`a page of ${length} bytes leaves its chunk`)
    if (header.type === PageType.dictionary) {
      dictionary = { offset: at, length }
      end = chunk.start + chunk.length + chunk.uncounted
    } else if (header.type !== PageType.index) {
      const headerRows = rowsOf(header, leaf.maxRepetition)
      let records = { count: headerRows ?? 0, startsOnRecord: true }
      if (headerRows === null) {
        const page: Page = { header, body: source.read(at + headerBytes, header.compressedSize) }
        const counted = countRecords(page, metaData.codec, leaf.maxRepetition)
        if (counted === null) return null
        records = counted
      }
      const last = runs.at(-1)
      if (records.startsOnRecord || last === undefined) runs.push({ offset: at, length, firstRow: row })
      else last.length = at + length - last.offset
      row += records.count
    }
    at += length
  }
  if (row !== chunk.rows) throw fault(`the pages hold ${row} rows of ${chunk.rows}`)
  return { dictionary, runs }
}

function readHeaderAt(
  held: Uint8Array,
  at: number,
  end: number,
  source: ByteSource,
): ReturnType<typeof readPageHeader> {
  for (let bytes = held; ; bytes = source.read(at, Math.min(bytes.length * 16, end - at))) {
    try {
      return readPageHeader(bytes)
    } catch (error) {
      if (bytes.length >= Math.min(MAX_HEADER_BYTES, end - at)) throw error
    }
  }
}
