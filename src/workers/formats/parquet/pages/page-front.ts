import { inflateZstdFront } from '../../zstd-front.ts'
import type { Chunk } from '../metadata/chunks.ts'
import { Codec, Encoding, PhysicalType } from '../metadata/metadata.ts'
import { checkChecksum, type Page } from './pages.ts'

/** The smallest inflated size of a page whose front may be inflated alone, in bytes: two blocks of a Zstandard frame. */
export const LARGE_PAGE = 256 << 10

/** The size of a value by its physical type, in bytes. */
export const WIDTHS = new Map<number | undefined, number>([
  [PhysicalType.int32, 4],
  [PhysicalType.int64, 8],
  [PhysicalType.float, 4],
  [PhysicalType.double, 8],
])

/** The size of a value in a page whose front can be inflated alone, in bytes. Null: the page has to be inflated as a whole. */
export function frontWidth({ header }: Page, { leaf, metaData }: Chunk): number | null {
  const { dataPage, uncompressedSize } = header
  if (metaData.codec !== Codec.zstd || uncompressedSize < LARGE_PAGE) return null
  if (leaf.maxRepetition > 0 || leaf.maxDefinition > 1 || dataPage?.encoding !== Encoding.plain) return null
  if (leaf.maxDefinition > 0 && dataPage.definitionLevelEncoding !== Encoding.rle) return null
  return WIDTHS.get(leaf.element.type) ?? null
}

/**
 * The first `rows` rows of a page as a page without compression. Only its front is inflated. `width` is that of
 * `frontWidth`. Null: this would save no work.
 */
export function inflateFront(page: Page, { leaf }: Chunk, width: number, rows: number): Page | null {
  const { header, body } = page
  const { dataPage, uncompressedSize } = header
  if (dataPage === undefined) return null
  const isOptional = leaf.maxDefinition > 0
  // The most that levels of one bit take in the RLE/bit-packing hybrid: twice their bits, to allow for short runs.
  const mostLevels = isOptional ? 4 + Math.ceil(dataPage.values / 4) : 0
  const wanted = mostLevels + rows * width
  if (wanted >= uncompressedSize) return null
  checkChecksum(page)
  const front = inflateZstdFront(body, uncompressedSize, wanted)
  if (front === null) return null
  // The levels of a V1 page begin with their length. Those of all its rows are kept.
  const levels = isOptional ? 4 + new DataView(front.buffer, front.byteOffset).getUint32(0, true) : 0
  const length = levels + rows * width
  if (length > front.length) return null
  return {
    header: {
      ...header,
      uncompressedSize: length,
      compressedSize: length,
      dataPage: { ...dataPage, values: rows },
    },
    body: front.subarray(0, length),
  }
}
