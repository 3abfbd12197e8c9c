import type { Column, Order } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'
import { collect } from '../formats/collect.ts'

/**
 * Rows `from`..`to` of an order, of each column. A column that occurs several times is taken once, and its result occurs as
 * often. The caller frees each distinct result.
 */
export function takeRows(
  core: Core,
  columns: readonly Column[],
  order: Order,
  from: number,
  to: number,
): readonly Column[] {
  const distinct = [...new Set(columns)]
  const taken = collect(core, (takenColumns) => {
    for (const column of distinct) takenColumns.push(core.take(column, order, from, to))
  })
  return columns.flatMap((column) => taken[distinct.indexOf(column)] ?? [])
}
