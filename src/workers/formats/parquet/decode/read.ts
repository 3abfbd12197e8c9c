import { isServiceError } from '../../../../plan/errors.ts'
import type { Column as CoreColumn } from '../../../../wasm/core/column.ts'
import type { ByteSource } from '../../../store/byte-source.ts'
import { collect } from '../../collect.ts'
import { locateErrors } from '../../error-location.ts'
import type { ColumnSet, ReadContext } from '../../provider.ts'
import { readRanges } from '../../read-ranges.ts'
import { PageType } from '../metadata/metadata.ts'
import type { Column } from '../metadata/schema.ts'
import { type ChunkPages, collectPages, createInflater } from '../pages/collect-pages.ts'
import { decodePages } from './decode.ts'
import type { MiniColumn } from './mini-file.ts'
import type { ChunkPlan } from './plan-chunk.ts'

/** A column, and what to read of each of its leaves. */
export interface ColumnPlan {
  readonly column: Column
  readonly chunks: readonly ChunkPlan[]
}

/**
 * Reads rows `from`..`to`, at least one, of columns of a row group. Columns of more than `together` bytes, inflated by the
 * footer, are read one by one. Throws `unreadable_file` and `memory_limit`; callers add the file's name.
 */
export function readColumns(
  plans: readonly ColumnPlan[],
  from: number,
  to: number,
  together: number,
  source: ByteSource,
  context: ReadContext,
): ColumnSet {
  const bytes = plans.flatMap(({ chunks }) => chunks.map(inflatedBytes)).reduce((sum, each) => sum + each, 0)
  const groups = bytes > together ? plans.map((plan) => [plan]) : [plans]
  let hasGaps = false
  let rows = to - from
  const columns = collect(context.core, (columns) => {
    for (const group of groups) {
      const read = readTogether(group, from, to, source, context)
      columns.push(...read.columns)
      hasGaps ||= read.hasGaps
      rows = read.rows
    }
  })
  return { rows, columns, hasGaps }
}

function readTogether(
  plans: readonly ColumnPlan[],
  from: number,
  to: number,
  source: ByteSource,
  context: ReadContext,
): { readonly rows: number; readonly columns: CoreColumn[]; readonly hasGaps: boolean } {
  const ranges = plans.flatMap(({ chunks }) => chunks.flatMap((chunk) => chunk.ranges))
  using stored = readRanges(source, ranges)
  using inflater = createInflater()
  const aligned = plans.map(({ column, chunks }) =>
    locateErrors(`column "${column.field.name}"`, () =>
      align(
        column,
        chunks.map((plan) => collectPages(plan, stored, inflater, context)),
      ),
    ),
  )
  // Columns whose pages begin at the same row are decoded together. Afterwards they are put back into the order asked for.
  const groups = [...Map.groupBy(aligned, (each) => each.firstRow)]
  const rows = Math.min(to, ...aligned.flatMap(({ chunks }) => chunks.map((chunk) => chunk.endRow))) - from
  const decoded = collect(context.core, (columns) => {
    for (const [firstRow, group] of groups) columns.push(...decode(group, from - firstRow, rows, context))
  })
  const order = groups.flatMap(([, group]) => group)
  return {
    rows,
    columns: aligned.flatMap((each) => decoded[order.indexOf(each)] ?? []),
    hasGaps: aligned.some(({ chunks }) => chunks.some((chunk) => chunk.hasGaps)),
  }
}

interface AlignedColumn extends MiniColumn {
  readonly firstRow: number
  readonly chunks: readonly ChunkPages[]
}

/** Puts gaps before the pages of leaves that begin later than others, so that all begin at the same row. */
function align(column: Column, chunks: readonly ChunkPages[]): AlignedColumn {
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
    return locateErrors(`column "${first.column.field.name}"`, () =>
      decodePages(columns, offset, limit, context),
    )
  try {
    return decodePages(columns, offset, limit, context)
  } catch (error) {
    if (!isServiceError(error) || error.code === 'cancelled') throw error
    // One by one: that takes less memory, and an error names its column.
    return collect(context.core, (decoded) => {
      for (const column of columns) decoded.push(...decode([column], offset, limit, context))
    })
  }
}

/** An estimate of the inflated size of what is read of a chunk. */
function inflatedBytes({ chunk, ranges }: ChunkPlan): number {
  const { uncompressedSize, compressedSize } = chunk.metaData
  const stored = ranges.reduce((sum, range) => sum + range.length, 0)
  return stored * Math.max(1, uncompressedSize / compressedSize)
}
