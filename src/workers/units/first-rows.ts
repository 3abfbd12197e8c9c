import type { FirstRows } from '../../plan/task/finish.ts'
import { type DataType, valueType } from '../../plan/types/schema.ts'
import type { Column, Mask } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'

/** Which rows of a table are among the first of their groups, of those that are true in its mask, and their numbers, if these are asked for. */
export function firstRows(
  core: Core,
  { keys, order, most, isNumbered }: FirstRows,
  { columns, rows, mask }: Pick<DecodedUnit, 'columns' | 'rows' | 'mask'>,
  types: readonly DataType[],
): { readonly mask: Mask; readonly numbers: Column | null } {
  const typed = (index: number) => {
    const [column, type] = [columns[index], types[index]]
    if (column === undefined || type === undefined)
      throw new RangeError(`column ${index} of ${columns.length}`)
    return { column, type: valueType(type) }
  }
  const orderKeys = order.map(({ column, isDescending, areNullsFirst }) => ({
    ...typed(column),
    isDescending,
    areNullsFirst,
  }))
  return core.firstRows(keys.map(typed), orderKeys, rows, mask, { most, isNumbered })
}
