import type { Condition } from '../../plan/condition/condition.ts'
import { conjunctsOf } from '../../plan/condition/test.ts'
import { quoteSqlName } from '../../plan/statement/statement.ts'
import type { WrittenRemoteTable } from './remote-table-name.ts'
import { type Dialect, SERVICE_DIALECT } from './sql/dialect.ts'
import { printCondition } from './sql/print-condition.ts'
import { printTable } from './sql/print-names.ts'

/** A column by which rows are ordered. */
export interface RemoteSortKey {
  readonly column: string
  readonly isDescending: boolean
  readonly areNullsFirst: boolean
}

/** What is asked of a table of another service, or of a database. */
export interface RemoteSelect {
  readonly table: WrittenRemoteTable
  /** At least one. */
  readonly columns: readonly string[]
  readonly filter: Condition | null
  /** Infinity: all rows. */
  readonly limit: number
  /** Of which rows the limit leaves the first ones. Absent: of any. */
  readonly order?: readonly RemoteSortKey[]
}

/** The statement, and what is no part of it. */
export interface PrintedSelect {
  readonly statement: string
  readonly appliedHere: readonly Condition[]
  /** Why the limit is no part of it. Null: it is, or there is none. */
  readonly whyNoLimit: string | null
}

/** Prints a statement for a remote, from the bound plan alone: nothing of it is the user's text. */
export function printSelect(
  { table, columns, filter, limit, order = [] }: RemoteSelect,
  dialect: Dialect = SERVICE_DIALECT,
): PrintedSelect {
  const conjuncts = conjunctsOf(filter)
  const printed = conjuncts.map((conjunct) => printCondition(conjunct, dialect))
  const conditions = printed.flatMap((each) => each?.text ?? [])
  const isExact = printed.every((each) => each?.isExact)
  const keys = order.map((key) => ({ key, text: printSortKey(key, dialect) }))
  const unordered = keys.find(({ text }) => text === null)?.key.column
  const isLimited = Number.isFinite(limit) && isExact && unordered === undefined
  const parts = [
    `SELECT ${columns.map(dialect.printColumn).join(', ')} FROM ${printTable(table.schema, table.name)}`,
    conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`,
    isLimited && keys.length > 0 ? `ORDER BY ${keys.map(({ text }) => text).join(', ')}` : '',
    isLimited ? `LIMIT ${limit}` : '',
  ]
  return {
    statement: parts.filter((part) => part !== '').join(' '),
    appliedHere: conjuncts.filter((_, index) => printed[index] === null),
    whyNoLimit:
      isLimited || !Number.isFinite(limit)
        ? null
        : unordered === undefined
          ? 'it is not certain that the same rows pass all conditions there'
          : `it is not certain that ${quoteSqlName(unordered)} is ordered there as it is here`,
  }
}

/** Null: it is not certain that values are ordered there as they are here. */
function printSortKey(
  { column, isDescending, areNullsFirst }: RemoteSortKey,
  { printOrdered, areNullsLeast = false }: Dialect,
): string | null {
  const ordered = printOrdered?.(column) ?? null
  if (ordered === null) return null
  const key = `${ordered} ${isDescending ? 'DESC' : 'ASC'}`
  if (!areNullsLeast) return `${key} NULLS ${areNullsFirst ? 'FIRST' : 'LAST'}`
  return areNullsFirst === isDescending
    ? `(${ordered} IS NULL) ${areNullsFirst ? 'DESC' : 'ASC'}, ${key}`
    : key
}
