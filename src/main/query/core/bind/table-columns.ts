import { columnExpression, type TypedExpression } from '../../../../plan/expression.ts'
import { foldSqlName } from '../../../../plan/statement/statement.ts'
import { typeName } from '../../../../plan/types/schema.ts'
import { sqlColumnType } from '../../bind/column-type.ts'
import { decline } from '../../bind/declined.ts'
import type { ColumnName } from '../parse/ast.ts'
import type { Relation } from './relation.ts'

/** Looks up the columns of a relation by their names in SQL, which ignore case. */
export interface TableColumns extends Relation {
  has(name: string): boolean
  /** The indexes of all columns, which `*` names. */
  all(): readonly number[]
  /** The index of a column. Declines a name that no column has. */
  indexOf(column: ColumnName): number
  /** The names in the files of the columns that were looked up, each once. */
  named(): readonly string[]
  /** The column at an index, as an expression over columns of the files. Declines a type that the core does not read. */
  expressionAt(index: number, at: number): TypedExpression
}

/** `alias` is the name of the relation in the statement. */
export function createTableColumns(relation: Relation, alias: string | null): TableColumns {
  const { names, fields, expressions, indexes, refused } = relation
  const has = (name: string): boolean => indexes.has(foldSqlName(name)) || refused.includes(foldSqlName(name))
  const named = new Set<number>()
  return {
    ...relation,
    has,
    all() {
      const every = [...names.keys()]
      for (const index of every) named.add(index)
      return every
    },
    indexOf({ table, name, at }) {
      if (table !== null) requireAlias(table, alias, has(table), at)
      if (refused.includes(foldSqlName(name))) decline(`the column "${name}", which cannot be read here`, at)
      const index =
        indexes.get(foldSqlName(name)) ?? decline(`the name "${name}", which no column has`, at, name)
      named.add(index)
      return index
    },
    named: () => [...new Set([...named].flatMap((index) => fields[index]?.name ?? []))],
    expressionAt(index, at) {
      const field = fields[index]
      if (field === undefined) throw new RangeError(`column ${index} of ${fields.length}`)
      if (sqlColumnType(field.type) === null)
        decline(`the column "${field.name}" of type ${typeName(field.type)}`, at)
      return expressions?.[index] ?? columnExpression(field.name, field.type)
    },
  }
}

/** Declines a name before a dot unless it can only be the relation's: it could be a struct column, with a field behind the dot. */
export function requireAlias(table: string, alias: string | null, isColumn: boolean, at: number): void {
  if (alias === null || foldSqlName(alias) !== foldSqlName(table) || isColumn)
    decline(`the name "${table}" before a dot`, at)
}
