import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import type { Column as CoreColumn } from '../../../wasm/column.ts'
import { discard } from '../../discard.ts'
import { collect } from '../collect.ts'
import type { ByteSource, ColumnSet, ReadContext } from '../provider.ts'
import { type HeldRanges, readRanges } from '../read-ranges.ts'
import { within } from '../within.ts'
import { checkCodec, isInflated } from './codecs.ts'
import { decodePages } from './decode.ts'
import { Codec, PageType } from './metadata.ts'
import type { MiniChunk, MiniColumn } from './mini-file.ts'
import { type Gap, inflatePage, type Page, readPages, rowsOf } from './pages.ts'
import type { ChunkPlan } from './plan-chunk.ts'
import type { Column } from './schema.ts'
import { isWanted, type WantedRows } from './wanted-rows.ts'

/** A column and the pages to read of each of its leaves. */
export interface ColumnPlan {
  readonly column: Column
  readonly rows: WantedRows
  readonly chunks: readonly ChunkPlan[]
}

/**
 * Rows `from`..`to`, `from < to`, of some columns of a row group; those of more than `together` bytes (inflated, by the
 * footer) one by one. Errors do not know the file: callers add it.
 */
export function readColumns(
  plans: readonly ColumnPlan[],
  from: number,
  to: number,
  together: number,
  source: ByteSource,
  context: ReadContext,
): Pick<ColumnSet, 'columns' | 'hasGaps'> {
  const bytes = plans.flatMap(({ chunks }) => chunks.map(inflatedBytes)).reduce((sum, each) => sum + each, 0)
  const groups = bytes > together ? plans.map((plan) => [plan]) : [plans]
  let hasGaps = false
  const columns = collect(context.core, (columns) => {
    for (const group of groups) {
      const read = readTogether(group, from, to, source, context)
      columns.push(...read.columns)
      hasGaps ||= read.hasGaps
    }
  })
  return { columns, hasGaps }
}

function readTogether(
  plans: readonly ColumnPlan[],
  from: number,
  to: number,
  source: ByteSource,
  context: ReadContext,
): { readonly columns: CoreColumn[]; readonly hasGaps: boolean } {
  const ranges = plans.flatMap(({ chunks }) => chunks.flatMap((chunk) => chunk.stretches))
  using stored = readRanges(source, ranges)
  using inflated = createInflated()
  const aligned = plans.map(({ column, rows, chunks }) =>
    within(`column "${column.field.name}"`, () =>
      align(
        column,
        chunks.map((plan) => collectPages(plan, rows, stored, inflated, context)),
      ),
    ),
  )
  // Columns whose pages begin at the same row share one file; then they go back to the order asked.
  const groups = [...Map.groupBy(aligned, (each) => each.firstRow)]
  const decoded = collect(context.core, (columns) => {
    for (const [firstRow, group] of groups)
      columns.push(...decode(group, from - firstRow, to - from, context))
  })
  const order = groups.flatMap(([, group]) => group)
  return {
    columns: aligned.flatMap((each) => decoded[order.indexOf(each)] ?? []),
    hasGaps: aligned.some(({ chunks }) => chunks.some((chunk) => chunk.hasGaps)),
  }
}

/** What the footer says is an estimate; this is what pages may come to in fact. Bytes. */
const MAX_INFLATED_BYTES = 256 << 20

/** Pages without compression, until they are disposed of. */
interface Inflated extends Disposable {
  /** Throws `memory_limit` when the pages become too many. */
  inflate(page: Page, codec: number): Page
}

function createInflated(): Inflated {
  const bodies: Uint8Array[] = []
  let left = MAX_INFLATED_BYTES
  return {
    inflate(page, codec) {
      left -= page.header.uncompressedSize
      if (left < 0)
        throw new ServiceError('memory_limit', `its pages hold more than ${MAX_INFLATED_BYTES} bytes`)
      const inflated = inflatePage(page, codec)
      if (inflated !== page) bodies.push(inflated.body)
      return inflated
    },
    [Symbol.dispose]() {
      for (const body of bodies) discard(body)
    },
  }
}

interface AlignedColumn extends MiniColumn {
  readonly firstRow: number
  readonly chunks: readonly AlignedChunk[]
}

interface AlignedChunk extends MiniChunk {
  readonly firstRow: number
  /** Whether some of the rows are not there. */
  readonly hasGaps: boolean
}

/** The pages of one chunk that hold wanted rows, as far as their headers tell which they hold, inflated. */
function collectPages(
  { chunk, stretches }: ChunkPlan,
  rows: WantedRows,
  stored: HeldRanges,
  inflated: Inflated,
  { stopwatch, checkCancelled }: ReadContext,
): AlignedChunk {
  const { leaf, metaData } = chunk
  checkCodec(metaData.codec)
  const dictionaries: Page[] = []
  const pages: (Page | Gap)[] = []
  let firstRow = rows.from
  /** The row up to which there are pages. */
  let filled = rows.from
  let hasGaps = false
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
    for (const stretch of stretches) {
      const { endRow } = stretch
      // Row at which the next page begins; null once that is not known.
      let row: number | null = stretch.firstRow
      for (const page of readPages(stored.of(stretch))) {
        const { header } = page
        if (header.type === PageType.dictionary) {
          dictionaries.push(take(page))
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
        pages.push(take(page))
        filled = row ?? endRow
      }
      if (row !== null && row !== endRow)
        throw new ServiceError(
          'unreadable_file',
          `its pages hold rows ${stretch.firstRow} to ${row} and not to ${endRow}`,
        )
    }
  })
  leaveOut(rows.to)
  const codec = isInflated(metaData.codec) ? Codec.uncompressed : metaData.codec
  return { leaf, codec, pages: [...dictionaries, ...pages], firstRow, hasGaps }
}

/** Makes the pages of all leaves begin at the same row. */
function align(column: Column, chunks: readonly AlignedChunk[]): AlignedColumn {
  const firstRow = Math.min(...chunks.map((chunk) => chunk.firstRow))
  return {
    column,
    firstRow,
    chunks: chunks.map((chunk) => {
      if (chunk.firstRow === firstRow) return chunk
      const data = chunk.pages.findIndex((page) => 'gap' in page || page.header.type !== PageType.dictionary)
      return { ...chunk, pages: chunk.pages.toSpliced(data, 0, { gap: chunk.firstRow - firstRow }) }
    }),
  }
}

function decode(
  columns: readonly MiniColumn[],
  offset: number,
  limit: number,
  context: ReadContext,
): CoreColumn[] {
  context.checkCancelled()
  const [first] = columns
  if (columns.length === 1 && first !== undefined)
    return within(`column "${first.column.field.name}"`, () => decodePages(columns, offset, limit, context))
  try {
    return decodePages(columns, offset, limit, context)
  } catch (error) {
    if (!isServiceError(error) || error.code === 'cancelled') throw error
    // One by one: that takes less memory, or tells which column is at fault.
    return collect(context.core, (decoded) => {
      for (const column of columns) decoded.push(...decode([column], offset, limit, context))
    })
  }
}

/** Estimated. */
function inflatedBytes({ chunk, stretches }: ChunkPlan): number {
  const { uncompressedSize, compressedSize } = chunk.metaData
  const stored = stretches.reduce((sum, range) => sum + range.length, 0)
  return stored * Math.max(1, uncompressedSize / compressedSize)
}
