import type { GroupColumn, Predicate } from '../../plan/predicate/predicate.ts'
import { INT64, type SortKey } from '../../plan/task/finish.ts'
import type { Ending } from '../../plan/task/fragment.ts'
import type { DataType } from '../../plan/types/schema.ts'
import type { Column, Mask, Order } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'
import type { ReadContext } from '../formats/provider.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'
import { evaluate } from '../units/filter.ts'
import { at, type TypedTable, tableOf } from './typed-table.ts'

/**
 * The answer of a query of whose rows or groups all are there: those that pass, in their order, from the offset on to the
 * limit, the columns that go out; or their number. Takes the table. Row 0 is the first that goes out.
 */
export function ended(
  { table, types }: TypedTable,
  ending: Ending,
  { core, stopwatch }: ReadContext,
): DecodedUnit {
  const { finish, offset, limit } = ending
  const { rows, columns } = table
  const left = new Set(columns)
  let { mask } = table
  try {
    const having = finish.grouping?.having ?? null
    // Groups come without a mask.
    if (having !== null && rows > 0) mask = stopwatch.time('filter', () => passing(core, having, table))
    if (finish.isCounted) return countTable(core, mask === null ? rows : core.count(mask), ending)
    if (rows === 0) return tableOf([], 0)
    const order = stopwatch.time('sort', () =>
      ordered(core, finish.order, table, types, mask, offset + limit),
    )
    const output = finish.output.flatMap((place) => columns[place] ?? [])
    for (const column of output) left.delete(column)
    return { ...tableOf(output, core.orderRows(order)), from: -offset, order }
  } finally {
    for (const column of left) core.free(column)
    if (mask !== null) core.freeMask(mask)
  }
}

/** The one row that says how many of so many rows lie between offset and limit. */
export function countTable(core: Core, rows: number, { offset, limit }: Ending): DecodedUnit {
  const counted = Math.min(limit, Math.max(0, rows - offset))
  return tableOf([core.constant(INT64, { kind: 'int', value: BigInt(counted) }, 1)], 1)
}

/** Rows in an order, the first `limit` of them; without keys, as they lie. */
export function ordered(
  core: Core,
  keys: readonly SortKey[],
  { columns, rows }: Pick<DecodedUnit, 'columns' | 'rows'>,
  types: readonly DataType[],
  mask: Mask | null,
  limit: number,
): Order {
  const sorted = keys.map(({ column: place, isDescending, areNullsFirst }) => ({
    column: at(columns, place),
    type: at(types, place),
    isDescending,
    areNullsFirst,
  }))
  return core.sort(sorted, rows, mask, Math.min(limit, rows))
}

/** Groups that pass. */
function passing(core: Core, having: Predicate<GroupColumn>, { columns, rows }: DecodedUnit): Mask {
  return evaluate(core, having, { rows, column: ({ place }): Column => at(columns, place) })
}
