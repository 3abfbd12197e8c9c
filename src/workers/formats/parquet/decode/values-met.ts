import { inflateZstdFront } from '../../zstd-front.ts'
import type { Chunk } from '../metadata/chunks.ts'
import { isInflated } from '../metadata/codecs.ts'
import { Codec, Encoding, PageType } from '../metadata/metadata.ts'
import { createHybridReader } from '../pages/hybrid-reader.ts'
import { LARGE_PAGE } from '../pages/page-front.ts'
import { checkChecksum, isByDictionary, type Page, valuesOf } from '../pages/pages.ts'
import { inflatePrefix } from '../pages/prefix.ts'
import { splitPage } from '../pages/split-page.ts'
import { reliable } from '../reliable.ts'
import { columnStatistics } from '../statistics/statistics.ts'
import { flatKind } from './flat-kind.ts'

/** Of a chunk's rows, until it is given up: to look at a row takes about ten times as long as to decode it. */
const LOOKED_AT_SHARE = 1 / 16

/** Of a page that is inflated for these rows alone: a block of a frame. Bytes. */
const FRONT_BYTES = 64 << 10

/** Which values of a chunk have been met on the way through its pages. */
export interface ValuesMet {
  /** The next page from its stored form, cut as by `cut`; null: it has to be inflated as a whole first. */
  cutFront(page: Page): Page | null
  /** The next page, inflated if that is done here, up to the row by which all values have been met; null: they have not. */
  cut(page: Page): Page | null
}

/**
 * For a chunk whose values are all in a dictionary, so that it can be told when no other will come; null: it cannot.
 * `pages` are all of the chunk.
 */
export function createValuesMet({ leaf, metaData, rows }: Chunk, pages: readonly Page[]): ValuesMet | null {
  const { codec } = metaData
  const [dictionary, ...others] = pages
  const entries = dictionary?.header.dictionaryPage?.values
  let unseen = rows * LOOKED_AT_SHARE
  if (entries === undefined || entries > unseen || leaf.maxRepetition > 0 || leaf.maxDefinition > 1)
    return null
  if (flatKind(leaf) === null || !others.every((page) => isFlatByDictionary(page))) return null
  const isOptional = leaf.maxDefinition > 0
  const known = isOptional ? reliable(() => columnStatistics(leaf, metaData)) : null
  const met = new Uint8Array(entries)
  let isNullMet = !isOptional || known?.nulls === 0
  let left = entries + (isNullMet ? 0 : 1)

  /** The row behind the one by which all have been met. */
  const end = (page: Page): number | null => {
    const { levels, values } = splitPage(page, isOptional)
    const level = isOptional ? createHybridReader(levels, 1) : () => 1
    const place = createHybridReader(values.subarray(1), values[0] ?? 0)
    const count = valuesOf(page.header) ?? 0
    for (let row = 1; row <= count && unseen > 0; row++, unseen--) {
      const isPresent = level()
      const at = isPresent === 1 ? place() : null
      if (at !== null && met[at] === 0) {
        met[at] = 1
        left--
      } else if (isPresent === 0 && !isNullMet) {
        isNullMet = true
        left--
      } else if (isPresent !== 0 && (at === null || at >= entries)) {
        return null
      }
      if (left === 0) return row
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

/** Whether all values of a data page are places in the dictionary, and its levels are known. */
function isFlatByDictionary({ header }: Page): boolean {
  const { type, dataPage, dataPageV2 } = header
  if (type === PageType.dictionary || !isByDictionary(header)) return false
  return dataPage ? dataPage.definitionLevelEncoding === Encoding.rle : dataPageV2?.repetitionLevelBytes === 0
}
