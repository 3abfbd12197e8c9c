import { expressionKey, type TypedExpression } from '../../../../plan/expression.ts'
import { foldSqlName } from '../../../../plan/statement/statement.ts'
import { decline } from '../../bind/declined.ts'
import type { ColumnName, SqlExpression } from '../parse/ast.ts'
import { hasAggregate, valuesIn } from '../parse/values-in.ts'
import { printAggregate, printLabel } from '../print/print-label.ts'
import { writtenKey } from '../print/written-key.ts'
import { bindExpression } from './bind-expression.ts'
import type { Uses } from './growth.ts'
import type { TableColumns } from './table-columns.ts'

/** The meaning of an expression in a clause: it is computed from a row, or from a group of rows. */
export type Term =
  | { readonly kind: 'row'; readonly expression: TypedExpression }
  | { readonly kind: 'group'; readonly written: SqlExpression; readonly clause: Clause }

export type Clause = 'list' | 'where' | 'group' | 'having' | 'order'

/** The meanings of names in the clauses of a query. */
export interface Names {
  termOf(expression: SqlExpression, clause: Clause): Term
  /** The meaning of a column's name, which is counted. `isWhole` says that it is the whole of an expression, such as a key of ORDER BY. */
  meaningOf(column: ColumnName, clause: Clause, isWhole: boolean): Term
  /** The argument of an aggregate in a clause. */
  argumentOf(argument: SqlExpression, clause: Clause): TypedExpression
}

/**
 * Resolves names as DuckDB does. In WHERE and GROUP BY a name is a column, or else an alias; in ORDER BY it is an alias, or
 * else a column; in the select list it is a column. Declines a statement in which a name is both and its meaning depends on
 * more than this. `uses` counts what they stand for.
 */
export function createNames(
  columns: TableColumns,
  aliases: readonly (readonly [string, Term])[],
  uses: Uses,
): Names {
  const byAlias = Map.groupBy(aliases, ([alias]) => foldSqlName(alias))

  function termOfAlias(name: string, at: number): Term | null {
    const [first, ...others] = (byAlias.get(foldSqlName(name)) ?? []).map(([, term]) => term)
    if (first === undefined) return null
    if (others.some((other) => termKey(other) !== termKey(first)))
      decline(`the name "${name}", which stands for two columns`, at)
    return first
  }

  const columnTerm = (column: ColumnName): Term => ({
    kind: 'row',
    expression: columns.expressionAt(columns.indexOf(column), column.at),
  })

  function meaningOf(value: ColumnName, clause: Clause, isWhole: boolean): Term {
    const term = meaningIn(value, clause, isWhole)
    countUse(uses, term, value.at)
    return term
  }

  function meaningIn(value: ColumnName, clause: Clause, isWhole: boolean): Term {
    const { table, name, at } = value
    const other = table === null && clause !== 'list' ? termOfAlias(name, at) : null
    if (other === null) return columnTerm(value)
    if (!columns.has(name)) {
      if (clause === 'group' && !isWhole) decline(`the alias "${name}" inside of an expression`, at)
      return other
    }
    if (clause === 'order' && isWhole) return other
    const column = columnTerm(value)
    const isCertain = clause === 'where' || clause === 'group' || termKey(other) === termKey(column)
    return isCertain ? column : ambiguous(name, at)
  }

  /** Whether an expression is computed from groups: it has an aggregate in it, or the alias of one. */
  function isOfGroups(expression: SqlExpression, clause: Clause): boolean {
    return (
      hasAggregate(expression) ||
      valuesIn(expression).some(
        (value) => value.kind === 'column' && meaningIn(value, clause, value === expression).kind === 'group',
      )
    )
  }

  function rowOf(expression: SqlExpression, clause: Clause): TypedExpression {
    return bindExpression(expression, (part) => {
      if (part.kind === 'aggregate') return decline(`the aggregate ${printAggregate(part)}`, part.at)
      if (part.kind !== 'column') return null
      const term = meaningOf(part, clause, part === expression)
      return term.kind === 'row' ? term.expression : decline('an aggregate in place of a column', part.at)
    })
  }

  return {
    meaningOf,
    termOf(expression, clause) {
      if (expression.kind === 'column') return meaningOf(expression, clause, true)
      if (!isOfGroups(expression, clause)) return { kind: 'row', expression: rowOf(expression, clause) }
      if (clause === 'where' || clause === 'group')
        decline(`the aggregate ${printLabel(expression)}`, expression.at)
      return { kind: 'group', written: expression, clause }
    },
    argumentOf(argument, clause) {
      return bindExpression(argument, (part) => {
        if (part.kind === 'aggregate') return decline('an aggregate of an aggregate', part.at)
        if (part.kind !== 'column') return null
        const column = columnTerm(part)
        const other = part.table === null && clause !== 'list' ? termOfAlias(part.name, part.at) : null
        countUse(uses, column, part.at)
        if (other !== null && termKey(other) !== termKey(column)) ambiguous(part.name, part.at)
        return column.kind === 'row' ? column.expression : null
      })
    },
  }
}

/** Counts what a name or the number of a column of the answer stands for. */
export function countUse(uses: Uses, term: Term, at: number): void {
  if (term.kind === 'row') uses.ofRow(term.expression, at)
  else uses.ofGroup(term.written, at)
}

/** A key that is equal for equal terms. */
function termKey(term: Term): string {
  if (term.kind === 'row') return `row ${expressionKey(term.expression)}`
  return `group ${writtenKey(term.written)}`
}

function ambiguous(name: string, at: number): never {
  return decline(`the name "${name}", which is a column and an alias`, at)
}
