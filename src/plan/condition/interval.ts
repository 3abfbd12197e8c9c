import type { Scalar } from '../types/scalar.ts'

/** The least and the greatest of values that are not NaN. */
export interface Interval {
  readonly min: Scalar
  readonly max: Scalar
  /** Whether some value may be NaN, which is the same of any call that has bounds. Absent: none is. */
  readonly mayBeNaN?: boolean
}
