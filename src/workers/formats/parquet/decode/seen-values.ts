import { inflateZstdFront } from '../../zstd-front.ts'
import type { Chunk } from '../metadata/chunks.ts'
import { isInflated } from '../metadata/codecs.ts'
import { Codec, Encoding, PageType } from '../metadata/metadata.ts'
import { createHybridReader } from '../pages/hybrid-reader.ts'
import { LARGE_PAGE } from '../pages/page-front.ts'
import { checkChecksum, isByDictionary, type Page, valuesOf } from '../pages/pages.ts'
import { inflatePrefix } from '../pages/prefix.ts'
import { splitPage } from '../pages/split-page.ts'
import { columnStatistics } from '../statistics/statistics.ts'
import { unlessDamaged } from '../unless-damaged.ts'
import { flatKind } from './flat-kind.ts'

/** The share of a chunk's rows that is examined at most: examining a row takes about ten times as long as decoding it. */
const EXAMINED_SHARE = 1 / 16

/** How much of a compressed page is inflated at first to examine its rows, in bytes. Of a Zstandard frame it is a block. */
const FRONT_BYTES = 64 << 10

/** Records which values of a chunk have occurred, page by page, to end reading at the row by which all have. */
export interface SeenValues {
  /** As `cut`, of a page whose front alone is inflated for it. Null also: the whole page has to be inflated first. */
  cutFront(page: Page): Page | null
  /** Examines the next page. Returns it cut after the row by which all values have occurred; null: they have not yet. */
  cut(page: Page): Page | null
}

/**
 * Null unless all values of the chunk are in a dictionary, whose entries are the values to see. `pages` has all pages of the
 * chunk.
 */
export function createSeenValues({ leaf, metaData, rows }: Chunk, pages: readonly Page[]): SeenValues | null {
  const { codec } = metaData
  const [dictionary, ...others] = pages
  const entries = dictionary?.header.dictionaryPage?.values
  let unexamined = rows * EXAMINED_SHARE
  if (entries === undefined || entries > unexamined || leaf.maxRepetition > 0 || leaf.maxDefinition > 1)
    return null
  if (flatKind(leaf) === null || !others.every((page) => isFlatByDictionary(page))) return null
  const isOptional = leaf.maxDefinition > 0
  const statistics = isOptional ? unlessDamaged(() => columnStatistics(leaf, metaData)) : null
  const seen = new Uint8Array(entries)
  let isNullSeen = !isOptional || statistics?.nulls === 0
  let unseenValues = entries + (isNullSeen ? 0 : 1)

  /** How many rows of a page are needed until all values have occurred. Null: they have not by its end. */
  const end = (page: Page): number | null => {
    const { levels, values } = splitPage(page, isOptional)
    const level = isOptional ? createHybridReader(levels, 1) : () => 1
    const index = createHybridReader(values.subarray(1), values[0] ?? 0)
    const count = valuesOf(page.header) ?? 0
    for (let row = 1; row <= count && unexamined > 0; row++, unexamined--) {
      const isPresent = level()
      const at = isPresent === 1 ? index() : null
      if (at !== null && seen[at] === 0) {
        seen[at] = 1
        unseenValues--
      } else if (isPresent === 0 && !isNullSeen) {
        isNullSeen = true
        unseenValues--
      } else if (isPresent !== 0 && (at === null || at >= entries)) {
        return null
      }
      if (unseenValues === 0) return row
    }
    return null
  }
  const cutAt = (page: Page, row: number | null): Page | null => {
    const { dataPage, dataPageV2: v2 } = page.header
    if (row === null) return null
    const header = {
      ...page.header,
      ...(dataPage && { dataPage: { ...dataPage, values: row } }),
      ...(v2 && { dataPageV2: { ...v2, values: row, rows: row } }),
    }
    return { ...page, header }
  }
  return {
    cutFront(page) {
      const { header, body } = page
      if (codec !== Codec.zstd || header.uncompressedSize < LARGE_PAGE || !header.dataPage) return null
      checkChecksum(page)
      const front = inflateZstdFront(body, header.uncompressedSize, FRONT_BYTES)
      if (front === null) return null
      const size = front.length
      const first = { header: { ...header, uncompressedSize: size, compressedSize: size }, body: front }
      return cutAt(first, end(first))
    },
    cut(page) {
      const { header, body } = page
      if (codec === Codec.uncompressed || isInflated(codec)) return cutAt(page, end(page))
      const prefix =
        header.dataPage && inflatePrefix(codec, body, Math.min(header.uncompressedSize, FRONT_BYTES))
      return prefix ? cutAt(page, end({ header, body: prefix })) : null
    },
  }
}

/** Whether all values of a data page are indices into the dictionary, and its levels have a known encoding. */
function isFlatByDictionary({ header }: Page): boolean {
  const { type, dataPage, dataPageV2 } = header
  if (type === PageType.dictionary || !isByDictionary(header)) return false
  return dataPage ? dataPage.definitionLevelEncoding === Encoding.rle : dataPageV2?.repetitionLevelBytes === 0
}
