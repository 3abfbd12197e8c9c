import type { GridPlan } from './grid-plan.ts'
import type { NetcdfPlan } from './netcdf-plan.ts'
import type { OdvPlan, OdvStationsPlan, OdvTextPlan } from './odv-plan.ts'
import type { ParquetPlan } from './parquet-plan.ts'

/**
 * How the rows of an answer become a file, as workers get it and EXPLAIN prints it. It is made from the schema and the options
 * of the request before a row is read, and is frozen and cloneable.
 */
export type FilePlan = ParquetPlan | OdvPlan | WrittenPlan

/** How a run of rows becomes bytes of a file, on any worker. Nothing is kept in between. */
export type EncodedPlan = ParquetPlan | OdvStationsPlan | OdvTextPlan

/** Of files that one worker writes with a library, from its first row to its last. */
export type WrittenPlan = NetcdfPlan | GridPlan
