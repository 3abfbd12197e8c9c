import type { OuterQuery } from '../../plan/task/finish.ts'
import type { Column, Mask } from '../../wasm/core/column.ts'
import type { ReadContext } from '../formats/provider.ts'
import { computedColumns } from '../units/computed-column.ts'
import { evaluate } from '../units/filter.ts'
import { addUnit, groupTable, withGroups } from './groups.ts'
import { takeRows } from './take-rows.ts'
import { at, groupColumnsOf, type TypedTable, tableOf } from './typed-table.ts'

/**
 * What a query around another one ends with, from the rows of that one, whose order says which they are. It is a table of its groups, or one of the
 * columns that it computes, with a mask of the rows that pass its filter. Takes over the rows.
 */
export function rowsAround(
  { filter, columns: expressions, finish }: OuterQuery,
  rows: TypedTable,
  groupBytes: number,
  context: ReadContext,
): TypedTable {
  const { core, stopwatch, checkCancelled } = context
  const taken = inOrder(rows, context)
  const { table } = taken
  const types = expressions.map(({ type }) => type)
  /** Those that are freed here. */
  const columns = new Set<Column>(table.columns)
  let mask: Mask | null = null
  try {
    const given: Column[] = []
    if (table.rows > 0) {
      const from = { rows: table.rows, mask: null, column: groupColumnsOf(taken), checkCancelled }
      if (filter !== null) mask = stopwatch.time('filter', () => evaluate(core, filter, from))
      const calls = expressions.filter(({ kind }) => kind !== 'group')
      const computed = stopwatch.time('compute', () => computedColumns(core, calls, { ...from, mask }))
      for (const column of computed) columns.add(column)
      for (const expression of expressions)
        given.push(
          expression.kind === 'group'
            ? at(table.columns, expression.index)
            : at(computed, calls.indexOf(expression)),
        )
    }
    const unit = { ...tableOf(given, table.rows), mask }
    const { grouping } = finish
    if (grouping !== null)
      return withGroups(grouping, types, groupBytes, core, (groups) => {
        addUnit(groups, grouping, unit, context)
        return groupTable(groups, grouping, types, context)
      })
    for (const column of given) columns.delete(column)
    mask = null
    return { table: unit, types }
  } finally {
    for (const column of columns) core.free(column)
    if (mask !== null) core.freeMask(mask)
  }
}

/** The rows of a table from its first on, in its order, as columns of their own. */
function inOrder({ table, types }: TypedTable, { core, stopwatch }: ReadContext): TypedTable {
  const { columns, order, from, rows } = table
  if (order === null) return { table, types }
  try {
    const first = Math.min(-from, rows)
    const taken = stopwatch.time('sort', () => takeRows(core, columns, order, first, rows))
    return { table: tableOf(taken, rows - first), types }
  } finally {
    for (const column of new Set(columns)) core.free(column)
    core.freeOrder(order)
  }
}
