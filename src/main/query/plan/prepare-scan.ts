import type { ScanPlan } from '../../../plan/plan.ts'
import { columnsRead } from '../../../plan/scan.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'
import { NO_UNITS, rowsInAll, type UnitSpace } from '../../../plan/source/unit-space.ts'
import { runInSlices, type Steps } from '../../../plan/steps.ts'
import { isRows } from '../../../plan/task/finish.ts'
import { type Fragment, ROWS } from '../../../plan/task/fragment.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import { type FilesTable, listed } from '../source/files-table.ts'
import type { QueryContext } from '../source/query-context.ts'
import { batchesOf, batchLimits } from './batches.ts'
import { knowing } from './known-answer.ts'
import { isCount, reducedPlan } from './reduced-plan.ts'
import { sortKeys } from './sort-keys.ts'
import { type TopUnits, toppingUnits } from './top-units.ts'
import { type Batches, type BatchLimits, inOrder, NO_BATCHES, oneByOne } from './unit-sequence.ts'
import { type CutUnits, cutting } from './units.ts'

/** A plan for the core, and the units that are left of it after pruning. */
export interface PreparedScan extends CutUnits {
  /** The plan that EXPLAIN prints. */
  readonly plan: ScanPlan
  /** The plan that runs: without columns and orders that do not change the answer. */
  readonly reduced: ScanPlan
  /** What a task makes of the rows of its units. */
  readonly fragment: Fragment
  /** The units of each task. There are none if the plan's rows are the answer as they are read. */
  readonly batches: Batches
  /**
   * The units of a plan for the first rows in an order, else null. It changes while the plan runs, so a prepared scan runs only
   * once.
   */
  readonly top: TopUnits | null
  /** The row of a grouping without keys, if statistics give it. Null: units have to be read. */
  readonly known: readonly (Scalar | null)[] | null
}

/**
 * Lists the files of a table, has workers read statistics that are not known, and cuts the plan into units. `batch` limits what
 * a task reads; without it, that follows from the columns.
 */
export async function prepareScan(
  bound: ScanPlan,
  table: FilesTable,
  context: Pick<QueryContext, 'summaries' | 'ticket' | 'onAnswer' | 'onObjects'>,
  batch?: BatchLimits,
): Promise<PreparedScan> {
  const reduced = reducedPlan(bound)
  const statistics = table.format.layout === 'text' ? [] : columnsWithStatistics(reduced)
  const columns = reduced.scan.columns.map(({ name }) => name)
  const { files, summaries } = await listed(table, bound.scan.filter, { statistics, columns }, context)
  const plan = files === bound.files ? bound : Object.freeze({ ...bound, files })
  const prepared = runInSlices(preparing(plan, summaries, batch))
  return prepared instanceof Promise ? await prepared : prepared
}

function* preparing(
  plan: ScanPlan,
  summaries: readonly FileSummary[],
  batch: BatchLimits | undefined,
): Steps<PreparedScan> {
  const reduced = reducedPlan(plan)
  const fragment = fragmentOf(reduced)
  const known = yield* knowing(reduced, summaries)
  const isStreamed = fragment.kind === 'rows'
  const isCounted = fragment.kind === 'count'
  const asked = { ...reduced, ...(isStreamed ? {} : ALL) }
  const cut = yield* cutting(asked, summaries, { isStreamed, isCounted })
  const units = known === null ? cut.units : NO_UNITS
  const made = fragment.kind === 'top' ? ofRows(fragment, units) : fragment
  const isTop = made.kind === 'top' && Number.isFinite(made.limit)
  const keyOf = sortKeys(reduced, summaries)
  const top = isTop ? yield* toppingUnits({ scan: reduced.scan, fragment: made, units, keyOf }) : null
  return {
    ...cut,
    plan: cut.grids.length === 0 ? plan : Object.freeze({ ...plan, grids: cut.grids }),
    reduced,
    fragment: made,
    known,
    units,
    pruned: cut.pruned + cut.units.count - units.count + (top?.pruned ?? 0),
    batches: yield* batchesFor(fragment, units, summaries, reduced, batch),
    top,
  }
}

/**
 * The units of each task. Several are read together if the answer has only their groups or their number. For the first rows in
 * an order each unit is a task of its own, because it may turn out not to be needed.
 */
function* batchesFor(
  { kind }: Fragment,
  units: UnitSpace,
  summaries: readonly FileSummary[],
  { scan }: ScanPlan,
  batch: BatchLimits | undefined,
): Steps<Batches> {
  if (kind === 'rows') return NO_BATCHES
  if (kind === 'top' || units.count === 1) return oneByOne(inOrder(units))
  return yield* batchesOf(units, summaries, batch ?? (yield* batchLimits(scan, summaries)))
}

const ALL = Object.freeze({ offset: 0, limit: Number.POSITIVE_INFINITY })

/** What workers make of the rows of a unit. */
function fragmentOf({ finish, offset, limit }: ScanPlan): Fragment {
  const { grouping, order, isCounted } = finish
  if (isRows(finish)) return ROWS
  if (grouping !== null) {
    return isCount(grouping) ? { kind: 'count' } : { kind: 'groups', grouping: { ...grouping, having: null } }
  }
  return isCounted ? { kind: 'count' } : { kind: 'top', order, limit: offset + limit }
}

/** The order without a limit, if the limit is not less than the number of rows. */
function ofRows(top: Extract<Fragment, { kind: 'top' }>, units: UnitSpace): Fragment {
  return top.limit < rowsInAll(units) ? top : { ...top, limit: Number.POSITIVE_INFINITY }
}

/**
 * The columns whose statistics can tell which units need not be read: those of the filter, and of the first sort key or of the
 * aggregates.
 */
function columnsWithStatistics({ scan, finish }: ScanPlan): readonly string[] {
  const { grouping, order } = finish
  const indexes =
    grouping === null
      ? order.slice(0, 1).map(({ column }) => column)
      : grouping.aggregates.flatMap((each) => (each.kind === 'count_rows' ? [] : [each.argument]))
  const isAsked = grouping === null || grouping.keys.length === 0
  const projected = indexes.flatMap((index) => {
    const output = scan.projection[index]
    return isAsked && output !== undefined ? [output] : []
  })
  return columnsRead({ filter: scan.filter, projection: projected })
}
