import type { KnownColumn } from '../../../plan/condition/bounds.ts'
import { mayMatch, mustMatch } from '../../../plan/condition/prune.ts'
import type { ScanPlan } from '../../../plan/plan.ts'
import { type FileSummary, segmentsOf } from '../../../plan/source/segments.ts'
import { STEP_ITEMS, type Steps } from '../../../plan/steps.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import { columnsIn, knownInSegment } from '../source/column-in-file.ts'
import type { SummedFiles } from '../source/many/remaining-files.ts'
import { aggregateByStatistics, type KnownAggregate } from '../source/whole/known-aggregate.ts'
import { addGrid } from './grid/known-grid.ts'

type Known = readonly (Scalar | null)[] | null

/**
 * Computes the one row of a grouping without keys from statistics. Null: rows have to be read, because statistics are missing or
 * not exact, or because the filter may pass some rows of a segment and drop others. `summed`: what further files make of the aggregates.
 */
export function* answerByStatistics(
  { scan, finish }: Pick<ScanPlan, 'scan' | 'finish'>,
  summaries: readonly FileSummary[],
  summed: SummedFiles | null = null,
): Steps<Known> {
  const { grouping } = finish
  if (grouping === null || grouping.keys.length > 0) return null
  const aggregates = grouping.aggregates.flatMap((each) => aggregateByStatistics(each, scan.projection) ?? [])
  if (aggregates.length < grouping.aggregates.length) return null
  if (summed !== null && !aggregates.every((each, nth) => each.addValue(summed.values[nth] ?? null)))
    return null
  for (const summary of summaries) {
    const columns = columnsIn(summary, scan)
    if (summary.segments.kind === 'grid') {
      const isKnown = yield* addGrid(summary, summary.segments, scan.filter, columns, aggregates)
      if (!isKnown) return null
    }
    yield
    for (const [segment, { rows }] of segmentsOf(summary.segments).entries()) {
      if (rows === null) return null
      const statisticsOf = (name: string): KnownColumn | null => {
        const column = columns.get(name)
        return column === undefined ? null : knownInSegment(summary, column, segment)
      }
      if (!addRows(scan.filter, aggregates, statisticsOf, rows)) return null
      if (segment % STEP_ITEMS === 0) yield
    }
  }
  return aggregates.map(({ value }) => value())
}

/** Adds the rows of a segment that pass the filter to the aggregates. False: the statistics are not enough. */
function addRows(
  filter: ScanPlan['scan']['filter'],
  aggregates: readonly KnownAggregate[],
  statisticsOf: (name: string) => KnownColumn | null,
  rows: number,
): boolean {
  if (filter !== null && !mayMatch(filter, statisticsOf, rows)) return true
  if (filter !== null && !mustMatch(filter, statisticsOf, rows)) return false
  return aggregates.every(({ column, add }) => add(column === null ? null : statisticsOf(column), rows))
}
