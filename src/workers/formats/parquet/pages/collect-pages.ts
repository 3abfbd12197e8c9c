import { ServiceError } from '../../../../plan/errors.ts'
import { discard } from '../../../store/discard.ts'
import { borrowMemory, returnMemory } from '../../../store/kept-memory.ts'
import type { ReadContext } from '../../provider.ts'
import type { HeldRanges } from '../../read-ranges.ts'
import type { MiniChunk } from '../decode/mini-file.ts'
import type { ChunkPlan } from '../decode/plan-chunk.ts'
import { createSeenValues } from '../decode/seen-values.ts'
import { isWanted, lastWantedRow, type WantedRows, widenToKeep } from '../decode/wanted-rows.ts'
import type { Chunk } from '../metadata/chunks.ts'
import { checkCodec, isInflated } from '../metadata/codecs.ts'
import { Codec, PageType } from '../metadata/metadata.ts'
import type { Leaf } from '../metadata/schema.ts'
import { pagesOf } from './chunk-pages.ts'
import { inflateDictionaryFront } from './dictionary-front.ts'
import { frontWidth, inflateFront } from './page-front.ts'
import { type Gap, inflatePage, isByDictionary, type Page, rowsOf, valuesOf } from './pages.ts'

/** The most bytes that the pages of one read inflate to, in fact: the size in the footer is not to be relied on. */
const MAX_INFLATED_BYTES = 256 << 20

/** Inflates pages. Disposing of it frees all of them. Throws `memory_limit` once they come to more than the most. */
export interface Inflater extends Disposable {
  inflate(page: Page, codec: number): Page
  /** The page of rows `begin`..`end`, only up to its last wanted row. Null: inflating the whole page is as little work. */
  front(page: Page, chunk: Chunk, rows: WantedRows, begin: number, end: number): Page | null
  /** A dictionary page, only as far as `pages` refer to it. Null: inflating the whole page is as little work. */
  dictionaryFront(page: Page, pages: readonly (Page | Gap)[], chunk: Chunk): Page | null
}

export function createInflater(): Inflater {
  const bodies: Uint8Array[] = []
  const borrowed = new Map<ArrayBufferLike, Uint8Array>()
  const allocate = (bytes: number): Uint8Array => {
    const memory = borrowMemory(bytes)
    borrowed.set(memory.buffer, memory)
    return memory
  }
  let remainingBytes = MAX_INFLATED_BYTES
  const reserve = ({ header }: Page): void => {
    remainingBytes -= header.uncompressedSize
    if (remainingBytes < 0)
      throw new ServiceError('memory_limit', `its pages hold more than ${MAX_INFLATED_BYTES} bytes`)
  }
  const held = (front: Page | null): Page | null => {
    if (front === null) return null
    reserve(front)
    bodies.push(front.body)
    return front
  }
  return {
    inflate(page, codec) {
      reserve(page)
      const inflated = inflatePage(page, codec, allocate)
      if (inflated !== page) bodies.push(inflated.body)
      return inflated
    },
    front(page, chunk, rows, begin, end) {
      const width = frontWidth(page, chunk)
      if (width === null) return null
      return held(inflateFront(page, chunk, width, lastWantedRow(rows, begin, end) - begin))
    },
    dictionaryFront: (page, pages, chunk) => held(inflateDictionaryFront(page, pages, chunk)),
    [Symbol.dispose]() {
      for (const body of bodies) if (!borrowed.has(body.buffer)) discard(body)
      for (const memory of borrowed.values()) returnMemory(memory)
      borrowed.clear()
    },
  }
}

/** The pages of a chunk that are to be decoded. */
export interface ChunkPages extends MiniChunk {
  /** The row at which the first of them begins: the first wanted row or one before it. */
  readonly firstRow: number
  /** Whether gaps stand for some of the rows, or some are not decoded. */
  readonly hasGaps: boolean
  /** The row after the last. */
  readonly endRow: number
}

/**
 * Inflates the pages of a chunk that have wanted rows, as far as their headers tell which rows they have. Gaps stand for the
 * others. Throws `unreadable_file` and `memory_limit`; callers add the file's name.
 */
