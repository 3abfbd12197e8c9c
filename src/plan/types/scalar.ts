/**
 * A constant in the physical form of the column that it is compared with, so that workers need not convert it. Integers, dates,
 * times, timestamps and durations are `int` in the unit of the column, and decimals are `int` without their scale. Floats are
 * rounded to the width of the column. Text is UTF-8 bytes.
 */
export type Scalar =
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'int'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'bytes'; readonly value: Uint8Array }
