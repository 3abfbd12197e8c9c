import { withProjection } from '../../../plan/narrowed.ts'
import type { ScanPlan } from '../../../plan/plan.ts'
import { columnsNamed, columnsRead, withoutRowsOf } from '../../../plan/scan.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'
import { NO_UNITS, rowsInAll, type UnitSpace } from '../../../plan/source/unit-space.ts'
import { runInSlices, type Steps } from '../../../plan/steps.ts'
import { argumentsOf, isRows } from '../../../plan/task/finish.ts'
import { type Fragment, ROWS } from '../../../plan/task/fragment.ts'
import { rowWidth } from '../../../plan/types/row-width.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import type { Schema } from '../../../plan/types/schema.ts'
import type { RelayedBatch } from '../../remotes/remote-client.ts'
import { type FilesTable, list } from '../source/files-table.ts'
import type { AskedSums, SummedFiles } from '../source/many/remaining-files.ts'
import type { QueryContext } from '../source/query-context.ts'
import type { WantedOfRemote } from '../source/remote/list-remote.ts'
import { groupedThere } from '../source/remote/remote-groups.ts'
import { aggregateByStatistics, aggregateOfColumn } from '../source/whole/known-aggregate.ts'
import { batchesOf, batchLimits } from './batches.ts'
import { withColumnMetadata } from './column-metadata.ts'
import { aggregatesOf, tellAggregatedRows } from './grid/aggregated-rows.ts'
import { answerByStatistics } from './known-answer.ts'
import { isCount, reducedPlan } from './reduced-plan.ts'
import { rowBatches } from './row-batches.ts'
import { withShortDecimals } from './short-decimals.ts'
import { type LateRows, planLateRows } from './top/late-rows.ts'
import { sortKeys } from './top/sort-keys.ts'
import { planTopUnits, type TopUnits } from './top/top-units.ts'
import { type Batches, type BatchLimits, inOrder, oneByOne } from './unit-sequence.ts'
import { type CutUnits, cutInSteps } from './units.ts'

/** A plan for the core, and the units that are left of it after pruning. */
export interface PreparedScan extends CutUnits {
  /** Whether the statement asks for the time, so that its answer is another one later. Absent: it does not. */
  readonly asksClock?: true
  /** The plan that EXPLAIN prints. */
  readonly plan: ScanPlan
  /** The plan that runs: without columns and orders that do not change the answer. */
  readonly reduced: ScanPlan
  /** What a task makes of the rows of its units. */
  readonly fragment: Fragment
  /** The units of each task. */
  readonly batches: Batches
  /**
   * The units of a plan for the first rows in an order, else null. It changes while the plan runs, so a prepared scan runs only
   * once.
   */
  readonly top: TopUnits | null
  /** The rows of an answer that another service makes whole. Absent: rows are read here. */
  readonly relay?: Relay
  /** How the first rows of groups are read in two steps. Null: they are read in one, or the plan asks for none. */
  readonly late: LateRows | null
  /** The row of a grouping without keys, if statistics give it. Null: units have to be read. */
  readonly statisticsRow: readonly (Scalar | null)[] | null
}

/** The rows of an answer that another service makes, as they come. They are read once. */
export interface Relay {
  /** The columns of the answer. */
  readonly schema: Schema
  readonly batches: AsyncGenerator<RelayedBatch, void>
  /** What has come by now. */
  readonly received: { rows: number; bytes: number }
  /** Prepares a scan of all rows of some batches, which are the bytes of a stream. */
  prepareBatches(bytes: readonly ArrayBuffer[]): Promise<PreparedScan>
}

type Listing = Pick<QueryContext, 'summaries' | 'ticket' | 'onAnswer' | 'onObjects'> &
  Partial<Pick<QueryContext, 'onNotice' | 'areRowsRead' | 'areRemotesAsked'>>

/**
 * Lists the files of a table, has workers read statistics that are not known, and cuts the plan into units. `batch` limits what
 * a task reads; without it, that follows from the columns.
 */
export async function prepareScan(
  written: ScanPlan,
  unlisted: FilesTable,
  context: Listing,
  batch?: BatchLimits,
): Promise<PreparedScan> {
  const narrowed = reducedPlan(written)
  const there = groupedThere(narrowed, unlisted)
  const isThere = there !== null && typeof there !== 'string'
  const scan: ListedScan = isThere
    ? { bound: there.plan, reduced: there.plan, table: there.table, groups: there.wanted }
    : { bound: written, reduced: narrowed, table: unlisted, groups: there }
  const { prepared, isSummed, dropSums } = await listAndPrepare(scan, sumsOf(scan.reduced), context, batch)
  if (!isSummed || prepared.statisticsRow !== null) return prepared
  // Rows of other files have to be read, and so those of all.
  dropSums()
  return (await listAndPrepare(scan, null, context, batch)).prepared
}

