import { COMPARISON_OF, type Comparison } from '../../../plan/condition/compare.ts'

/** Comparisons, by DuckDB's operators for them. */
export const COMPARISONS: ReadonlyMap<string, Comparison> = new Map([
  ...COMPARISON_OF,
  ['==', 'eq'],
  ['!=', 'neq'],
])

/** The comparison with its sides exchanged. */
export const MIRROR: Readonly<Record<Comparison, Comparison>> = Object.freeze({
  eq: 'eq',
  neq: 'neq',
  gt: 'lt',
  gt_eq: 'lt_eq',
  lt: 'gt',
  lt_eq: 'gt_eq',
})
