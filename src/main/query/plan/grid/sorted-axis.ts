import { firstThat } from '../../../../plan/binary-search.ts'
import { memoize } from '../../../../plan/memoize.ts'
import type { KnownColumn } from '../../../../plan/predicate/bounds.ts'
import { compareScalars } from '../../../../plan/predicate/compare.ts'
import type { Predicate } from '../../../../plan/predicate/predicate.ts'
import { mayMatch, mustMatch } from '../../../../plan/predicate/prune.ts'
import type { Axis } from '../../../../plan/source/grid.ts'
import type { ColumnStatistics } from '../../../../plan/source/statistics.ts'

type Order = 'ascending' | 'descending'

/** The blocks of an axis that a filter leaves, from the first to before the last. */
export interface SortedLeft {
  readonly from: number
  readonly to: number
  /** Whether all rows of these blocks pass. */
  readonly isSure: boolean
}

/** Of fewer blocks the statistics of each are looked at. */
const LEAST_BLOCKS = 16

/**
 * The blocks that `conditions`, all of which a row must pass, leave of an axis whose values ascend or descend, by binary search. Null: its
 * values have no order or are not all known, or a condition does not compare one of them with constants.
 */
export function pruneSorted(
  statistics: Axis['statistics'],
  conditions: readonly Predicate[],
  knownOf: (block: number) => KnownColumn | null,
  rowsOf: (block: number) => number,
): SortedLeft | null {
  if (statistics.length < LEAST_BLOCKS) return null
  const halves = conditions.map(halvesOf)
  const order = orderOf(statistics)
  const first = knownOf(0)
  // What the file has as another kind of values than the scan has no bounds there.
  const isKnown = first?.min !== undefined && first.max !== undefined
  if (order === null || !isKnown || !halves.every((each) => each !== null)) return null
  let from = 0
  let to = statistics.length
  for (const half of halves.flat()) {
    const mayPass = (block: number): boolean => mayMatch(half, () => knownOf(block), rowsOf(block))
    const isFromHere = (half.comparison === 'gt' || half.comparison === 'gt_eq') === (order === 'ascending')
    if (isFromHere) from = Math.max(from, firstThat(0, statistics.length, mayPass))
    else
      to = Math.min(
        to,
        firstThat(0, statistics.length, (block) => !mayPass(block)),
      )
  }
  if (from >= to) return { from: 0, to: 0, isSure: true }
  // What the values of the first and of the last block pass, those between them pass too.
  const isSure = [from, to - 1].every((block) =>
    conditions.every((condition) => mustMatch(condition, () => knownOf(block), rowsOf(block))),
  )
  return { from, to, isSure }
}

type Half = Extract<Predicate, { op: 'compare' }>

/** Comparisons that each leave a beginning or an end of sorted values, and together what the condition leaves. Null: there are none. */
function halvesOf(condition: Predicate): readonly Half[] | null {
  if (condition.op === 'between') {
    const { operand, low, high } = condition
    if (operand.kind !== 'column') return null
    return [
      { op: 'compare', operand, comparison: 'gt_eq', value: low },
      { op: 'compare', operand, comparison: 'lt_eq', value: high },
    ]
  }
  if (condition.op !== 'compare' || condition.operand.kind !== 'column') return null
  if (condition.comparison === 'neq') return null
  if (condition.comparison !== 'eq') return [condition]
  return [
    { ...condition, comparison: 'gt_eq' },
    { ...condition, comparison: 'lt_eq' },
  ]
}

/** The order of the statistics of an axis. Null: they have none. It is computed once for each summary of a file. */
const orderOf = memoize((statistics: Axis['statistics']): Order | null => {
  let before: Bounded | null = null
  let mayAscend = true
  let mayDescend = true
  for (const each of statistics) {
    if (!isBounded(each) || (before !== null && each.min.kind !== before.min.kind)) return null
    if (before !== null) {
      const min = compareScalars(before.min, each.min)
      const max = compareScalars(before.max, each.max)
      mayAscend &&= min <= 0 && max <= 0
      mayDescend &&= min >= 0 && max >= 0
      if (!mayAscend && !mayDescend) return null
    }
    before = each
  }
  return mayAscend ? 'ascending' : 'descending'
})

type Bounded = ColumnStatistics & Required<Pick<ColumnStatistics, 'min' | 'max'>>

/** Whether all values are in known bounds: none of them is null or NaN, which is beyond an exact maximum. */
function isBounded(each: ColumnStatistics | null): each is Bounded {
  return (
    each?.min !== undefined &&
    each.max !== undefined &&
    each.nulls === 0 &&
    each.isMaxExact === true &&
    each.min.kind === each.max.kind &&
    !isNaNValue(each.min) &&
    !isNaNValue(each.max) &&
    compareScalars(each.min, each.max) <= 0
  )
}

function isNaNValue(scalar: Bounded['min']): boolean {
  return scalar.kind === 'float' && Number.isNaN(scalar.value)
}
