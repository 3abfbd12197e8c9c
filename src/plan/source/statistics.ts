import type { Scalar } from '../types/scalar.ts'

/**
 * What a file says of one column in one segment. Absent members are not known. `min` and `max` bound every value
 * that is neither null nor NaN; they are bounds, not necessarily values that occur.
 */
export interface ColumnStatistics {
  readonly min?: Scalar
  readonly max?: Scalar
  /** Set where the bound is a value that occurs, and no other value, nor NaN, is beyond it. */
  readonly isMinExact?: true
  readonly isMaxExact?: true
  readonly nulls?: number
}
