import type { AttributePlan, PlannedAttributes } from './attribute-plan.ts'
import type { Nc4Type } from './nc4-type.ts'

/** A NetCDF-4 file of a grid: the values of some columns are its dimensions, and the other columns are variables over all of them. */
export interface GridPlan {
  readonly kind: 'nd_netcdf'
  /** One for each column that is no attribute, in their order. */
  readonly variables: readonly GridVariable[]
  readonly attributes: readonly AttributePlan[]
  /** The dimensions in their order, as indexes of variables. */
  readonly dimensions: readonly number[]
  /** The most bytes of the values of a grid. */
  readonly maximumBytes: number
  /** As in `NetcdfPlan`. */
  readonly compression: number
}

export interface GridVariable {
  /** The index of its column. */
  readonly column: number
  readonly name: string
  readonly type: GridType
  /** What a dimension is to programs that draw maps. */
  readonly axis: 'longitude' | 'latitude' | null
  /** Whether the column has attributes of its own, so that none are made of its name. */
  readonly isDescribed: boolean
  /** Those of the column. */
  readonly attributes: PlannedAttributes
}

/** The types of values of a grid. */
export type GridType = Exclude<Nc4Type, 'char' | 'string'>
