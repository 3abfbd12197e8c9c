import { columnNameOf } from '../../../../plan/expression.ts'
import type { ScanPlan } from '../../../../plan/plan.ts'
import type { SourceScan } from '../../../../plan/scan.ts'
import { elementsOf } from '../../../../plan/source/grid.ts'
import type { ScannedGrid } from '../../../../plan/source/scanned-grid.ts'
import type { FileSummary } from '../../../../plan/source/segments.ts'
import type { Aggregate } from '../../../../plan/task/finish.ts'
import { printAggregate } from '../../explain/print-aggregate.ts'
import { printExpression } from '../../explain/print-expression.ts'
import type { QueryContext } from '../../source/query-context.ts'

/** A scan with what is read of its grids. */
type Scanned = Pick<SourceScan, 'scan' | 'files' | 'grids'>

type Telling = Pick<QueryContext, 'summaries' | 'ticket' | 'onAnswer' | 'onNotice'>

/** The most aggregates that a notice names. */
const MOST_NAMED = 3

/**
 * Tells that aggregates are over fewer rows than the grid of their file has, because the rows are those of the named columns. `what` are the
 * aggregates, as a subject. It follows from the plan alone. `first` is the summary of all columns of the first file, if the table was
 * opened with it.
 */
export async function tellAggregatedRows(
  what: readonly string[],
  { scan: { format }, files, grids = [] }: Scanned,
  first: FileSummary | undefined,
  { summaries, ticket, onAnswer, onNotice }: Telling,
): Promise<void> {
  const [file] = files
  const [grid] = grids
  if (what.length === 0 || file === undefined || grid === undefined) return
  const wanted = { statistics: [], columns: [] }
  const whole = first ?? (await summaries.of(format, [file], wanted, ticket, onAnswer)).summaries[0]
  if (whole?.segments.kind !== 'grid' || elementsOf(whole.segments) <= elementsIn(grid)) return
  const rows = grids.length < files.length ? null : grids.reduce((sum, each) => sum + elementsIn(each), 0)
  const all = whole.segments.axes.map(({ name, dimension }) => name ?? String(dimension))
  const named = what.length > MOST_NAMED ? [...what.slice(0, MOST_NAMED), '…'] : what
  onNotice(
    `${named.join(', ')} ${what.length === 1 ? 'is' : 'are'} over the ${printRows(rows)} of ` +
      `(${grid.axes.map(({ name }) => name).join(', ')}), not over the grid (${all.join(', ')})`,
  )
}

/** The aggregates of a plan for the core, as SQL writes them. None: it has rows, or those that differ. */
export function aggregatesOf({ scan: { projection }, finish }: ScanPlan): readonly string[] {
  const { grouping, isCounted } = finish
  // The first row of each group is a row.
  const computed = grouping?.aggregates.filter(({ kind }) => kind !== 'first') ?? []
  const nameOf = (index: number): string => {
    const argument = projection[index]
    return argument === undefined
      ? ''
      : (columnNameOf(argument.expression) ?? printExpression(argument.expression))
  }
  const print = (aggregate: Aggregate): string => printAggregate(aggregate, nameOf)
  const all = computed.length === 0 && isCounted && grouping === null ? ['count(*)'] : computed.map(print)
  return [...new Set(all)]
}

function elementsIn({ axes }: ScannedGrid): number {
  return elementsOf({ shape: axes.map(({ size }) => size) })
}

function printRows(rows: number | null): string {
  if (rows === null) return 'rows'
  return rows === 1 ? '1 row' : `${rows} rows`
}
