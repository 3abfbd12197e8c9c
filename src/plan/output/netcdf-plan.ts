import type { AttributePlan, PlannedAttributes } from './attribute-plan.ts'
import type { Nc4Type } from './nc4-type.ts'

/** A flat NetCDF-4 file: a variable of each column over the unlimited dimension `obs`. */
export interface NetcdfPlan {
  readonly kind: 'netcdf'
  /** One for each column that is no attribute, in their order. */
  readonly variables: readonly NetcdfVariable[]
  readonly attributes: readonly AttributePlan[]
  /** The level of deflate, 1 to 9. 0: values are not compressed. */
  readonly compression: number
}

export interface NetcdfVariable extends VariableType {
  /** The index of its column. */
  readonly column: number
  readonly name: string
}

/** How the values of a column are stored. */
export interface VariableType {
  readonly type: Nc4Type
  /** The length of the second dimension of `char`. Null: there is only `obs`. */
  readonly width: number | null
  readonly attributes: PlannedAttributes
}

/** The only dimension of most variables. A column of this name is its coordinate variable. */
export const OBS = 'obs'

/** The name of the second dimension of texts of a fixed number of bytes. */
export function textDimension(width: number): string {
  return `STRING${width}`
}
