import { narrow, withProjection } from '../../../../plan/narrowed.ts'
import type { ScanPlan } from '../../../../plan/plan.ts'
import type { ScanSpec } from '../../../../plan/scan.ts'
import type { FileSummary } from '../../../../plan/source/segments.ts'
import { rowsInAll, type UnitSpace } from '../../../../plan/source/unit-space.ts'
import type { Steps } from '../../../../plan/steps.ts'
import { columnsOfFirsts, type FirstRows, type SortKey } from '../../../../plan/task/finish.ts'
import { MOST_PLACED_TASKS } from '../../../../plan/task/places.ts'
import { batchesOf, batchLimits } from '../batches.ts'
import type { Batches, BatchLimits } from '../unit-sequence.ts'

/**
 * How the first rows of groups are read in two steps: first the columns by which they are found, of all units, and then the others, of the
 * rows of the answer alone.
 */
export interface LateRows {
  /** The scan of the first step. */
  readonly scan: ScanSpec
  /** The first rows of each group, over the projection of this scan. */
  readonly firsts: FirstRows
  /** Of these rows, the first `limit` in this order are read. */
  readonly order: readonly SortKey[]
  readonly limit: number
  /** The units of each task of the first step. */
  readonly batches: Batches
  /** The scan of the second step, which filters nothing. */
  readonly rows: ScanSpec
}

/**
 * The two steps of a plan for the first rows of groups. Null: one step is better, because no column can be read late, or one task reads
 * everything; or the number of rows of a unit is not known before it is read, so that they have no places.
 */
export function* planLateRows(
  plan: ScanPlan,
  units: UnitSpace,
  summaries: readonly FileSummary[],
  isOneTask: boolean,
  limits: BatchLimits | undefined,
): Steps<LateRows | null> {
  const { scan, finish } = plan
  if (finish.firsts === undefined || isOneTask || !Number.isFinite(rowsInAll(units))) return null
  const asked = columnsOfFirsts(finish.firsts)
  const first = narrow(scan, asked)
  const rows = withProjection({ ...scan, filter: null }, scan.projection)
  if (rows.columns.every((late) => first.columns.some(({ name }) => name === late.name))) return null
  const batches = yield* batchesOf(units, summaries, limits ?? (yield* batchLimits(first, summaries)))
  if (batches.count > MOST_PLACED_TASKS) return null
  const moved = ({ column, ...key }: SortKey): SortKey => ({ ...key, column: asked.indexOf(column) })
  const { keys, order, most, isNumbered } = finish.firsts
  const firsts = {
    keys: keys.map((key) => asked.indexOf(key)),
    order: order.map(moved),
    most,
    isNumbered: false,
  }
  // A row that the limit leaves out must not change the number of another one.
  const isCut =
    !finish.isCounted &&
    (most === 1 || !isNumbered) &&
    finish.order.every(({ column }) => asked.includes(column))
  const cut = finish.outer ?? plan
  const end = isCut
    ? { order: finish.order.map(moved), limit: cut.offset + cut.limit }
    : { order: [], limit: Number.POSITIVE_INFINITY }
  return { scan: first, firsts, ...end, batches, rows }
}
