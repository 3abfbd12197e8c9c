import { firstThat } from '../../../../plan/binary-search.ts'
import type { KnownColumn } from '../../../../plan/condition/bounds.ts'
import { compareScalars } from '../../../../plan/condition/compare.ts'
import { type Condition, compare } from '../../../../plan/condition/condition.ts'
import { mayMatch, mustMatch } from '../../../../plan/condition/prune.ts'
import { testOf } from '../../../../plan/condition/test.ts'
import { memoize } from '../../../../plan/memoize.ts'
import type { Axis } from '../../../../plan/source/grid.ts'
import type { ColumnStatistics } from '../../../../plan/source/statistics.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'

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
  conditions: readonly Condition[],
  knownOf: (block: number) => KnownColumn | null,
  rowsOf: (block: number) => number,
): SortedLeft | null {
  if (statistics.length < LEAST_BLOCKS) return null
  const order = orderOf(statistics)
  return order && leftInOrder(order, statistics.length, conditions, knownOf, rowsOf)
}

/** The same of `count` blocks whose order is known, and none of whose values is null or NaN. */
export function leftInOrder(
  order: Order,
  count: number,
  conditions: readonly Condition[],
  knownOf: (block: number) => KnownColumn | null,
  rowsOf: (block: number) => number,
): SortedLeft | null {
  const halves = conditions.map(halvesOf)
  const first = knownOf(0)
  // What the file has as another kind of values than the scan has no bounds there.
  const isKnown = first?.min !== undefined && first.max !== undefined
  if (!isKnown || !halves.every((each) => each !== null)) return null
  let from = 0
  let to = count
  for (const { condition, isFromLeast } of halves.flat()) {
    const mayPass = (block: number): boolean => mayMatch(condition, () => knownOf(block), rowsOf(block))
    const isFromHere = isFromLeast === (order === 'ascending')
    if (isFromHere) from = Math.max(from, firstThat(0, count, mayPass))
    else
      to = Math.min(
        to,
        firstThat(0, count, (block) => !mayPass(block)),
      )
  }
  if (from >= to) return { from: 0, to: 0, isSure: true }
  // What the values of the first and of the last block pass, those between them pass too.
  const isSure = [from, to - 1].every((block) =>
    conditions.every((condition) => mustMatch(condition, () => knownOf(block), rowsOf(block))),
  )
  return { from, to, isSure }
}

/** A comparison that leaves a beginning or an end of sorted values. */
interface Half {
  readonly condition: Condition
  /** Whether it leaves the values from a least one on. Else it leaves those up to a greatest one. */
  readonly isFromLeast: boolean
}

/** Comparisons that together leave what the condition leaves. Null: there are none. */
function halvesOf(condition: Condition): readonly Half[] | null {
  const test = testOf(condition)
  if (test.op !== 'between' && test.op !== 'compare') return null
  const { operand } = test
  if (operand.kind !== 'column') return null
  const range = (low: Scalar, high: Scalar): readonly Half[] => [
    { condition: compare(operand, 'gt_eq', low), isFromLeast: true },
    { condition: compare(operand, 'lt_eq', high), isFromLeast: false },
  ]
  if (test.op === 'between') return range(test.low, test.high)
  const { comparison, value } = test
  switch (comparison) {
    case 'neq':
      return null
    case 'eq':
      return range(value, value)
    default:
      return [{ condition, isFromLeast: comparison === 'gt' || comparison === 'gt_eq' }]
  }
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