/** A plan, also without columns that nothing asks for, the table that it reads, and what that shall group. */
interface ListedScan {
  readonly bound: ScanPlan
  readonly reduced: ScanPlan
  readonly table: FilesTable
  readonly groups: WantedOfRemote['groups']
}

/** With sums, files of which these are known are not among those that are listed. */
async function listAndPrepare(
  { bound, reduced, table, groups }: ListedScan,
  sums: AskedSums | null,
  context: Listing,
  batch: BatchLimits | undefined,
): Promise<{ readonly prepared: PreparedScan; readonly isSummed: boolean; dropSums(): void }> {
  const statistics = table.format.layout === 'text' ? [] : columnsWithStatistics(reduced)
  const wanted = { statistics, columns: columnsNamed(reduced.scan), ...firstRowsOf(reduced), groups, sums }
  const listed = await list(table, bound.scan.filter, wanted, context)
  const { files, summaries, foldersLeftOut, filesPruned, filesConsidered, remote, summed = null } = listed
  const isWhole =
    files === bound.files &&
    foldersLeftOut === undefined &&
    filesConsidered === undefined &&
    remote === undefined
  const plan = isWhole
    ? bound
    : Object.freeze({
        ...bound,
        files,
        ...(foldersLeftOut !== undefined && { foldersLeftOut }),
        ...(filesPruned !== undefined && { filesPruned }),
        ...(filesConsidered !== undefined && { filesConsidered }),
        ...(summed !== null && { filesSummed: summed.files }),
        ...(remote !== undefined && { remote }),
      })
  const preparation = runInSlices(prepareInSteps(plan, table, summaries, summed, batch))
  const prepared = preparation instanceof Promise ? await preparation : preparation
  const { onNotice } = context
  if (prepared.plan.grids !== undefined && wanted.columns.length > 0 && onNotice !== undefined)
    await tellAggregatedRows(aggregatesOf(plan), prepared.plan, table.summaries[0], { ...context, onNotice })
  return { prepared, isSummed: summed !== null, dropSums: listed.dropSums ?? (() => undefined) }
}

/** The aggregates of a plan, if statistics may tell all of them. */
function sumsOf({ scan, finish: { grouping } }: ScanPlan): AskedSums | null {
  if (grouping === null || grouping.keys.length > 0) return null
  const aggregates = grouping.aggregates.flatMap((each) => aggregateOfColumn(each, scan.projection) ?? [])
  if (aggregates.length < grouping.aggregates.length) return null
  return { aggregates, columns: scan.columns, named: columnsNamed(scan) }
}

/** How many rows the plan keeps, and of which order the first ones, as far as that is one of columns. */
function firstRowsOf({ scan, finish, offset, limit }: ScanPlan): Pick<WantedOfRemote, 'limit' | 'order'> {
  const most = offset + limit
  if (isRows(finish)) return { limit: most, order: [] }
  const { grouping, firsts, isCounted } = finish
  if (grouping !== null || firsts !== undefined || isCounted || !Number.isFinite(most)) return EVERY_ROW
  const order = finish.order.flatMap(({ column, ...key }) => {
    const expression = scan.projection[column]?.expression
    return expression?.kind === 'column' ? [{ ...key, column: expression.column }] : []
  })
  return order.length < finish.order.length ? EVERY_ROW : { limit: most, order }
}

const EVERY_ROW = Object.freeze({ limit: Number.POSITIVE_INFINITY, order: Object.freeze([]) })

/** The plan of an answer of which a client wants so many rows at most. Absent: all of them. */
export function limitedTo(plan: ScanPlan, mostRows: number | undefined): ScanPlan {
  return mostRows === undefined || mostRows >= plan.limit ? plan : Object.freeze({ ...plan, limit: mostRows })
}

function* prepareInSteps(
  bound: ScanPlan,
  table: FilesTable,
  summaries: readonly FileSummary[],
  summed: SummedFiles | null,
  batch: BatchLimits | undefined,
): Steps<PreparedScan> {
  const plan = yield* withColumnMetadata(
    bound,
    table,
    summed === null ? summaries : [...summaries, ...schemasOf(summed, table)],
  )
  const filtered = reducedPlan(plan)
  const fragment = fragmentOf(filtered)
  const statisticsRow = yield* answerByStatistics(filtered, summaries, summed)
  const isStreamed = fragment.kind === 'rows'
  const isCounted = fragment.kind === 'count'
  const asked = { ...filtered, ...(isStreamed ? {} : ALL) }
  const cut = yield* cutInSteps(asked, summaries, { isStreamed, isCounted })
  const tested = cut.isAllPassing ? withoutFilter(filtered) : filtered
  const reduced = withShortDecimals({ ...tested, scan: withoutRowsOf(tested.scan) })
  const units = statisticsRow === null ? cut.units : NO_UNITS
  const reducedFragment = fragment.kind === 'top' ? ofRows(fragment, units, reduced) : fragment
  const isTop = reducedFragment.kind === 'top' && Number.isFinite(reducedFragment.limit)
  const keyOf = sortKeys(reduced, summaries)
  const top = isTop
    ? yield* planTopUnits({ scan: reduced.scan, fragment: reducedFragment, units, keyOf })
    : null
  const batches = yield* batchesFor(fragment, units, summaries, reduced, batch)
  return {
    ...cut,
    plan: cut.grids.length === 0 ? plan : Object.freeze({ ...plan, grids: cut.grids }),
    reduced,
    fragment: reducedFragment,
    statisticsRow,
    units,
    counted: cut.counted + (summed !== null && isCounted ? summed.rows : 0),
    pruned: cut.pruned + cut.units.count - units.count + (top?.pruned ?? 0),
    batches,
    top,
    late: yield* planLateRows(reduced, units, summaries, batches.count <= 1, batch),
  }
}

