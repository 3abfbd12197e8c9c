import type { Select, SqlExpression, Subquery } from '../parse/ast.ts'

/**
 * The query with something else in place of the subqueries in its expressions, and in those of the queries in brackets that it reads. What
 * is inside of subqueries and of views stays as it is.
 */
export function withSubqueries(select: Select, other: (subquery: Subquery) => SqlExpression): Select {
  const { items, from, where, groupBy, having, orderBy } = select
  const inExpression = (expression: SqlExpression): SqlExpression => {
    switch (expression.kind) {
      case 'subquery':
        return other(expression)
      case 'call':
        return { ...expression, args: expression.args.map(inExpression) }
      case 'within':
        return {
          ...expression,
          longitude: inExpression(expression.longitude),
          latitude: inExpression(expression.latitude),
        }
      case 'aggregate': {
        const { argument, by, filter } = expression
        return {
          ...expression,
          argument: argument && inExpression(argument),
          ...(by !== undefined && { by: inExpression(by) }),
          ...(filter !== undefined && { filter: inExpression(filter) }),
        }
      }
      default:
        return expression
    }
  }
  return {
    ...select,
    items: items.map((item) => (item.kind === 'value' ? { ...item, value: inExpression(item.value) } : item)),
    from:
      from.kind === 'select' && from.view === null
        ? { ...from, select: withSubqueries(from.select, other) }
        : from,
    where: where && inExpression(where),
    groupBy:
      groupBy?.kind === 'values'
        ? {
            ...groupBy,
            values: groupBy.values.map((value) => (value.kind === 'ordinal' ? value : inExpression(value))),
          }
        : groupBy,
    having: having && inExpression(having),
    orderBy: orderBy.map((item) =>
      item.value.kind === 'ordinal' ? item : { ...item, value: inExpression(item.value) },
    ),
  }
}

/** The subqueries of a query that `withSubqueries` visits, in its order. */
export function subqueriesIn(select: Select): readonly Subquery[] {
  const subqueries: Subquery[] = []
  withSubqueries(select, (subquery) => {
    subqueries.push(subquery)
    return subquery
  })
  return subqueries
}
