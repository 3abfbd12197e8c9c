import { type ExpressionVisitor, visitExpression } from '../../../plan/expression.ts'
import type { ScanPlan } from '../../../plan/plan.ts'
import { expressionsOf } from '../../../plan/scan.ts'
import { expressionsOfFinish } from '../../../plan/task/finish.ts'
import type { Lookups } from '../../catalog/lookups.ts'
import type { Select } from './parse/ast.ts'
import type { ExpandedQuery } from './subqueries/expand-query.ts'

/** Whether a plan divides integers. */
export function dividesIntegers({ scan, finish }: ScanPlan): boolean {
  const expressions = [...expressionsOf(scan), ...expressionsOfFinish(finish)]
  return expressions.some((expression) => visitExpression(expression, DIVIDES))
}

const DIVIDES: ExpressionVisitor<boolean> = Object.freeze({
  column: () => false,
  group: () => false,
  constant: () => false,
  call: ({ name, args, type }, visit) => (name === '//' && type?.kind === 'int') || args.some(visit),
} satisfies ExpressionVisitor<boolean>)

/** The queries of the views that a statement and its subqueries read, which are in place of their names. */
export function viewTextsIn({ select, subqueries }: ExpandedQuery, lookups: Lookups): readonly string[] {
  return [...textsIn(select, lookups), ...subqueries.flatMap((subquery) => viewTextsIn(subquery, lookups))]
}

function textsIn({ from }: Select, lookups: Lookups): readonly string[] {
  if (from.kind !== 'select') return []
  const { view } = from
  const table = view === null ? null : lookups.findBelow({ catalog: null, schema: null, name: view })
  return [...(table?.query ? [table.query] : []), ...textsIn(from.select, lookups)]
}
