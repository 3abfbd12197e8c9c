/**
 * One constant in the physical form of the column it is compared with, so that a worker converts nothing:
 * integers of every width, dates, times, timestamps and durations are `int` in the column's own unit, decimals
 * are `int` unscaled, floats are already rounded to the column's width, text is UTF-8 bytes.
 */
export type Scalar =
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'int'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'bytes'; readonly value: Uint8Array }
