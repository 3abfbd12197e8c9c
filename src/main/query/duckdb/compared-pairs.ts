import { productOf } from '../../../plan/product-of.ts'
import type { Operator } from '../../../plan/statement/statement.ts'

/** The joins of DuckDB that compare each row of one side with each of the other. */
const JOINS_OF_PAIRS: ReadonlySet<string> = new Set([
  'CROSS_PRODUCT',
  'NESTED_LOOP_JOIN',
  'BLOCKWISE_NL_JOIN',
])

/**
 * How many pairs of rows a plan compares one by one, by the estimates in it: the most of any of its joins. An operator without an
 * estimate counts as its largest input.
 */
export function comparedPairs(operator: Operator): number {
  const inputs = operator.children.map(estimatedRows)
  const joinPairs = JOINS_OF_PAIRS.has(operator.name) ? productOf(inputs) : 0
  return Math.max(joinPairs, ...operator.children.map(comparedPairs))
}

function estimatedRows({ details, children }: Operator): number {
  const estimate = Number(details['Estimated Cardinality'])
  if (Number.isFinite(estimate)) return estimate
  return Math.max(1, ...children.map(estimatedRows))
}
