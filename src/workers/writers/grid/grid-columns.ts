import type { GridPlan, GridVariable } from '../../../plan/output/grid-plan.ts'
import { type DataType, type Field, valueType } from '../../../plan/types/schema.ts'
import { FILL_VALUES } from '../netcdf/fill-value.ts'

/** A column of a grid. */
export interface GridColumn extends GridVariable {
  /** The type of its values in memory. */
  readonly values: DataType
  /** The bytes of a value. */
  readonly width: number
  /** What elements without a value hold, as its bytes. */
  readonly fill: Uint8Array
}

export interface GridColumns {
  readonly dimensions: readonly GridColumn[]
  readonly variables: readonly GridColumn[]
}

/** The dimensions of a grid in their order, and the other columns in theirs. */
export function gridColumns({ dimensions, variables }: GridPlan, fields: readonly Field[]): GridColumns {
  const columns = variables.map((variable): GridColumn => {
    const { width, bytes } = FILL_VALUES[variable.type]
    return { ...variable, values: valueType(at(fields, variable.column).type), width, fill: bytes }
  })
  return {
    dimensions: dimensions.map((index) => at(columns, index)),
    variables: columns.filter((_, index) => !dimensions.includes(index)),
  }
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined) throw new RangeError(`column ${index} of ${items.length}`)
  return item
}
