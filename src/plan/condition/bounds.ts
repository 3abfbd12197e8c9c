import type { ColumnStatistics } from '../source/statistics.ts'
import type { Scalar } from '../types/scalar.ts'
import type { DataType } from '../types/schema.ts'
import { type Comparison, compareScalars, holds } from './compare.ts'
import type { TestOf } from './test.ts'

/** Statistics of one column in one segment, in the type in which the scan reads the column. */
export interface KnownColumn extends ColumnStatistics {
  readonly type: DataType
  /** Set if only rows without NaN in this column count. */
  readonly noNaN?: true
}

/** Bounds of the values in a segment that are not null. Null: a bound is not known. NaN is not in the bounds. */
export interface Bounds {
  readonly min: Scalar | null
  readonly max: Scalar | null
  readonly mayBeNaN: boolean
}

/**
 * The bounds of a column's statistics. Bounds that are NaN, or a minimum above the maximum, count as unknown. NaN would be beyond an
 * exact maximum.
 */
export function boundsOf(statistics: KnownColumn): Bounds {
  const mayBeNaN = statistics.type.kind === 'float' && statistics.noNaN !== true
  const min = statistics.min ?? null
  const max = statistics.max ?? null
  const broken = isNaNScalar(min) || isNaNScalar(max) || (min && max && compareScalars(min, max) > 0)
  if (broken) return { min: null, max: null, mayBeNaN }
  return { min, max, mayBeNaN: mayBeNaN && !(max !== null && statistics.isMaxExact) }
}

/** The negation of each comparison. For values that are not null, exactly one of the two is true. */
export const NEGATION: Readonly<Record<Comparison, Comparison>> = Object.freeze({
  eq: 'neq',
  neq: 'eq',
  gt: 'lt_eq',
  gt_eq: 'lt',
  lt: 'gt_eq',
  lt_eq: 'gt',
})

const NAN: Scalar = Object.freeze({ kind: 'float', value: Number.NaN })

/** Whether NaN in a float column makes a condition true. */
export function passesNaN(test: TestOf<'compare' | 'between' | 'in'>): boolean {
  switch (test.op) {
    case 'compare':
      return test.operand.type.kind === 'float' && holds(test.comparison, compareScalars(NAN, test.value))
    case 'between':
      return isNaNScalar(test.high)
    case 'in':
      return isNaNScalar(test.values.at(-1) ?? null)
  }
}

/** Whether `x <comparison> value` may be true for some value `x` in the bounds. */
export function mayHold(comparison: Comparison, { min, max, mayBeNaN }: Bounds, value: Scalar): boolean {
  if (mayBeNaN && holds(comparison, compareScalars(NAN, value))) return true
  const overMin = min === null ? null : compareScalars(value, min)
  const overMax = max === null ? null : compareScalars(value, max)
  switch (comparison) {
    case 'eq':
      return (overMin === null || overMin >= 0) && (overMax === null || overMax <= 0)
    case 'neq':
      return !(overMin === 0 && overMax === 0)
    case 'gt':
      return overMax === null || overMax < 0
    case 'gt_eq':
      return overMax === null || overMax <= 0
    case 'lt':
      return overMin === null || overMin > 0
    case 'lt_eq':
      return overMin === null || overMin >= 0
  }
}

/** Whether some value may be between `low` and `high`, both included. */
export function mayLieBetween({ min, max, mayBeNaN }: Bounds, low: Scalar, high: Scalar): boolean {
  if (mayBeNaN && isNaNScalar(high)) return true
  return !(max !== null && compareScalars(max, low) < 0) && !(min !== null && compareScalars(min, high) > 0)
}

/** Whether some value may be one of `values`, which are ascending. Only the first one that is not below `min` can decide. */
export function mayBeOneOf(bounds: Bounds, values: readonly Scalar[]): boolean {
  const last = values.at(-1)
  if (last === undefined) return false
  if (bounds.mayBeNaN && isNaNScalar(last)) return true
  const next = values[firstFrom(bounds.min, values)]
  return next !== undefined && mayHold('eq', bounds, next)
}

/** Whether some value may be different from all `values`, which are ascending. */
export function mayBeNoneOf(bounds: Bounds, values: readonly Scalar[]): boolean {
  const next = values[firstFrom(bounds.min, values)]
  return next === undefined || mayHold('neq', bounds, next)
}

/** The index in ascending `values` of the first that is not below `min`, by binary search. */
function firstFrom(min: Scalar | null, values: readonly Scalar[]): number {
  let low = 0
  let high = min === null ? 0 : values.length
  while (min !== null && low < high) {
    const middle = (low + high) >> 1
    const value = values[middle]
    if (value !== undefined && compareScalars(value, min) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function isNaNScalar(scalar: Scalar | null): boolean {
  return scalar?.kind === 'float' && Number.isNaN(scalar.value)
}
