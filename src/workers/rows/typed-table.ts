import type { DataType } from '../../plan/types/schema.ts'
import type { Column } from '../../wasm/core/column.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'
import type { ComputedFrom } from '../units/computed-column.ts'

/** A table, and the types of its columns. */
export interface TypedTable {
  readonly table: DecodedUnit
  readonly types: readonly DataType[]
}

/** A table of columns with rows from 0 on, all of which pass. */
export function tableOf(columns: readonly Column[], rows: number): DecodedUnit {
  return { rows, from: 0, columns, mask: null, order: null, rowsScanned: 0, rowsPassed: 0, span: null }
}

/** The item that a plan refers to by the index of its column. Throws a `RangeError` if there is none. */
export function at<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined) throw new RangeError(`column ${index} of ${items.length}`)
  return item
}

/** Finds the columns of a table of groups, or of the output of a query, that expressions read. */
export function groupColumnsOf({ table: { columns }, types }: TypedTable): ComputedFrom['column'] {
  return (column) => {
    if (typeof column === 'string')
      throw new TypeError('an expression over groups that reads a column of rows')
    return { column: at(columns, column.index), type: at(types, column.index) }
  }
}
