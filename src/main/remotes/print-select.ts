import type { Predicate } from '../../plan/predicate/predicate.ts'
import type { WrittenRemoteTable } from './remote-table-name.ts'
import { type Dialect, SERVICE_DIALECT } from './sql/dialect.ts'
import { printCondition } from './sql/print-condition.ts'
import { printTable } from './sql/print-names.ts'

/** What is asked of a table of another service, or of a database. */
export interface RemoteSelect {
  readonly table: WrittenRemoteTable
  /** At least one. */
  readonly columns: readonly string[]
  readonly filter: Predicate | null
  /** Infinity: all rows. With a filter all are asked for, since it may let pass more there than here. */
  readonly limit: number
}

/** The statement, and the conditions that are no part of it. */
export interface PrintedSelect {
  readonly statement: string
  readonly appliedHere: readonly Predicate[]
}

/** Prints a statement for a remote, from the bound plan alone: nothing of it is the user's text. */
export function printSelect(
  { table, columns, filter, limit }: RemoteSelect,
  dialect: Dialect = SERVICE_DIALECT,
): PrintedSelect {
  const conjuncts = filter === null ? [] : filter.op === 'and' ? filter.args : [filter]
  const printed = conjuncts.map((conjunct) => printCondition(conjunct, dialect))
  const conditions = printed.flatMap((each) => each ?? [])
  const parts = [
    `SELECT ${columns.map(dialect.printColumn).join(', ')} FROM ${printTable(table.schema, table.name)}`,
    conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`,
    filter === null && Number.isFinite(limit) ? `LIMIT ${limit}` : '',
  ]
  return {
    statement: parts.filter((part) => part !== '').join(' '),
    appliedHere: conjuncts.filter((_, index) => printed[index] === null),
  }
}
