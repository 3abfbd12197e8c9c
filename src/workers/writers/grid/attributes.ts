import type { PlannedAttributes } from '../../../plan/output/attribute-plan.ts'
import { GRID_UNITS } from '../../../wasm/core/kernels/grid.ts'
import { plannedAttributes } from '../netcdf/nc4-attributes.ts'
import type { Nc4Attribute } from '../netcdf/nc4-file.ts'
import type { GridColumn } from './grid-columns.ts'

/** By these programs know longitude and latitude (CF conventions, 4.1 and 4.2). */
const DEGREES = Object.freeze({ longitude: 'degrees_east', latitude: 'degrees_north' })

/** The attributes of a variable, without those that columns of attributes become. `unit`: that of its times, of `GRID_UNITS`. */
export function attributesOf(column: GridColumn, unit: number): readonly Nc4Attribute[] {
  return plannedAttributes({ ...derivedAttributes(column, unit), ...column.attributes }, column.type)
}

/** Those that follow from the type and the name. What says what it is by attributes of its own gets none but those that it needs. */
function derivedAttributes({ values, axis, isDescribed }: GridColumn, unit: number): PlannedAttributes {
  if (axis !== null) return isDescribed ? {} : { standard_name: axis, units: DEGREES[axis] }
  if (values.kind !== 'timestamp' && values.kind !== 'date') return {}
  const units = `${GRID_UNITS[unit] ?? 'days'} since 1970-01-01T00:00:00Z`
  return { calendar: 'gregorian', ...(!isDescribed && { standard_name: 'time' }), units }
}
