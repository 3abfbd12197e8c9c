import type { Column, Mask } from '../../../wasm/core/column.ts'
import type { Core } from '../../../wasm/core/core.ts'
import { collect } from '../../formats/collect.ts'
import { at, tableOf } from '../../rows/typed-table.ts'
import type { DecodedUnit } from '../../state/decoded-units.ts'

/**
 * The rows of a table that have a place in a grid: those in which no dimension is null. Takes ownership of the columns. `dimensions` are
 * indexes of columns.
 */
export function placedRows(table: DecodedUnit, dimensions: readonly number[], core: Core): DecodedUnit {
  try {
    const mask = maskOf(table, dimensions, core)
    try {
      const rows = core.count(mask)
      if (rows === table.rows) return table
      const columns = collect(core, (filteredColumns) => {
        for (const column of table.columns) filteredColumns.push(core.filter(column, mask))
      })
      for (const column of table.columns) core.free(column)
      return tableOf(columns, rows)
    } finally {
      core.freeMask(mask)
    }
  } catch (error) {
    for (const column of table.columns) core.free(column)
    throw error
  }
}

function maskOf({ columns, rows }: DecodedUnit, dimensions: readonly number[], core: Core): Mask {
  let mask = core.filled(rows, true)
  try {
    for (const index of dimensions) mask = narrow(mask, at(columns, index), core)
    return mask
  } catch (error) {
    core.freeMask(mask)
    throw error
  }
}

/** A mask without the rows in which a column is null. Frees the mask that is given, unless it throws. */
function narrow(mask: Mask, column: Column, core: Core): Mask {
  const notNullMask = core.isNotNull(column)
  try {
    const both = core.and(mask, notNullMask)
    core.freeMask(mask)
    return both
  } finally {
    core.freeMask(notNullMask)
  }
}
