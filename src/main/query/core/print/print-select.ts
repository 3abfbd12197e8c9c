import { printIdentifier } from '../../../sql/text/keywords.ts'
import { decline } from '../../bind/declined.ts'
import type { From, Item, Ordinal, Select, SqlExpression } from '../parse/ast.ts'

/** A query as DuckDB prints it. Declines queries of which that is not certain. `print` prints an expression. */
export function printSelect(select: Select, print: (expression: SqlExpression) => string): string {
  if (select.firsts !== undefined) decline('a subquery of first rows without a name')
  const { isDistinct, items, from, where, groupBy, having, orderBy, writtenLimits } = select
  const place = (value: SqlExpression | Ordinal): string =>
    value.kind === 'ordinal' ? String(value.number) : print(value)
  const item = (each: Item): string => {
    if (each.kind === 'row_number') return decline('a subquery with a window without a name', each.at)
    if (each.kind === 'star') return each.table === null ? '*' : `${printIdentifier(each.table)}.*`
    return `${print(each.value)}${each.alias === null ? '' : ` AS ${printIdentifier(each.alias)}`}`
  }
  const keys = groupBy?.kind === 'all' ? 'ALL' : groupBy?.values.map(place).join(', ')
  const parts = [
    `SELECT ${isDistinct ? 'DISTINCT ' : ''}${items.map(item).join(', ')}`,
    ` FROM ${printFrom(from, print)}`,
    where === null ? '' : ` WHERE ${print(where)}`,
    keys === undefined ? '' : ` GROUP BY ${keys}`,
    having === null ? '' : ` HAVING ${print(having)}`,
    orderBy.length === 0
      ? ''
      : ` ORDER BY ${orderBy.map(({ value, written }) => `${place(value)}${written}`).join(', ')}`,
    writtenLimits,
  ]
  return parts.join('')
}

function printFrom(from: From, print: (expression: SqlExpression) => string): string {
  if (from.kind === 'sources')
    return from.written ?? decline('a subquery over such files without a name', from.at)
  const alias = from.alias === null ? '' : ` AS ${printIdentifier(from.alias)}`
  return `(${printSelect(from.select, print)})${alias}`
}
