import { GRID_UNITS } from '../../../wasm/core/kernels/grid.ts'
import type { Nc4Attribute } from '../netcdf/nc4-file.ts'
import type { GridColumn } from './grid-columns.ts'

/** By these programs know longitude and latitude (CF conventions, 4.1 and 4.2). */
const DEGREES = Object.freeze({ longitude: 'degrees_east', latitude: 'degrees_north' })

/** The attributes of a variable. `unit`: that of its times, of `GRID_UNITS`. */
export function attributesOf({ values, axis }: GridColumn, unit: number): Nc4Attribute[] {
  if (axis !== null)
    return [
      { name: 'standard_name', text: axis },
      { name: 'units', text: DEGREES[axis] },
    ]
  if (values.kind !== 'timestamp' && values.kind !== 'date') return []
  return [
    { name: 'calendar', text: 'gregorian' },
    { name: 'standard_name', text: 'time' },
    { name: 'units', text: `${GRID_UNITS[unit] ?? 'days'} since 1970-01-01T00:00:00Z` },
  ]
}
