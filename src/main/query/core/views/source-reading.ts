import { foldSqlName } from '../../../../plan/statement/statement.ts'
import type { ColumnName, FromSources, Item, Select, SqlExpression } from '../parse/ast.ts'
import { hasAggregate } from '../parse/values-in.ts'

/** What a statement reads, before the columns of that are known. */
export interface SourceReading {
  readonly from: FromSources
  /** Rows of the source that do not pass all of them are not in the answer, and do not change it. */
  readonly conditions: readonly SourceCondition[]
  /** The columns of the source that columns of the answer are. Null: rows of the answer are not those of the source. */
  readonly columnOf: ColumnOf | null
}

/** A condition of a query, and what its columns mean in the source. */
export interface SourceCondition {
  readonly where: SqlExpression
  readonly columnOf: ColumnOf
}

/** The name in SQL of the column of the source that a column is. Null: that is not certain. */
type ColumnOf = (column: Pick<ColumnName, 'table' | 'name'>) => string | null

/**
 * What the innermost query of a statement reads, and the conditions of the queries around it that only choose rows and columns, as
 * those of views do.
 */
export function readingOf(select: Select): SourceReading {
  const { from, where, items } = select
  const inner: SourceReading =
    from.kind === 'select' ? readingOf(from.select) : { from, conditions: [], columnOf: ({ name }) => name }
  const columnOf = inner.columnOf && withAlias(from.alias, inner.columnOf)
  if (columnOf === null) return { ...inner, columnOf: null }
  return {
    from: inner.from,
    conditions: where === null ? inner.conditions : [...inner.conditions, { where, columnOf }],
    columnOf: choosesRows(select) ? columnsThrough(items, columnOf) : null,
  }
}

function withAlias(alias: string | null, columnOf: ColumnOf): ColumnOf {
  const folded = alias === null ? null : foldSqlName(alias)
  return ({ table, name }) =>
    table === null || foldSqlName(table) === folded ? columnOf({ table: null, name }) : null
}

/** Whether a query has the columns that it lists of all rows that pass its condition. */
function choosesRows({
  isDistinct,
  firsts,
  items,
  groupBy,
  having,
  orderBy,
  limit,
  offset,
}: Select): boolean {
  return (
    !isDistinct &&
    firsts === undefined &&
    groupBy === null &&
    having === null &&
    orderBy.length === 0 &&
    limit === null &&
    offset === 0 &&
    items.every((item) => item.kind !== 'value' || !hasAggregate(item.value))
  )
}

/** The columns behind the names that a select list gives. A name is not certain if two items may have it. */
function columnsThrough(items: readonly Item[], columnOf: ColumnOf): ColumnOf {
  if (items.length === 1 && items[0]?.kind === 'star') return columnOf
  const named = new Map<string, ColumnName | null>()
  for (const item of items) {
    if (item.kind !== 'value') return () => null
    const { value, alias } = item
    // A column that is computed without an alias has a name of several words, which none of these columns can have.
    if (value.kind !== 'column' && alias === null) continue
    const name = foldSqlName(alias ?? (value.kind === 'column' ? value.name : ''))
    named.set(name, named.has(name) || value.kind !== 'column' ? null : value)
  }
  return ({ name }) => {
    const column = named.get(foldSqlName(name)) ?? null
    return column === null ? null : columnOf(column)
  }
}
