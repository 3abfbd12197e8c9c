import {
  BoundaryOrder,
  Codec,
  columnIndex,
  Encoding,
  statistics,
} from '../../formats/parquet/metadata/metadata.ts'
import { encode } from '../../formats/parquet/metadata/thrift.ts'
import type { ParquetBounds, ParquetColumnChunk } from './chunk-summary.ts'
import type { RowGroupChunk } from './row-group.ts'

/** What the end of the file has to say of a chunk of a flat column, which begins `at` bytes after the first one of its run. */
export function flatChunk(chunk: ParquetColumnChunk, at: number): RowGroupChunk {
  const { rows, bytes, plainBytes, dictionaryBytes, codec, pages, textBytes } = chunk
  const index = columnIndexOf(chunk)
  return {
    at,
    bytes,
    plainBytes,
    dictionaryBytes,
    values: rows,
    codec: Codec[codec],
    // Levels are RLE. The values of a dictionary page are plain.
    encodings: [Encoding.plain, Encoding.rle, ...(dictionaryBytes > 0 ? [Encoding.rleDictionary] : [])],
    pages: pages.map((page) => ({
      at: page.at,
      bytes: page.bytes,
      firstRow: page.firstRow,
      ...(page.textBytes !== null && { textBytes: page.textBytes }),
    })),
    statistics: encode(statistics, { nullCount: chunk.nulls, ...boundsOf(chunk.bounds) }),
    ...(index !== null && { columnIndex: index }),
    ...(textBytes !== null && { textBytes }),
  }
}

function boundsOf(bounds: ParquetBounds | null) {
  if (bounds === null) return {}
  return {
    minValue: bounds.least,
    maxValue: bounds.greatest,
    isMinExact: bounds.isLeastExact,
    isMaxExact: bounds.isGreatestExact,
  }
}

/** Null: a page has values of which none has an order, so that there can be no index. */
function columnIndexOf({ pages, order }: ParquetColumnChunk): Uint8Array | null {
  if (pages.some(({ bounds, rows, nulls }) => bounds === null && nulls < rows)) return null
  return encode(columnIndex, {
    nullPages: pages.map(({ bounds }) => bounds === null),
    minValues: pages.map(({ bounds }) => bounds?.least ?? NOTHING),
    maxValues: pages.map(({ bounds }) => bounds?.greatest ?? NOTHING),
    boundaryOrder: BoundaryOrder[order],
    nullCounts: pages.map(({ nulls }) => nulls),
  })
}

/** What stands in the place of the bounds of a page of nulls. */
const NOTHING = new Uint8Array(0)
