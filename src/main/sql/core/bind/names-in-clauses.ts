import { foldSqlName } from '../../../../plan/statement/statement.ts'
import { decline } from '../../../query/bind/declined.ts'
import type { Value } from '../parse/ast.ts'
import type { TableColumns } from './table-columns.ts'

/** What a value stands for: a column of the table, or an aggregate of one (null: of rows). */
export type Term =
  | { readonly kind: 'column'; readonly place: number }
  | {
      readonly kind: 'aggregate'
      readonly aggregate: Extract<Value, { kind: 'aggregate' }>['aggregate']
      readonly place: number | null
    }

export type Clause = 'list' | 'where' | 'group' | 'having' | 'order'

/** Finds what values mean, clause by clause. */
export type TermOf = (value: Value, clause: Clause) => Term

/** Equal for terms that are the same. */
export function termKey(term: Term): string {
  return term.kind === 'column' ? `${term.place}` : `${term.aggregate} ${term.place}`
}

/**
 * Names as DuckDB finds them. WHERE and GROUP BY know columns first and then aliases, ORDER BY aliases first, an aggregate
 * in the list columns. Where it depends on more, the statement is left to DuckDB.
 */
export function createTermOf(columns: TableColumns, aliases: readonly (readonly [string, Term])[]): TermOf {
  const byAlias = Map.groupBy(aliases, ([alias]) => foldSqlName(alias))

  function aliased(name: string, at: number): Term | null {
    const [first, ...others] = (byAlias.get(foldSqlName(name)) ?? []).map(([, term]) => term)
    if (first === undefined) return null
    if (others.some((other) => termKey(other) !== termKey(first)))
      decline(`the name "${name}", which stands for two columns`, at)
    return first
  }

  return (value, clause) => {
    if (value.kind === 'aggregate') {
      const { aggregate, argument } = value
      if (clause === 'where' || clause === 'group') decline(`the aggregate ${value.label}`, value.at)
      if (argument === null) return { kind: 'aggregate', aggregate, place: null }
      const place = columns.placeOf(argument)
      const other = argument.table === null && clause !== 'list' ? aliased(argument.name, argument.at) : null
      if (other !== null && termKey(other) !== String(place)) ambiguous(argument.name, argument.at)
      return { kind: 'aggregate', aggregate, place }
    }
    const { table, name, at } = value
    const other = table === null && clause !== 'list' ? aliased(name, at) : null
    if (other === null) return { kind: 'column', place: columns.placeOf(value) }
    if (!columns.has(name) || clause === 'order') return other
    const column: Term = { kind: 'column', place: columns.placeOf(value) }
    if (clause === 'having' && termKey(other) !== termKey(column)) ambiguous(name, at)
    return column
  }
}

function ambiguous(name: string, at: number): never {
  return decline(`the name "${name}", which is a column and an alias`, at)
}
