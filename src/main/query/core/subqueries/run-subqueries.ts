import { isServiceError } from '../../../../plan/errors.ts'
import type { PlannedSubquery, ScanPlan } from '../../../../plan/plan.ts'
import { outermost } from '../../../../plan/task/finish.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import { decline } from '../../bind/declined.ts'
import { isFailureOfValue } from '../../plan/fails-in-vain.ts'
import { type PreparedScan, prepareScan } from '../../plan/prepare-scan.ts'
import type { QueryContext } from '../../source/query-context.ts'
import { type BoundQuery, bindQuery, constantOf } from './bind-query.ts'
import type { OpenedQuery, OpenedSubquery } from './open-query.ts'
import { isHugeSum } from './require-certain-uses.ts'

/** Runs the subqueries of a query before it. */
export interface SubqueryRunner {
  /** The values of a plan that has one column. They count towards the figures of the query, and end with it. */
  valuesOf(prepared: PreparedScan): Promise<readonly (Scalar | null)[]>
  /** Throws `file_changed` if the query has seen a file or a folder in two states. */
  requireOneState(): void
}

/**
 * Runs the subqueries of a query, each after those inside of it, and binds the query to their values. Declines subqueries of more than one
 * row, and those that fail: DuckDB says what is wrong, or does not need them.
 */
export async function runSubqueries(
  query: OpenedQuery,
  runner: SubqueryRunner,
  context: QueryContext,
): Promise<BoundQuery> {
  const planned: PlannedSubquery[] = []
  for (const [index, subquery] of query.subqueries.entries()) {
    const bound = await runSubqueries(subquery, runner, context)
    planned.push(await runSubquery(subquery, bound, index + 1, runner, context))
  }
  const bound = bindQuery(query, Object.freeze(planned))
  return 'reason' in bound ? decline(bound.reason.what, bound.reason.at) : bound.done
}

async function runSubquery(
  subquery: OpenedSubquery,
  { plan, table }: BoundQuery,
  number: number,
  runner: SubqueryRunner,
  context: QueryContext,
): Promise<PlannedSubquery> {
  const { at } = subquery
  const prepared = await prepareScan(ofTwoRows(plan), table, context)
  const [value = null, ...others] = await runner.valuesOf(prepared).catch((error: unknown) => {
    if (isServiceError(error) && isFailureOfValue(error)) return decline('a subquery that fails', at)
    throw error
  })
  if (others.length > 0) decline('a subquery of more than one row', at)
  if (value !== null && !isCertain(value, plan)) decline('a subquery with such a value', at)
  return Object.freeze({
    plan: prepared.plan,
    constant: constantOf(plan, subquery, number, value),
    isRun: true,
  })
}

/** The plan with as many rows as tell whether there are several. */
function ofTwoRows(plan: ScanPlan): ScanPlan {
  const { grouping, isCounted } = outermost(plan.finish)
  const isOne = isCounted || grouping?.keys.length === 0
  return isOne ? plan : Object.freeze({ ...plan, limit: Math.min(plan.limit, 2) })
}

/** The most bytes of a text that is sent with each task. */
const MOST_BYTES = 4096

/** The sums whose floats are the same, whether DuckDB makes them of 64 bits or of 128. */
const LEAST_SUM = -(2n ** 24n)
const MOST_SUM = 2n ** 53n

function isCertain(value: Scalar, plan: ScanPlan): boolean {
  if (value.kind === 'bytes') return value.value.length <= MOST_BYTES
  if (value.kind !== 'int' || !isHugeSum(plan)) return true
  return value.value >= LEAST_SUM && value.value <= MOST_SUM
}
