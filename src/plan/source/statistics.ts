import type { Scalar } from '../types/scalar.ts'

/**
 * The statistics of one column in one segment. Absent members are not known. `min` and `max` are bounds of all values that are
 * neither null nor NaN, and need not be values that occur.
 */
export interface ColumnStatistics {
  readonly min?: Scalar
  readonly max?: Scalar
  /** Set if the bound is a value that occurs, and no other value, nor NaN, is beyond it. */
  readonly isMinExact?: true
  readonly isMaxExact?: true
  readonly nulls?: number
}
