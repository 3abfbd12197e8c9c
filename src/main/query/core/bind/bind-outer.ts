import { withProjection } from '../../../../plan/narrowed.ts'
import type { ScanPlan } from '../../../../plan/plan.ts'
import { sqlNames } from '../../../../plan/statement/statement.ts'
import { allRows, INT64, isRows } from '../../../../plan/task/finish.ts'
import { field } from '../../../../plan/types/schema.ts'
import { decline } from '../../bind/declined.ts'
import { TRUE } from '../../bind/filters/combine.ts'
import type { ColumnName, Item, Select, SqlExpression } from '../parse/ast.ts'
import { printAggregate } from '../print/print-label.ts'
import { indexesByName, requireFew } from './relation.ts'
import { createTableColumns, requireAlias } from './table-columns.ts'

/** Binds a query over another query: it may count the other's rows, or choose some of its columns and rows. */
export function bindOuter(outer: Select, alias: string | null, inner: ScanPlan): ScanPlan {
  const { isDistinct, items, where, groupBy, having, orderBy } = outer
  const at = outer.from.kind === 'select' ? outer.from.at : null
  const isSimple =
    outer.firsts === undefined &&
    !isDistinct &&
    where === null &&
    groupBy === null &&
    having === null &&
    orderBy.length === 0
  if (!isSimple || inner.finish.isCounted) decline('a query over a query', at)
  const [item] = items
  if (item?.kind === 'value' && item.value.kind === 'aggregate')
    return countOf(inner, countIn(outer) ?? decline('an aggregate over a query', at))
  return columnsOfQuery(outer, alias, inner)
}

/** The name of the column of a query that counts all rows, and does nothing else with them. Null: it does something else. */
export function countIn({ items: [item, ...others], limit, offset }: Select): string | null {
  if (item?.kind !== 'value' || item.value.kind !== 'aggregate' || others.length > 0) return null
  const { aggregate, filter } = item.value
  const isCount = aggregate === 'count_rows' && filter === undefined && limit === null && offset === 0
  return isCount ? (item.alias ?? printAggregate(item.value)) : null
}

/** The plan that counts the rows of `inner`. Their order and columns are dropped, because they do not change the number. */
export function countOf(inner: ScanPlan, name: string): ScanPlan {
  const { finish, scan } = inner
  return Object.freeze({
    ...inner,
    scan: finish.grouping === null && finish.firsts === undefined ? withProjection(scan, []) : scan,
    finish: Object.freeze({ ...finish, order: [], output: [], isCounted: true }),
    output: Object.freeze({ fields: Object.freeze([field(name, INT64)]), metadata: inner.output.metadata }),
  })
}

function columnsOfQuery({ items, limit, offset }: Select, alias: string | null, inner: ScanPlan): ScanPlan {
  const { fields: given } = inner.output
  const names = sqlNames(inner.output)
  // DuckDB renames the second of two columns with the same name for the outer query.
  if (names.some((name, index) => name !== given[index]?.name)) decline('a query over one with equal names')
  const columns = createTableColumns(
    {
      names,
      indexes: indexesByName(names),
      fields: given,
      expressions: null,
      source: given,
      filter: TRUE,
      rowsOf: null,
      refused: [],
    },
    alias,
  )
  requireFew(items, names.length)
  const indexesOf = (item: Item): readonly (readonly [index: number, name: string])[] => {
    if (item.kind === 'star') {
      if (item.table !== null) requireAlias(item.table, alias, columns.has(item.table), item.at)
      return columns.names.map((name, index) => [index, name])
    }
    if (item.kind === 'row_number') return decline('a window over a query', item.at)
    const index = columns.indexOf(columnNameOf(item.value))
    return [[index, item.alias ?? columns.names[index] ?? '']]
  }
  const indexes = items.flatMap(indexesOf)
  const fields = indexes.map(([index, name]) => field(name, columns.expressionAt(index, 0).type))
  const { finish, scan } = inner
  const list = indexes.flatMap(([index], position) => {
    const projection = scan.projection[index]
    return projection === undefined
      ? []
      : [Object.freeze({ ...projection, field: fields[position] ?? projection.field })]
  })
  return Object.freeze({
    ...inner,
    ...(isRows(finish)
      ? { scan: withProjection(scan, list), finish: allRows(list.length) }
      : {
          finish: Object.freeze({ ...finish, output: indexes.map(([index]) => finish.output[index] ?? 0) }),
        }),
    output: Object.freeze({ fields: Object.freeze(fields), metadata: inner.output.metadata }),
    offset: inner.offset + offset,
    limit: Math.min(limit ?? Number.POSITIVE_INFINITY, Math.max(0, inner.limit - offset)),
  })
}

function columnNameOf(value: SqlExpression): ColumnName {
  return value.kind === 'column' ? value : decline('a query over a query', value.at)
}
