import { foldSqlName } from '../../../../plan/statement/statement.ts'
import { decline } from '../../bind/declined.ts'
import type { Value } from '../parse/ast.ts'
import type { TableColumns } from './table-columns.ts'

/** The meaning of a value: a column of the table, by its index, or an aggregate of one. Null: an aggregate of rows. */
export type Term =
  | { readonly kind: 'column'; readonly index: number }
  | {
      readonly kind: 'aggregate'
      readonly aggregate: Extract<Value, { kind: 'aggregate' }>['aggregate']
      readonly index: number | null
    }

export type Clause = 'list' | 'where' | 'group' | 'having' | 'order'

/** Finds the meaning of a value in a clause. */
export type TermOf = (value: Value, clause: Clause) => Term

/** A key that is equal for equal terms. */
function termKey(term: Term): string {
  return term.kind === 'column' ? `${term.index}` : `${term.aggregate} ${term.index}`
}

/**
 * Resolves names as DuckDB does. In WHERE and GROUP BY a name is a column, or else an alias; in ORDER BY it is an alias, or
 * else a column; in the select list it is a column. Declines a statement in which a name is both and its meaning depends on
 * more than this.
 */
export function createTermOf(columns: TableColumns, aliases: readonly (readonly [string, Term])[]): TermOf {
  const byAlias = Map.groupBy(aliases, ([alias]) => foldSqlName(alias))

  function termOfAlias(name: string, at: number): Term | null {
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
      if (argument === null) return { kind: 'aggregate', aggregate, index: null }
      const index = columns.indexOf(argument)
      const other =
        argument.table === null && clause !== 'list' ? termOfAlias(argument.name, argument.at) : null
      if (other !== null && termKey(other) !== String(index)) ambiguous(argument.name, argument.at)
      return { kind: 'aggregate', aggregate, index }
    }
    const { table, name, at } = value
    const other = table === null && clause !== 'list' ? termOfAlias(name, at) : null
    if (other === null) return { kind: 'column', index: columns.indexOf(value) }
    if (!columns.has(name) || clause === 'order') return other
    const column: Term = { kind: 'column', index: columns.indexOf(value) }
    if (clause === 'having' && termKey(other) !== termKey(column)) ambiguous(name, at)
    return column
  }
}

function ambiguous(name: string, at: number): never {
  return decline(`the name "${name}", which is a column and an alias`, at)
}
