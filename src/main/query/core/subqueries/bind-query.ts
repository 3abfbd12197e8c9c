import { hasConstants } from '../../../../plan/arrow/read-values.ts'
import { type ConstantExpression, constantExpression } from '../../../../plan/expression.ts'
import { isShortDecimal } from '../../../../plan/kernels/decimals.ts'
import type { PlannedSubquery, ScanPlan } from '../../../../plan/plan.ts'
import { typeName } from '../../../../plan/types/schema.ts'
import { type Declinable, decline, orDeclined } from '../../bind/declined.ts'
import type { FilesTable } from '../../source/files-table.ts'
import { bindSelect } from '../bind/bind-select.ts'
import { joinedTable } from '../bind/joined-table.ts'
import { withValues } from './expand-query.ts'
import type { OpenedQuery, OpenedSubquery } from './open-query.ts'
import { isHugeSum, requireCertainUses } from './require-certain-uses.ts'

/** A query that is bound to its sources, with a constant in place of each of its subqueries. */
export interface BoundQuery {
  readonly plan: ScanPlan
  readonly table: FilesTable
}

/** Binds a query whose subqueries are planned. They are those of the query, in its order. */
export function bindQuery(
  { select, opened, subqueries }: OpenedQuery,
  planned: readonly PlannedSubquery[],
): Declinable<BoundQuery> {
  const table = joinedTable(opened.map((source) => source.table))
  if ('reason' in table) return table
  const constants = new Map(subqueries.map(({ key }, index) => [key, planned[index]?.constant] as const))
  const valued = withValues(select, (key) => {
    const constant = constants.get(key)
    if (constant === undefined) throw new RangeError('a subquery that is not planned')
    return constant
  })
  const huge = planned.flatMap(({ plan }, index) => (isHugeSum(plan) ? [index + 1] : []))
  const certain = orDeclined(() => {
    if (subqueries.length > 0) requireCertainUses(valued, new Set(huge))
  })
  if ('reason' in certain) return certain
  const bound = bindSelect(valued, table.done)
  if ('reason' in bound) return bound
  const plan = planned.length === 0 ? bound.done : Object.freeze({ ...bound.done, subqueries: planned })
  return { done: { plan, table: table.done } }
}

/** Binds a query and its subqueries without running any: their values are null. Names and types are those that it has when they are run. */
export function bindUnrun(query: OpenedQuery): Declinable<BoundQuery> {
  const planned: PlannedSubquery[] = []
  for (const [index, subquery] of query.subqueries.entries()) {
    const bound = bindUnrun(subquery)
    if ('reason' in bound) return bound
    const placeholder = orDeclined(() => constantOf(bound.done.plan, subquery, index + 1, null))
    if ('reason' in placeholder) return placeholder
    planned.push({ plan: bound.done.plan, constant: placeholder.done, isRun: false })
  }
  return bindQuery(query, Object.freeze(planned))
}

/** A value of a subquery. Declines columns that have no constants. */
export function constantOf(
  { output }: ScanPlan,
  { at }: Pick<OpenedSubquery, 'at'>,
  number: number,
  value: ConstantExpression['value'],
): ConstantExpression {
  const [column, ...others] = output.fields
  if (column === undefined || others.length > 0) decline('a subquery of several columns', at)
  const { type } = column
  if (!hasConstants(type) || (type.kind === 'decimal' && !isShortDecimal(type)))
    decline(`a subquery of type ${typeName(type)}`, at)
  return Object.freeze({ ...constantExpression(value, type), subquery: number })
}
