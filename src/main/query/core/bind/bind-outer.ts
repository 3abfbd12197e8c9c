import { TRUE } from '../../../../plan/condition/condition.ts'
import { type TypedExpression, withColumns } from '../../../../plan/expression.ts'
import { withProjection } from '../../../../plan/narrowed.ts'
import type { ScanPlan } from '../../../../plan/plan.ts'
import { sqlNames } from '../../../../plan/statement/statement.ts'
import {
  allRows,
  INT64,
  isRows,
  type OuterQuery,
  outermost,
  withOutermost,
} from '../../../../plan/task/finish.ts'
import { field, valueType } from '../../../../plan/types/schema.ts'
import { decline } from '../../bind/declined.ts'
import { requireExactOver } from '../../bind/expressions/huge-outputs.ts'
import type { ColumnName, Item, Select, SqlExpression } from '../parse/ast.ts'
import { printAggregate } from '../print/print-label.ts'
import { indexesByName, type Relation, requireFew } from './relation.ts'
import { createTableColumns, requireAlias } from './table-columns.ts'

/**
 * Binds a query over another query: it counts the other's rows, chooses some of its columns and rows, or is any query over groups or over first
 * rows of groups. `bindOver` binds it to a relation.
 */
export function bindOuter(
  outer: Select,
  alias: string | null,
  inner: ScanPlan,
  bindOver: (relation: Relation) => ScanPlan,
): ScanPlan {
  if (outermost(inner.finish).isCounted) decline('a query over a query', positionOf(outer))
  const counted = countIn(outer)
  if (counted !== null) return countOf(inner, counted)
  const choosesColumns = outer.items.every(
    (item) => item.kind === 'star' || (item.kind === 'value' && item.value.kind === 'column'),
  )
  if (isPlain(outer) && choosesColumns) return columnsOfQuery(outer, alias, inner)
  return bindAround(outer, inner, bindOver)
}

/** Whether a query has nothing but a list, a limit and an offset. */
function isPlain({ firsts, isDistinct, where, groupBy, having, orderBy }: Select): boolean {
  return (
    firsts === undefined &&
    !isDistinct &&
    where === null &&
    groupBy === null &&
    having === null &&
    orderBy.length === 0
  )
}

/** Binds a query of any shape over one whose rows are groups, or the first ones of groups. */
export function bindAround(
  select: Select,
  inner: ScanPlan,
  bindOver: (relation: Relation) => ScanPlan,
): ScanPlan {
  const at = positionOf(select)
  const { grouping, firsts } = inner.finish
  if (grouping === null && firsts === undefined) decline('a query over a query', at)
  const relation = relationOfOutput(inner)
  const { scan, finish, output, offset, limit } = bindOver(relation)
  const overOutput = (expression: TypedExpression): TypedExpression =>
    withColumns(expression, (column) => {
      if (column.kind === 'group') return column
      const index = relation.names.indexOf(column.column)
      return Object.freeze({ kind: 'group', index, type: column.type })
    })
  const outer: OuterQuery = Object.freeze({
    offset: inner.offset,
    limit: inner.limit,
    filter: scan.filter && overOutput(scan.filter),
    columns: Object.freeze(
      scan.projection.map(({ expression }) => overOutput(expression as TypedExpression)),
    ),
    finish,
  })
  requireExactOver(inner, outer, at)
  return Object.freeze({
    ...inner,
    finish: withOutermost(inner.finish, (innermost) => ({ ...innermost, outer })),
    output,
    offset,
    limit,
  })
}

function positionOf({ from }: Select): number {
  return from.kind === 'select' ? from.at : 0
}

/** The name of the column of a query that counts all rows, and does nothing else with them. Null: it does something else. */
export function countIn(select: Select): string | null {
  const {
    items: [item, ...others],
    limit,
    offset,
  } = select
  if (!isPlain(select)) return null
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
    finish: withOutermost(finish, (outermost) => ({ ...outermost, order: [], output: [], isCounted: true })),
    output: Object.freeze({ fields: Object.freeze([field(name, INT64)]), metadata: inner.output.metadata }),
  })
}

function columnsOfQuery({ items, limit, offset }: Select, alias: string | null, inner: ScanPlan): ScanPlan {
  const relation = relationOfOutput(inner)
  const { names } = relation
  const columns = createTableColumns(relation, alias)
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
          finish: withOutermost(finish, (outermost) => ({
            ...outermost,
            output: indexes.map(([index]) => outermost.output[index] ?? 0),
          })),
        }),
    output: Object.freeze({ fields: Object.freeze(fields), metadata: inner.output.metadata }),
    offset: inner.offset + offset,
    limit: Math.min(limit ?? Number.POSITIVE_INFINITY, Math.max(0, inner.limit - offset)),
  })
}

/** The output of a query as a relation, whose columns have the names that they have there. */
function relationOfOutput({ output }: ScanPlan): Relation {
  const names = sqlNames(output)
  const fields = output.fields.map((each) => Object.freeze({ ...each, type: valueType(each.type) }))
  // DuckDB renames the second of two columns with the same name for the outer query.
  if (names.some((name, index) => name !== fields[index]?.name)) decline('a query over one with equal names')
  return {
    names,
    indexes: indexesByName(names),
    fields,
    expressions: null,
    source: fields,
    filter: TRUE,
    rowsOf: null,
    refused: [],
  }
}

function columnNameOf(value: SqlExpression): ColumnName {
  return value.kind === 'column' ? value : decline('a query over a query', value.at)
}
