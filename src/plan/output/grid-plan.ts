import type { Nc4Type } from './nc4-type.ts'

/** A NetCDF-4 file of a grid: the values of some columns are its dimensions, and the other columns are variables over all of them. */
export interface GridPlan {
  readonly kind: 'nd_netcdf'
  /** One for each column. */
  readonly variables: readonly GridVariable[]
  /** The dimensions in their order, as indexes of variables. */
  readonly dimensions: readonly number[]
  /** The most bytes of the values of a grid. */
  readonly maximumBytes: number
}

export interface GridVariable {
  readonly name: string
  readonly type: GridType
  /** What a dimension is to programs that draw maps. */
  readonly axis: 'longitude' | 'latitude' | null
}

/** The types of values of a grid. */
export type GridType = Exclude<Nc4Type, 'char' | 'string'>
