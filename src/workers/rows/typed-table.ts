import type { DataType } from '../../plan/types/schema.ts'
import type { Column } from '../../wasm/core/column.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'

/** A table, and the types of its columns. */
export interface TypedTable {
  readonly table: DecodedUnit
  readonly types: readonly DataType[]
}

/** Columns whose rows count from 0. */
export function tableOf(columns: readonly Column[], rows: number): DecodedUnit {
  return { rows, from: 0, columns, mask: null, order: null, rowsScanned: 0, span: null }
}

/** What a plan names by its place in a table. Throws a `RangeError` beyond the columns. */
export function at<T>(items: readonly T[], place: number): T {
  const item = items[place]
  if (item === undefined) throw new RangeError(`column ${place} of ${items.length}`)
  return item
}