export function collectPages(
  { chunk, rows: planned, ranges }: ChunkPlan,
  stored: HeldRanges,
  inflater: Inflater,
  { stopwatch, checkCancelled }: ReadContext,
): ChunkPages {
  const { leaf, metaData } = chunk
  checkCodec(metaData.codec)
  const read = ranges.map((range) => ({ ...range, pages: pagesOf(range, chunk, stored) }))
  const rows = planned.wouldKeep ? widenToKeep(planned, firstRowsOf(read, leaf)) : planned
  const seen = rows.areValuesEnough
    ? createSeenValues(
        chunk,
        read.flatMap((range) => range.pages),
      )
    : null
  const dictionaries: Page[] = []
  const pages: (Page | Gap)[] = []
  let firstRow = rows.from
  /** The row up to which `pages` has pages or gaps. */
  let filled = rows.from
  let hasGaps = false
  let isCut = false
  const addGap = (to: number): void => {
    if (to <= filled) return
    pages.push({ gap: to - filled })
    hasGaps = true
  }
  const take = (page: Page): Page => {
    checkCancelled()
    return inflater.inflate(page, metaData.codec)
  }
  stopwatch.time('inflate', () => {
    for (const range of read) {
      const { endRow } = range
      // The row at which the next page begins. Null from the first page on whose header does not tell its rows.
      let row: number | null = range.firstRow
      for (const page of range.pages) {
        const { header } = page
        if (header.type === PageType.dictionary) {
          dictionaries.push(page)
          continue
        }
        const count = rowsOf(header, leaf.maxRepetition)
        const begin: number | null = row
        row = begin === null || count === null ? null : begin + count
        if (begin !== null && row !== null && !isWanted(rows, begin, row)) {
          if (row > rows.from && begin < rows.to) stopwatch.count('pagesSkipped')
          continue
        }
        if (begin !== null) {
          addGap(begin)
          if (pages.length === 0) firstRow = begin
        }
        const front = begin !== null && row !== null ? inflater.front(page, chunk, rows, begin, row) : null
        const cutFront = seen?.cutFront(page) ?? null
        const whole = cutFront ?? front ?? take(page)
        const cut = cutFront ?? seen?.cut(whole) ?? null
        pages.push(cut ?? whole)
        const last = cut ?? front
        filled = last && begin !== null ? begin + (valuesOf(last.header) ?? 0) : (row ?? endRow)
        isCut = cut !== null
        if (isCut) break
      }
      if (isCut) break
      if (row !== null && row !== endRow)
        throw new ServiceError(
          'unreadable_file',
          `its pages hold rows ${range.firstRow} to ${row} and not to ${endRow}`,
        )
    }
  })
  if (!isCut) addGap(rows.to)
  // When a dictionary becomes too large, writers go on with plain pages, which need no dictionary.
  const needsDictionary = pages.some((page) => !('gap' in page) && isByDictionary(page.header))
  const dictionaryPages = stopwatch.time('inflate', () =>
    needsDictionary
      ? dictionaries.map((page) => inflater.dictionaryFront(page, pages, chunk) ?? take(page))
      : [],
  )
  const few = rows.selection?.few
  const codec = isInflated(metaData.codec) ? Codec.uncompressed : metaData.codec
  return {
    leaf,
    codec,
    pages: [...dictionaryPages, ...pages],
    firstRow,
    few,
    hasGaps: hasGaps || few !== undefined,
    endRow: isCut ? filled : rows.to,
  }
}

/** The first row of every data page of a whole chunk, as far as their headers tell. */
function firstRowsOf(
  ranges: readonly { readonly pages: readonly Page[] }[],
  { maxRepetition }: Leaf,
): readonly number[] {
  const firstRows: number[] = []
  let row = 0
  for (const { header } of ranges.flatMap(({ pages }) => pages)) {
    if (header.type === PageType.dictionary) continue
    firstRows.push(row)
    row += rowsOf(header, maxRepetition) ?? 0
  }
  return firstRows
}
