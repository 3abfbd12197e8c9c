import { type Finish, INT64, type SortKey } from '../../plan/task/finish.ts'
import type { Ending } from '../../plan/task/fragment.ts'
import { type DataType, valueType } from '../../plan/types/schema.ts'
import type { Column, Mask, Order } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'
import type { ReadContext } from '../formats/provider.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'
import { computedColumns } from '../units/computed-column.ts'
import { evaluate } from '../units/filter.ts'
import { firstRows } from '../units/first-rows.ts'
import { countPassing } from './passing-parts.ts'
import { rowsAround } from './rows-around.ts'
import { at, groupColumnsOf, type TypedTable, tableOf } from './typed-table.ts'

/**
 * Finishes a query, from a table of all of its rows or groups: filters groups by HAVING, keeps the first rows of each group, sorts, cuts at offset and limit, and
 * keeps the columns of the output; or counts the rows. Then it runs the queries around it. Takes over the table. Row 0 of the result is the first of the answer.
 * Groups of the queries around it take at most `groupBytes` each.
 */
export function finalRows(
  { table, types }: TypedTable,
  ending: Ending,
  groupBytes: number,
  context: ReadContext,
): DecodedUnit {
  const { outer, ...finish } = ending.finish
  if (outer === undefined) return lastRows({ table, types }, ending, context)
  const { offset, limit } = outer
  const outputs = outputTypes(finish, types)
  const rows = lastRows({ table, types }, { finish, offset, limit, types: outputs }, context)
  const given = rowsAround(outer, { table: rows, types: outputs }, groupBytes, context)
  // The groups that are told are those of the inner query.
  const stopwatch = { ...context.stopwatch, setGroups: () => undefined }
  return finalRows(given, { ...ending, finish: outer.finish }, groupBytes, { ...context, stopwatch })
}

/** The types of the output columns of a query, whose table has columns of these types. */
function outputTypes({ grouping, output }: Finish, types: readonly DataType[]): readonly DataType[] {
  const all = [...types, ...(grouping === null ? [INT64] : (grouping.computed ?? []).map(({ type }) => type))]
  return output.map((index) => valueType(at(all, index)))
}

function lastRows(
  { table, types }: TypedTable,
  ending: Ending,
  { core, stopwatch, checkCancelled }: ReadContext,
): DecodedUnit {
  const { finish, offset, limit } = ending
  const { rows, columns } = table
  const remainingColumns = new Set(columns)
  const numbers: Column[] = []
  let { mask } = table
  try {
    const having = finish.grouping?.having ?? null
    // A table of groups has no mask that this could replace.
    const from = { rows, mask: null, column: groupColumnsOf({ table, types }), checkCancelled }
    if (having !== null && rows > 0) mask = stopwatch.time('having', () => evaluate(core, having, from))
    if (finish.grouping !== null) stopwatch.setGroups(rows, countPassing({ rows, mask }, core))
    const { firsts } = finish
    if (firsts !== undefined && rows > 0) {
      const chosen = stopwatch.time('group', () => firstRows(core, firsts, { columns, rows, mask }, types))
      if (mask !== null) core.freeMask(mask)
      mask = chosen.mask
      if (chosen.numbers !== null) numbers.push(chosen.numbers)
      for (const column of numbers) remainingColumns.add(column)
    }
    if (firsts !== undefined || finish.isCounted) {
      const passing = countPassing({ rows, mask }, core)
      if (firsts !== undefined) stopwatch.setGroups(passing, passing)
      if (finish.isCounted) return countTable(core, passing, ending)
    }
    if (rows === 0) return tableOf([], 0)
    const expressions = finish.grouping?.computed ?? []
    const computed = stopwatch.time('compute', () => computedColumns(core, expressions, { ...from, mask }))
    for (const column of computed) remainingColumns.add(column)
    const all = { rows, columns: [...columns, ...numbers, ...computed] }
    const allTypes = [...types, ...numbers.map(() => INT64), ...expressions.map(({ type }) => type)]
    const order = stopwatch.time('sort', () =>
      sortRows(core, finish.order, all, allTypes, mask, offset + limit),
    )
    const output = finish.output.flatMap((index) => all.columns[index] ?? [])
    for (const column of output) remainingColumns.delete(column)
    return { ...tableOf(output, core.orderRows(order)), from: -offset, order }
  } finally {
    for (const column of remainingColumns) core.free(column)
    if (mask !== null) core.freeMask(mask)
  }
}

/** A table of one row and column: the number of rows that offset and limit leave of `rows`. */
export function countTable(core: Core, rows: number, { offset, limit }: Ending): DecodedUnit {
  const counted = Math.min(limit, Math.max(0, rows - offset))
  return tableOf([core.constant(INT64, { kind: 'int', value: BigInt(counted) }, 1)], 1)
}

/** Sorts rows and keeps the first `limit`. Without keys they stay in their order. */
export function sortRows(
  core: Core,
  keys: readonly SortKey[],
  { columns, rows }: Pick<DecodedUnit, 'columns' | 'rows'>,
  types: readonly DataType[],
  mask: Mask | null,
  limit: number,
): Order {
  const orderKeys = keys.map(({ column, isDescending, areNullsFirst }) => ({
    column: at(columns, column),
    type: at(types, column),
    isDescending,
    areNullsFirst,
  }))
  return core.sort(orderKeys, rows, mask, Math.min(limit, rows))
}
