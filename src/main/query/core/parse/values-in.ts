import type { AggregateCall, SqlExpression, Value } from './ast.ts'

/**
 * The columns and aggregates that an expression computes from, in the order in which they are written. Arguments of aggregates are not
 * among them.
 */
export function valuesIn(expression: SqlExpression): readonly Value[] {
  switch (expression.kind) {
    case 'column':
    case 'aggregate':
      return [expression]
    case 'literal':
    case 'subquery':
      return []
    case 'within':
      return [...valuesIn(expression.longitude), ...valuesIn(expression.latitude)]
    case 'call':
      return expression.args.flatMap(valuesIn)
  }
}

/** Whether an expression has an aggregate in it. */
export function hasAggregate(expression: SqlExpression): boolean {
  return valuesIn(expression).some(isAggregate)
}

function isAggregate(value: Value): value is AggregateCall {
  return value.kind === 'aggregate'
}
