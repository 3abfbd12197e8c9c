import type { GridPlan } from '../../../plan/output/grid-plan.ts'
import type { DataType, Field } from '../../../plan/types/schema.ts'
import type { ReadContext } from '../../formats/provider.ts'
import { at, tableOf } from '../../rows/typed-table.ts'
import type { DecodedUnit } from '../../state/decoded-units.ts'
import { constantColumns } from '../netcdf/constant-columns.ts'
import type { Nc4File } from '../netcdf/nc4-file.ts'
import { plainTable } from '../plain-batches.ts'
import type { GridColumns } from './grid-columns.ts'

/** The columns of rows in a grid that become attributes if all of these have one value. */
export interface GridConstants {
  /** Looks at the rows of a table, whose columns have these types. */
  observe(table: DecodedUnit, types: readonly DataType[], context: ReadContext): void
  /** Adds the attributes to the file. */
  write(file: Pick<Nc4File, 'addAttribute'>): void
}

/** In the file the dimensions come first, and then the other variables. */
export function gridConstants(
  { attributes, variables }: GridPlan,
  fields: readonly Field[],
  columns: GridColumns,
): GridConstants {
  const written = [...columns.dimensions, ...columns.variables].map(({ column }) => column)
  const placed = attributes.map((attribute) => {
    const { variable } = attribute
    return variable === null
      ? attribute
      : { ...attribute, variable: written.indexOf(at(variables, variable).column) }
  })
  const constants = constantColumns(placed, [...placed.keys()], fields)
  return {
    observe(table, types, context) {
      if (attributes.length === 0) return
      const attributeColumns = attributes.map(({ column }) => column)
      const batches = plainTable(
        tableOf(
          attributeColumns.map((column) => at(table.columns, column)),
          table.rows,
        ),
        attributeColumns.map((column) => at(types, column)),
        context,
      )
      for (const batch of batches) constants.observe(batch)
    },
    write: constants.write,
  }
}
