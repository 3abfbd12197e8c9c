import { inflateZstdFront } from '../../zstd-front.ts'
import type { Chunk } from '../metadata/chunks.ts'
import { Codec } from '../metadata/metadata.ts'
import { hybridRuns, MAX_BITS, wordAt } from './hybrid-reader.ts'
import { LARGE_PAGE, WIDTHS } from './page-front.ts'
import { checkChecksum, type Gap, isByDictionary, type Page, valuesOf } from './pages.ts'
import { splitPage } from './split-page.ts'

/**
 * Inflates a large dictionary of numbers only as far as some pages refer to it. Its values are in the order of their first
 * rows, so the first pages need only its front. `pages` are inflated. Null: all of it is needed, or this would save no work.
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
  // Reading as many indices as the dictionary has values would take longer than inflating the values.
  const indices = byDictionary.reduce((sum, page) => sum + (valuesOf(page.header) ?? 0), 0)
  if (indices > uncompressedSize / width / 2) return null
  let values = 0
  for (const page of byDictionary) {
    const last = greatestIndex(splitPage(page, leaf.maxDefinition > 0).values, valuesOf(page.header) ?? 0)
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
 * The greatest of the first `count` dictionary indices of a page. `bytes` has their width, and then the indices in the
 * RLE/bit-packing hybrid. It may be too great: values that pad a packed run are counted. Null: the indices are too wide to be
 * those of a real dictionary.
 */
function greatestIndex(bytes: Uint8Array, count: number): number | null {
  const width = bytes[0] ?? 0
  if (width > MAX_BITS) return null
  const indices = bytes.subarray(1)
  const mask = 2 ** width - 1
  let greatest = 0
  let remainingValues = count
  for (const { values, at, isPacked } of hybridRuns(indices, width)) {
    if (remainingValues <= 0) break
    const packed = isPacked
      ? Math.min(values, remainingValues, ((indices.length - at) * 8) / Math.max(1, width))
      : 0
    for (let i = 0; i < packed; i++) {
      const bit = i * width
      greatest = Math.max(greatest, (wordAt(indices, at + (bit >> 3)) >>> (bit & 7)) & mask)
    }
    if (!isPacked) greatest = Math.max(greatest, wordAt(indices, at) & mask)
    remainingValues -= isPacked ? packed : values
  }
  return greatest
}
