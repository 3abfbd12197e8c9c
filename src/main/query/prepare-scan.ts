import type { ScanPlan } from '../../plan/plan.ts'
import { columnsOf } from '../../plan/predicate.ts'
import type { QueryContext } from './context.ts'
import type { FilesTable } from './files-table.ts'
import { type CutUnits, cutUnits } from './units.ts'

/** A plan that is one scan, and the units that are left of it after pruning. */
export interface PreparedScan extends CutUnits {
  readonly plan: ScanPlan
}

/** Cuts a plan over a table into units, by statistics of which workers read what is not known yet. */
export async function prepareScan(
  plan: ScanPlan,
  table: FilesTable,
  { summaries, ticket, onAnswer }: Pick<QueryContext, 'summaries' | 'ticket' | 'onAnswer'>,
): Promise<PreparedScan> {
  const { format, files } = table
  const known = await summaries.of(format, files, columnsWithStatistics(plan), ticket, onAnswer)
  return { plan, ...cutUnits(plan, known) }
}

/** Columns of the files whose statistics tell what need not be read: those of the filter. */
function columnsWithStatistics({ scan }: ScanPlan): readonly string[] {
  return scan.filter === null ? [] : columnsOf(scan.filter)
}
