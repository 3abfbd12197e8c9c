import type { Expression, TypedExpression } from '../../../../plan/expression.ts'

/** Calls that may have a value although an argument is null, and of which DuckDB computes the other arguments. */
const TAKES_NULL: ReadonlySet<string> = new Set([
  ...['and', 'or', 'case', 'in', 'is_null', 'is_not_null', 'is_distinct_from', 'is_not_distinct_from'],
  ...['concat', '||'],
])

/** Calls that are null if all arguments are. */
const CHOICES: ReadonlySet<string> = new Set(['coalesce', 'greatest', 'least'])

/**
 * Whether a call is null because of constant arguments. DuckDB does not compute the others then, which may fail: `abs(x) * NULL` is null for
 * each `x`.
 */
export function isNullCall(name: string, args: readonly TypedExpression[]): boolean {
  if (TAKES_NULL.has(name)) return false
  const [value, ...bounds] = args.map(isNull)
  if (name === 'between') return value === true || bounds.every(Boolean)
  return CHOICES.has(name) ? args.every(isNull) : args.some(isNull)
}

/** Whether an expression is null in each row. The value of a subquery is not known before it has run. */
export function isNull(expression: Expression): boolean {
  return expression.kind === 'constant' && expression.value === null && expression.subquery === undefined
}
