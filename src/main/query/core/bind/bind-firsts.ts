import { columnExpression, columnsOfExpressions } from '../../../../plan/expression.ts'
import type { Projection } from '../../../../plan/scan.ts'
import { type Finish, type FirstRows, INT64, type SortKey } from '../../../../plan/task/finish.ts'
import { decline } from '../../bind/declined.ts'
import type { ProjectionList } from '../../bind/projection-list.ts'
import type { FirstsOfSelect, RowNumber, SqlExpression } from '../parse/ast.ts'
import { mostOf } from '../parse/parse-firsts.ts'
import type { Clause } from './names-in-clauses.ts'
import { type Query, rowOf, termIn } from './query.ts'
import type { BoundWindow } from './relation.ts'
import type { TableColumns } from './table-columns.ts'

/**
 * Stands for the number of a row in its group until the plan is made. No column of a file has this name in SQL, and what computes with it is
 * declined.
 */
export const NUMBER = columnExpression('\0row_number', INT64)

/** A window, and how many of the rows that it numbers are left of each group. Its order is null if it is that of the query. */
export interface BoundFirsts extends Pick<BoundWindow, 'keys'> {
  readonly order: BoundWindow['order'] | null
  readonly most: number
}

/** Binds DISTINCT ON or QUALIFY. */
export function writtenFirsts(query: Query, firsts: FirstsOfSelect): BoundFirsts {
  if (firsts.kind === 'row_number')
    return { ...bindWindow(query, firsts.window, 'having'), most: firsts.most ?? Number.POSITIVE_INFINITY }
  const keys = firsts.on.map((value) => rowOf(termIn(query, value, 'order'), value.at))
  return { keys, order: null, most: 1 }
}

/** Binds the expressions of a window in a clause. */
export function bindWindow({ names }: Query, window: RowNumber, clause: Clause): BoundWindow {
  const bind = (value: SqlExpression) => rowOf(names.termOf(value, clause), value.at)
  return {
    keys: window.partitionBy.map(bind),
    order: window.orderBy.map(({ value, isDescending, areNullsFirst }) => ({
      expression: value.kind === 'ordinal' ? decline('a constant in a window', value.at) : bind(value),
      isDescending,
      areNullsFirst,
    })),
  }
}

/** How many rows of each group a condition leaves by their number, and what else it demands. Null: it is no condition on the number. */
export function numberCondition(
  where: SqlExpression | null,
  columns: TableColumns,
): { readonly most: number; readonly rest: SqlExpression | null } | null {
  const terms = where?.kind === 'call' && where.name === 'and' ? where.args : where === null ? [] : [where]
  const index = terms.findIndex((term) => mostIn(term, columns) !== null)
  const [term, rest] = [terms[index], terms.toSpliced(index, 1)]
  const most = term === undefined ? null : mostIn(term, columns)
  if (most === null) return null
  const [first = null, ...others] = rest
  return { most, rest: others.length === 0 || where?.kind !== 'call' ? first : { ...where, args: rest } }
}

/** How many rows of each group a condition on their number leaves. Null: it is another condition. */
function mostIn(where: SqlExpression | null, columns: TableColumns): number | null {
  if (where?.kind !== 'call') return null
  const [value, literal] = where.args
  if (value?.kind !== 'column' || literal?.kind !== 'literal' || literal.form !== 'integer') return null
  if (columns.fields[columns.indexOf(value)]?.name !== NUMBER.column) return null
  return /^\d{1,15}$/.test(literal.text) ? mostOf(where.name, Number(literal.text), where.at) : null
}

/** The end of a plan for the first rows of each group, and its projection, in which the number of a row is the column behind all others. */
export function firstsFinish(
  { keys, order: windowOrder, most }: BoundFirsts,
  order: readonly SortKey[],
  outputs: readonly number[],
  projection: ProjectionList,
): { readonly list: readonly Projection[]; readonly finish: Finish } {
  const keyIndexes = [...new Set(keys.map((key) => projection.add(key)))]
  const within =
    windowOrder?.map(({ expression, ...direction }) => ({
      column: projection.add(expression),
      ...direction,
    })) ?? order
  const { list } = projection
  const number = list.findIndex(({ expression }) => isNumber(expression))
  const others = list.filter((_, index) => index !== number)
  const isComputed = columnsOfExpressions(others.map(({ expression }) => expression)).includes(NUMBER.column)
  if (isComputed || [...keyIndexes, ...within.map(({ column }) => column)].includes(number))
    decline('an expression of row_number()')
  const placeOf = (index: number): number => {
    if (number === -1 || index < number) return index
    return index === number ? others.length : index - 1
  }
  const moved = (key: SortKey): SortKey => Object.freeze({ ...key, column: placeOf(key.column) })
  const firsts: FirstRows = Object.freeze({
    keys: Object.freeze(keyIndexes.map(placeOf)),
    order: Object.freeze(within.map(moved)),
    most,
    isNumbered: number !== -1,
  })
  return {
    list: others,
    finish: {
      grouping: null,
      firsts,
      order: Object.freeze(order.map(moved)),
      output: Object.freeze(outputs.map(placeOf)),
      isCounted: false,
    },
  }
}

function isNumber(expression: Projection['expression']): boolean {
  return expression.kind === 'column' && expression.column === NUMBER.column
}
