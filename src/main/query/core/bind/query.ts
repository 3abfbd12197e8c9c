import { all, unlessTrue } from '../../../../plan/condition/combine.ts'
import { type Condition, TRUE } from '../../../../plan/condition/condition.ts'
import type { TypedExpression } from '../../../../plan/expression.ts'
import type { ScanPlan } from '../../../../plan/plan.ts'
import type { Projection } from '../../../../plan/scan.ts'
import type { Finish, SortKey } from '../../../../plan/task/finish.ts'
import type { Field } from '../../../../plan/types/schema.ts'
import { scanSpec } from '../../bind/columns.ts'
import { decline } from '../../bind/declined.ts'
import { askedInOrder } from '../../bind/expressions/asked-in-order.ts'
import { compareArguments } from '../../bind/preimages/compare-arguments.ts'
import type { FilesTable } from '../../source/files-table.ts'
import type { Ordinal, Select, SqlExpression } from '../parse/ast.ts'
import { bindCondition } from './bind-condition.ts'
import type { Uses } from './growth.ts'
import { type Clause, countUse, type Names, type Term } from './names-in-clauses.ts'
import type { TableColumns } from './table-columns.ts'

/** A `SELECT` over files whose select list has been resolved. */
export interface Query {
  readonly select: Select
  readonly table: FilesTable
  readonly columns: TableColumns
  readonly entries: readonly Entry[]
  readonly names: Names
  readonly uses: Uses
}

/** A column of the answer. `at` is the position of its item in the statement, in UTF-16 units. */
export interface Entry {
  readonly term: Term
  readonly alias: string | null
  readonly name: string
  readonly at: number
}

/** The meaning of an item of ORDER BY or GROUP BY: a value, or the number of a column of the answer. */
export function termIn(
  { entries, names, uses }: Query,
  value: SqlExpression | Ordinal,
  clause: Clause,
): Term {
  if (value.kind !== 'ordinal') return names.termOf(value, clause)
  const { term } = entryAt(entries, value)
  countUse(uses, term, value.at)
  return term
}

function entryAt(entries: readonly Entry[], { number, at }: Ordinal): Entry {
  return entries[number - 1] ?? decline(`the place ${number} in a list of ${entries.length}`, at)
}

/** The expression over rows that a term is. Declines an aggregate. */
export function rowOf(term: Term, at: number): TypedExpression {
  return term.kind === 'row' ? term.expression : decline('an aggregate in place of a column', at)
}

/** The sort keys of ORDER BY. `indexOf` gives the index of a term among the columns that are sorted. */
export function orderOf(query: Query, indexOf: (term: Term, at: number) => number): readonly SortKey[] {
  const keys = query.select.orderBy.map(({ value, isDescending, areNullsFirst }) =>
    Object.freeze({ column: indexOf(termIn(query, value, 'order'), value.at), isDescending, areNullsFirst }),
  )
  return Object.freeze(keys)
}

/** Binds a condition on rows of the table. */
export function bindFilter({ names }: Query, condition: SqlExpression | null, clause: Clause): Condition {
  if (condition === null) return TRUE
  return bindCondition(condition, (value) => rowOf(names.termOf(value, clause), value.at))
}

/** The plan of a query. `list` is the projection of its scan, and `fields` are those of the answer. */
export function planOf(
  { select, table, columns }: Query,
  filters: readonly Condition[],
  list: readonly Projection[],
  finish: Finish,
  fields: readonly Field[],
): ScanPlan {
  const { relation, format, files } = table
  const condition = all([columns.filter, ...filters.map((filter) => askedInOrder(compareArguments(filter)))])
  const filter = unlessTrue(condition)
  return Object.freeze({
    engine: 'core',
    scan: scanSpec(format, filter, [...list], columns.source, columns.rowsOf ?? columns.named()),
    relation,
    files,
    finish: Object.freeze(finish),
    output: Object.freeze({ fields: Object.freeze(fields), metadata: Object.freeze({}) }),
    offset: select.offset,
    limit: select.limit ?? Number.POSITIVE_INFINITY,
  })
}
