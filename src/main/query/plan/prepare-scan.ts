import { columnIn } from '../../../plan/expression.ts'
import type { ScanPlan } from '../../../plan/plan.ts'
import type { KnownColumn } from '../../../plan/predicate/bounds.ts'
import { columnsRead } from '../../../plan/scan.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'
import type { Unit } from '../../../plan/source/unit.ts'
import { NO_UNITS, rowsInAll, type UnitSpace } from '../../../plan/source/unit-space.ts'
import { isRows } from '../../../plan/task/finish.ts'
import { type Fragment, ROWS } from '../../../plan/task/fragment.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import { columnsIn } from '../source/column-in-file.ts'
import { type FilesTable, listed } from '../source/files-table.ts'
import type { QueryContext } from '../source/query-context.ts'
import { type BatchLimits, batchesOf, batchLimits } from './batches.ts'
import { knownAnswer } from './known-answer.ts'
import { isCount, reducedPlan } from './reduced-plan.ts'
import { type Batches, inOrder, NO_BATCHES, oneByOne } from './unit-sequence.ts'
import { type CutUnits, cutUnits } from './units.ts'

/** A plan that is one scan, and the units that are left of it after pruning. */
export interface PreparedScan extends CutUnits {
  readonly plan: ScanPlan
  /** What is run of it. */
  readonly reduced: ScanPlan
  /** What is made of the units of a task. */
  readonly fragment: Fragment
  /** The units that one task reads; of a plan whose rows go out as they are read, none. */
  readonly batches: Batches
  /** Of a plan with an order, what statistics say of its first key where a unit lies. */
  keyOf(unit: Unit): SegmentKey
  /** The row of a grouping without keys that statistics give; null: units have to be read. */
  readonly known: readonly (Scalar | null)[] | null
}

/** A sort key in one segment. */
export interface SegmentKey {
  readonly known: KnownColumn | null
  /** Of the segment; null: not known. */
  readonly rows: number | null
}

const UNKNOWN: SegmentKey = Object.freeze({ known: null, rows: null })

/** Cuts a plan over a table into units, by statistics of which workers read what is not known yet. `batch`: what a task reads. */
export async function prepareScan(
  bound: ScanPlan,
  table: FilesTable,
  context: Pick<QueryContext, 'summaries' | 'ticket' | 'onAnswer' | 'onObjects'>,
  batch?: BatchLimits,
): Promise<PreparedScan> {
  const wanted = table.format.layout === 'text' ? [] : columnsWithStatistics(reducedPlan(bound))
  const { files, summaries: found } = await listed(table, bound.scan.filter, wanted, context)
  const plan = files === bound.files ? bound : Object.freeze({ ...bound, files })
  const reduced = reducedPlan(plan)
  const fragment = fragmentOf(reduced)
  const known = knownAnswer(reduced, found)
  const isStreamed = fragment.kind === 'rows'
  const isCounted = fragment.kind === 'count'
  const cut = cutUnits({ ...reduced, ...(isStreamed ? {} : ALL) }, found, { isStreamed, isCounted })
  const units = known === null ? cut.units : NO_UNITS
  return {
    ...cut,
    plan,
    reduced,
    fragment: fragment.kind === 'top' ? ofRows(fragment, units) : fragment,
    known,
    units,
    pruned: cut.pruned + cut.units.count - units.count,
    batches: batchesFor(fragment, units, () =>
      batchesOf(units, found, batch ?? batchLimits(reduced.scan, found)),
    ),
    keyOf: keysOf(reduced, found),
  }
}

/** Units are read together where only what they come to goes out; of an order each is asked for only if it is needed. */
function batchesFor({ kind }: Fragment, units: UnitSpace, together: () => Batches): Batches {
  if (kind === 'rows') return NO_BATCHES
  return kind === 'top' || units.count === 1 ? oneByOne(inOrder(units)) : together()
}

const ALL = Object.freeze({ offset: 0, limit: Number.POSITIVE_INFINITY })

/** What is made of each unit. */
function fragmentOf({ finish, offset, limit }: ScanPlan): Fragment {
  const { grouping, order, isCounted } = finish
  if (isRows(finish)) return ROWS
  if (grouping !== null) {
    return isCount(grouping) ? { kind: 'count' } : { kind: 'groups', grouping: { ...grouping, having: null } }
  }
  return isCounted ? { kind: 'count' } : { kind: 'top', order, limit: offset + limit }
}

/** As many rows as there can be are all rows. */
function ofRows(top: Extract<Fragment, { kind: 'top' }>, units: UnitSpace): Fragment {
  return top.limit < rowsInAll(units) ? top : { ...top, limit: Number.POSITIVE_INFINITY }
}

/** Columns of the files whose statistics tell what need not be read: of the filter, of the first sort key, of aggregates. */
function columnsWithStatistics({ scan, finish }: ScanPlan): readonly string[] {
  const { grouping, order } = finish
  const places =
    grouping === null
      ? order.slice(0, 1).map(({ column }) => column)
      : grouping.aggregates.flatMap((each) => (each.kind === 'count_rows' ? [] : [each.argument]))
  const isAsked = grouping === null || grouping.keys.length === 0
  const projected = places.flatMap((place) => {
    const output = scan.projection[place]
    return isAsked && output !== undefined ? [output] : []
  })
  return columnsRead({ filter: scan.filter, projection: projected })
}

function keysOf({ scan, finish }: ScanPlan, summaries: readonly FileSummary[]): PreparedScan['keyOf'] {
  const [first] = finish.order
  if (finish.grouping !== null || finish.isCounted || first === undefined) return () => UNKNOWN
  const output = scan.projection[first.column]
  const column = output === undefined ? null : columnIn(output.expression)
  const columns = scan.columns.filter(({ name }) => name === column)
  const inFiles = summaries.map((summary) => columnsIn(summary, { columns }).get(column ?? ''))
  return (unit) => {
    if (unit.kind === 'box') return UNKNOWN
    const { file, segment } = unit
    return {
      known: inFiles[file]?.known(segment) ?? null,
      rows: summaries[file]?.segments[segment]?.rows ?? null,
    }
  }
}
