import type { ErrorCode, ServiceError } from '../../../plan/errors.ts'
import type { Plan } from '../../../plan/plan.ts'

/** Errors of the core about a value: an expression or a cast fails, or a sum does not fit into its type. */
const OF_VALUES: ReadonlySet<ErrorCode> = new Set(['invalid_sql', 'type_mismatch'])

/** Whether a worker has failed for a value. */
export function isFailureOfValue({ code }: Pick<ServiceError, 'code'>): boolean {
  return OF_VALUES.has(code)
}

/**
 * Whether a plan may fail for a value that its answer does not have. The core computes the columns of all groups before HAVING, LIMIT or a query around
 * them leaves some out. DuckDB does not: it has sums in 128 bits until they leave, and tests the conditions of a query around another one first.
 */
export function mayFailInVain(plan: Plan): boolean {
  if (plan.engine !== 'core') return false
  const { offset, limit } = plan
  const { grouping, outer } = plan.finish
  if (grouping === null) return false
  return outer !== undefined || grouping.having !== null || offset > 0 || limit < Number.POSITIVE_INFINITY
}
