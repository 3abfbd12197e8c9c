import { ServiceError } from '../errors.ts'
import type { Scalar } from '../types/scalar.ts'

export type Comparison = 'eq' | 'neq' | 'gt' | 'gt_eq' | 'lt' | 'lt_eq'

/** The operators of SQL. */
export const SQL_OPERATORS: Readonly<Record<Comparison, string>> = Object.freeze({
  eq: '=',
  neq: '<>',
  gt: '>',
  gt_eq: '>=',
  lt: '<',
  lt_eq: '<=',
})

/** The comparisons by their operators. */
export const COMPARISON_OF: ReadonlyMap<string, Comparison> = new Map(
  (Object.keys(SQL_OPERATORS) as Comparison[]).map((comparison) => [SQL_OPERATORS[comparison], comparison]),
)

/**
 * Compares two constants of one column: negative, zero or positive if `a` is below, equal to or above `b`. Floats have a total
 * order, in which NaN is the greatest and equal to itself, and −0.0 equals 0.0. Text is compared by its bytes, and false is below
 * true. Throws `internal` for constants of different kinds.
 */
export function compareScalars(a: Scalar, b: Scalar): number {
  if (a.kind === 'int' && b.kind === 'int') return Number(a.value > b.value) - Number(a.value < b.value)
  if (a.kind === 'bytes' && b.kind === 'bytes') return Buffer.compare(a.value, b.value)
  if (a.kind === 'bool' && b.kind === 'bool') return Number(a.value) - Number(b.value)
  if (a.kind === 'float' && b.kind === 'float') {
    if (Number.isNaN(a.value) || Number.isNaN(b.value)) {
      return Number(Number.isNaN(a.value)) - Number(Number.isNaN(b.value))
    }
    return Number(a.value > b.value) - Number(a.value < b.value)
  }
  throw new ServiceError('internal', `a constant of kind ${a.kind} was compared with one of kind ${b.kind}`)
}

/** Whether a comparison is true for two values. `order` is the result of `compareScalars`. */
export function holds(comparison: Comparison, order: number): boolean {
  switch (comparison) {
    case 'eq':
      return order === 0
    case 'neq':
      return order !== 0
    case 'gt':
      return order > 0
    case 'gt_eq':
      return order >= 0
    case 'lt':
      return order < 0
    case 'lt_eq':
      return order <= 0
  }
}
