import { narrowed } from '../../../plan/narrowed.ts'
import type { ScanPlan } from '../../../plan/plan.ts'
import { type Grouping, isRows } from '../../../plan/task/finish.ts'

/**
 * A plan with the same answer that reads no more than is necessary. Rows that are only counted are not sorted, and columns that
 * nothing depends on are not read.
 */
export function reducedPlan(plan: ScanPlan): ScanPlan {
  const { scan, finish } = plan
  const { grouping, isCounted } = finish
  if (isRows(finish)) {
    const { output } = finish
    return { ...plan, scan: narrowed(scan, output), finish: { ...finish, output: indexes(output) } }
  }
  const needed = { ...finish, order: isCounted ? [] : finish.order }
  if (grouping === null ? isCounted : isCount(grouping))
    return { ...plan, scan: narrowed(scan, []), finish: needed }
  if (grouping === null || grouping.having !== null || !isCounted) return { ...plan, finish: needed }
  const { keys } = grouping
  const groups = { keys: indexes(keys), aggregates: [], having: null }
  return { ...plan, scan: narrowed(scan, keys), finish: { ...needed, grouping: groups } }
}

/** Whether a grouping gives the number of all rows, and nothing else. */
export function isCount({ keys, aggregates }: Grouping): boolean {
  return keys.length === 0 && aggregates.every(({ kind }) => kind === 'count_rows')
}

function indexes(items: readonly unknown[]): readonly number[] {
  return items.map((_, index) => index)
}
