import { inflateZstdFront } from '../../zstd-front.ts'
import type { Chunk } from '../metadata/chunks.ts'
import { Codec } from '../metadata/metadata.ts'
import { hybridRuns, MOST_BITS, wordAt } from './hybrid-reader.ts'
import { LARGE_PAGE, WIDTHS } from './page-front.ts'
import { checkChecksum, type Gap, isByDictionary, type Page, valuesOf } from './pages.ts'
import { splitPage } from './split-page.ts'

/**
 * As much of a large dictionary of numbers as some pages, inflated, refer to: a chunk of many values has them in the order
 * in which they came. Null: all of it is needed, or that is not less work.
 */
export function inflateDictionaryFront(
  { header, body }: Page,
  pages: readonly (Page | Gap)[],
  { leaf, metaData }: Chunk,
): Page | null {
  const { dictionaryPage, uncompressedSize } = header
  const width = WIDTHS.get(leaf.element.type)
  if (metaData.codec !== Codec.zstd || uncompressedSize < LARGE_PAGE) return null
  if (width === undefined || leaf.maxRepetition > 0 || dictionaryPage === undefined) return null
  const byDictionary = pages.flatMap((page) => ('gap' in page || !isByDictionary(page.header) ? [] : [page]))
  // To look at as many places as there are values would take longer than to inflate the values.
  const places = byDictionary.reduce((sum, page) => sum + (valuesOf(page.header) ?? 0), 0)
  if (places > uncompressedSize / width / 2) return null
  let values = 0
  for (const page of byDictionary) {
    const last = greatestPlace(splitPage(page, leaf.maxDefinition > 0).values, valuesOf(page.header) ?? 0)
    if (last === null || last >= dictionaryPage.values) return null
    values = Math.max(values, last + 1)
  }
  const size = values * width
  checkChecksum({ header, body })
  const front = size < uncompressedSize ? inflateZstdFront(body, uncompressedSize, size) : null
  return (
    front && {
      header: {
        ...header,
        uncompressedSize: size,
        compressedSize: size,
        dictionaryPage: { ...dictionaryPage, values },
      },
      body: front.subarray(0, size),
    }
  )
}

/**
 * The greatest of at most `count` places in the hybrid, after a byte that tells their width. What pads the last of them may
 * make it greater. Null: they are too wide; so many values are no dictionary.
 */
function greatestPlace(bytes: Uint8Array, count: number): number | null {
  const width = bytes[0] ?? 0
  if (width > MOST_BITS) return null
  const places = bytes.subarray(1)
  const mask = 2 ** width - 1
  let greatest = 0
  let left = count
  for (const { values, at, isPacked } of hybridRuns(places, width)) {
    if (left <= 0) break
    const packed = isPacked ? Math.min(values, left, ((places.length - at) * 8) / Math.max(1, width)) : 0
    for (let i = 0; i < packed; i++) {
      const bit = i * width
      greatest = Math.max(greatest, (wordAt(places, at + (bit >> 3)) >>> (bit & 7)) & mask)
    }
    if (!isPacked) greatest = Math.max(greatest, wordAt(places, at) & mask)
    left -= isPacked ? packed : values
  }
  return greatest
}
