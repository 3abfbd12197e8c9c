import { ServiceError } from '../../../../plan/errors.ts'
import { discard } from '../../../store/discard.ts'
import type { ReadContext } from '../../provider.ts'
import type { HeldRanges } from '../../read-ranges.ts'
import type { MiniChunk } from '../decode/mini-file.ts'
import type { ChunkPlan } from '../decode/plan-chunk.ts'
import { createValuesMet } from '../decode/values-met.ts'
import { isWanted, settled, type WantedRows, wantedEnd } from '../decode/wanted-rows.ts'
import type { Chunk } from '../metadata/chunks.ts'
import { checkCodec, isInflated } from '../metadata/codecs.ts'
import { Codec, PageType } from '../metadata/metadata.ts'
import type { Leaf } from '../metadata/schema.ts'
import { pagesOf } from './chunk-pages.ts'
import { inflateDictionaryFront } from './dictionary-front.ts'
import { frontWidth, inflateFront } from './page-front.ts'
import { type Gap, inflatePage, isByDictionary, type Page, rowsOf, valuesOf } from './pages.ts'

/** What the footer says is an estimate; this is what pages may come to in fact. Bytes. */
const MAX_INFLATED_BYTES = 256 << 20

/** Pages without compression, until they are disposed of. */
export interface Inflated extends Disposable {
  /** Throws `memory_limit` when the pages become too many. */
  inflate(page: Page, codec: number): Page
  /** The first rows of a page alone, if that is less work. */
  front(page: Page, chunk: Chunk, rows: WantedRows, begin: number, end: number): Page | null
  /** As much of a dictionary as pages refer to, if that is less work. */
  dictionaryFront(page: Page, pages: readonly (Page | Gap)[], chunk: Chunk): Page | null
}

export function createInflated(): Inflated {
  const bodies: Uint8Array[] = []
  let left = MAX_INFLATED_BYTES
  const makeRoom = ({ header }: Page): void => {
    left -= header.uncompressedSize
    if (left < 0)
      throw new ServiceError('memory_limit', `its pages hold more than ${MAX_INFLATED_BYTES} bytes`)
  }
  const held = (front: Page | null): Page | null => {
    if (front === null) return null
    makeRoom(front)
    bodies.push(front.body)
    return front
  }
  return {
    inflate(page, codec) {
      makeRoom(page)
      const inflated = inflatePage(page, codec)
      if (inflated !== page) bodies.push(inflated.body)
      return inflated
    },
    front(page, chunk, rows, begin, end) {
      const width = frontWidth(page, chunk)
      if (width === null) return null
      return held(inflateFront(page, chunk, width, wantedEnd(rows, begin, end) - begin))
    },
    dictionaryFront: (page, pages, chunk) => held(inflateDictionaryFront(page, pages, chunk)),
    [Symbol.dispose]() {
      for (const body of bodies) discard(body)
    },
  }
}

/** The pages of one chunk, inflated. */
export interface ChunkPages extends MiniChunk {
  /** At which the first of them begins: not behind the first wanted one. */
  readonly firstRow: number
  /** Whether some of the rows are not there. */
  readonly hasGaps: boolean
  /** The row behind the last. */
  readonly endRow: number
}

/** The pages of one chunk that hold wanted rows, as far as their headers tell which they hold, inflated. */
export function collectPages(
  { chunk, rows: planned, stretches }: ChunkPlan,
  stored: HeldRanges,
  inflated: Inflated,
  { stopwatch, checkCancelled }: ReadContext,
): ChunkPages {
  const { leaf, metaData } = chunk
  checkCodec(metaData.codec)
  const held = stretches.map((stretch) => ({ ...stretch, pages: pagesOf(stretch, chunk, stored) }))
  const rows = planned.isKept ? settled(planned, firstRowsOf(held, leaf)) : planned
  const met = rows.areValuesEnough
    ? createValuesMet(
        chunk,
        held.flatMap((stretch) => stretch.pages),
      )
    : null
  const dictionaries: Page[] = []
  const pages: (Page | Gap)[] = []
  let firstRow = rows.from
  /** The row up to which there are pages. */
  let filled = rows.from
  let hasGaps = false
  let isCut = false
  const leaveOut = (to: number): void => {
    if (to <= filled) return
    pages.push({ gap: to - filled })
    hasGaps = true
  }
  const take = (page: Page): Page => {
    checkCancelled()
    return inflated.inflate(page, metaData.codec)
  }
  stopwatch.time('inflate', () => {
    for (const stretch of held) {
      const { endRow } = stretch
      // Row at which the next page begins; null once that is not known.
      let row: number | null = stretch.firstRow
      for (const page of stretch.pages) {
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
          leaveOut(begin)
          if (pages.length === 0) firstRow = begin
        }
        const front = begin !== null && row !== null ? inflated.front(page, chunk, rows, begin, row) : null
        const cutFront = met?.cutFront(page) ?? null
        const whole = cutFront ?? front ?? take(page)
        const cut = cutFront ?? met?.cut(whole) ?? null
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
          `its pages hold rows ${stretch.firstRow} to ${row} and not to ${endRow}`,
        )
    }
  })
  if (!isCut) leaveOut(rows.to)
  // A chunk whose dictionary became too large goes on with plain pages, which do without.
  const needsDictionary = pages.some((page) => !('gap' in page) && isByDictionary(page.header))
  const known = stopwatch.time('inflate', () =>
    needsDictionary
      ? dictionaries.map((page) => inflated.dictionaryFront(page, pages, chunk) ?? take(page))
      : [],
  )
  const codec = isInflated(metaData.codec) ? Codec.uncompressed : metaData.codec
  return { leaf, codec, pages: [...known, ...pages], firstRow, hasGaps, endRow: isCut ? filled : rows.to }
}

/** Of the data pages of a whole chunk, as far as their headers tell. */
function firstRowsOf(
  stretches: readonly { readonly pages: readonly Page[] }[],
  { maxRepetition }: Leaf,
): readonly number[] {
  const firstRows: number[] = []
  let row = 0
  for (const { header } of stretches.flatMap(({ pages }) => pages)) {
    if (header.type === PageType.dictionary) continue
    firstRows.push(row)
    row += rowsOf(header, maxRepetition) ?? 0
  }
  return firstRows
}
