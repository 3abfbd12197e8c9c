import type { KnownColumn } from '../../../../plan/condition/bounds.ts'
import type { Condition } from '../../../../plan/condition/condition.ts'
import { mayMatch } from '../../../../plan/condition/prune.ts'
import { statisticsWidening } from '../../../../plan/condition/widen-statistics.ts'
import type { ColumnStatistics } from '../../../../plan/source/statistics.ts'
import type { IndexRange } from '../../../../plan/source/unit.ts'
import { valueType } from '../../../../plan/types/schema.ts'
import type { ByteSource } from '../../../store/byte-source.ts'
import type { ReadContext } from '../../provider.ts'
import type { ReadLimits } from '../limits.ts'
import type { PageMaps, PageStatistics } from '../pages/page-maps.ts'
import { unlessDamaged } from '../unless-damaged.ts'
import { type FilterColumn, withoutAbsentValues } from './absent-values.ts'
import { columnStatistics } from './statistics.ts'

/**
 * The rows of a range that may make a filter true by the statistics of pages and by bloom filters, as runs counted from the
 * beginning of the range. Null: all of them may. Statistics and filters that are damaged are ignored.
 */
export function possibleRows(
  filter: Condition,
  columns: readonly FilterColumn[],
  range: IndexRange,
  { indexedChunk }: ReadLimits,
  pages: PageMaps,
  source: ByteSource,
  { stopwatch, checkCancelled }: Pick<ReadContext, 'stopwatch' | 'checkCancelled'>,
): readonly IndexRange[] | null {
  const indexed = new Map(
    columns.map(({ chunk }) => {
      const isWorthIt = chunk?.columnIndex && chunk.length > indexedChunk
      const all = isWorthIt && unlessDamaged(() => pages.statistics(chunk, source, checkCancelled))
      return [chunk, all ? pagesIn(range, all) : []]
    }),
  )
  const allPages = [...indexed.values()].flat()
  if (allPages.length === 0 && !columns.some(({ chunk }) => chunk?.bloomFilter)) return null

  // The range is cut wherever a page of any column begins. Each part then lies in a single page of each column.
  const begins = new Set([range.from, ...allPages.map(({ firstRow }) => Math.max(firstRow, range.from))])
  const parts = [...begins].toSorted((a, b) => a - b)
  const partStatistics = new Map(
    columns.map((each) => [each.column.name, knownInParts(each, indexed.get(each.chunk) ?? [], parts)]),
  )
  const match = (condition: Condition): readonly IndexRange[] => {
    const runs: { from: number; to: number }[] = []
    for (const [i, begin] of parts.entries()) {
      if (!mayMatch(condition, (name) => partStatistics.get(name)?.(i) ?? null, ALIKE)) continue
      const [from, to] = [begin - range.from, (parts[i + 1] ?? range.to) - range.from]
      const last = runs.at(-1)
      if (last?.to === from) last.to = to
      else runs.push({ from, to })
    }
    return runs
  }
  const byStatistics = match(filter)
  const narrowed = byStatistics.length === 0 ? filter : withoutAbsentValues(filter, columns, source)
  const runs = narrowed === filter ? byStatistics : match(narrowed)
  if (runs.length === 0) stopwatch.count('pagesSkipped', allPages.length)
  if (runs.length === 0 && byStatistics.length > 0) stopwatch.count('unitsSkippedByBloomFilter')
  const [first] = runs
  return first?.from === 0 && first.to === range.to - range.from ? null : runs
}

/**
 * The number of rows that `mayMatch` gets for a part. Only whether none or all of them are null matters to it, and a part
 * may have fewer rows than the pages that it lies in. So a part counts as one row, which is null or not.
 */
const ALIKE = 1

/** The pages that have rows of the range. */
function pagesIn({ from, to }: IndexRange, pages: readonly PageStatistics[]): readonly PageStatistics[] {
  return pages.filter(({ firstRow, rows }) => rows > 0 && firstRow < to && firstRow + rows > from)
}

/** What statistics tell about a column in each part: those of its page, or without pages those of the whole chunk. */
function knownInParts(
  { column, chunk }: FilterColumn,
  pages: readonly PageStatistics[],
  parts: readonly number[],
): (part: number) => KnownColumn {
  const { type } = column
  if (chunk === null) return () => ({ type, nulls: ALIKE })
  const widen = statisticsWidening(valueType(chunk.leaf.type), valueType(type))
  const knownOf = (statistics: ColumnStatistics | null, rows: number): KnownColumn => {
    const { nulls, ...bounds } = widen(statistics, rows) ?? { type }
    const isAlike = nulls === 0 || nulls === rows
    return { ...bounds, ...(isAlike && { nulls: nulls === 0 ? 0 : ALIKE }) }
  }
  if (pages.length === 0) {
    const whole = knownOf(
      unlessDamaged(() => columnStatistics(chunk.leaf, chunk.metaData)),
      chunk.rows,
    )
    return () => whole
  }
  const ofPages = pages.map(({ statistics, rows }) => knownOf(statistics, rows))
  let page = 0
  const pageOfPart = parts.map((begin) => {
    while ((pages[page + 1]?.firstRow ?? Number.POSITIVE_INFINITY) <= begin) page++
    return page
  })
  return (part) => ofPages[pageOfPart[part] ?? 0] ?? { type }
}