/** The columns of files that are summed. Those of folders are no columns of theirs. */
function schemasOf(
  { schemas }: SummedFiles,
  { unlisted }: FilesTable,
): readonly Pick<FileSummary, 'schema' | 'constants'>[] {
  const constants = Object.fromEntries((unlisted?.partitions ?? []).map(({ name }) => [name, null]))
  return schemas.map((schema) => ({ schema, constants }))
}

/**
 * The units of each task. Several are read together if the answer has only their groups or their number, or if they are small files. For the first rows in
 * an order each unit is a task of its own, because it may turn out not to be needed.
 */
function* batchesFor(
  { kind }: Fragment,
  units: UnitSpace,
  summaries: readonly FileSummary[],
  plan: ScanPlan,
  batch: BatchLimits | undefined,
): Steps<Batches> {
  if (kind === 'rows') return yield* rowBatches(units, summaries, plan)
  if (kind === 'top' || units.count === 1) return oneByOne(inOrder(units))
  return yield* batchesOf(units, summaries, batch ?? (yield* batchLimits(plan.scan, summaries)))
}

/** The plan without its filter, which all rows of its units pass. The columns that only the filter compares are not read. */
function withoutFilter(plan: ScanPlan): ScanPlan {
  const { scan } = plan
  return scan.filter === null
    ? plan
    : { ...plan, scan: withProjection({ ...scan, filter: null }, scan.projection) }
}

const ALL = Object.freeze({ offset: 0, limit: Number.POSITIVE_INFINITY })

/** What workers make of the rows of a unit. */
function fragmentOf({ finish, offset, limit }: ScanPlan): Fragment {
  const { grouping, firsts, order, isCounted } = finish
  if (isRows(finish)) return ROWS
  if (firsts !== undefined) return { kind: 'firsts', firsts: { ...firsts, isNumbered: false } }
  if (grouping !== null) {
    return isCount(grouping)
      ? { kind: 'count' }
      : { kind: 'groups', grouping: { keys: grouping.keys, aggregates: grouping.aggregates, having: null } }
  }
  return isCounted ? { kind: 'count' } : { kind: 'top', order, limit: offset + limit }
}

/**
 * The order without a limit, if the limit is not less than the number of rows, or leaves so many that each task and the merges would
 * hold more than they should. All rows are sorted then, in a file if need be, and offset and limit cut the result.
 */
function ofRows(
  top: Extract<Fragment, { kind: 'top' }>,
  units: UnitSpace,
  { scan }: ScanPlan,
): Extract<Fragment, { kind: 'top' }> {
  const rowBytes = scan.projection.reduce((sum, { field }) => sum + rowWidth(field.type), 0)
  const isFew = top.limit < rowsInAll(units) && top.limit * rowBytes <= FIRST_ROWS_BYTES
  return isFew ? top : { ...top, limit: Number.POSITIVE_INFINITY }
}

/** The most bytes of the first rows in an order that each task looks for. */
const FIRST_ROWS_BYTES = 64 << 20

/**
 * The columns whose statistics can tell which units need not be read: those of the filter, and of the first sort key or of the
 * aggregates.
 */
function columnsWithStatistics({ scan, finish }: ScanPlan): readonly string[] {
  const { grouping, order } = finish
  const indexes =
    grouping === null
      ? order.slice(0, 1).map(({ column }) => column)
      : grouping.aggregates.flatMap(argumentsOf)
  // If statistics cannot give one of the aggregates, they need not give any.
  const isAsked =
    grouping === null ||
    (grouping.keys.length === 0 &&
      grouping.aggregates.every((each) => aggregateByStatistics(each, scan.projection) !== null))
  const projected = indexes.flatMap((index) => {
    const output = scan.projection[index]
    return isAsked && output !== undefined ? [output] : []
  })
  return columnsRead({ filter: scan.filter, projection: projected })
}
