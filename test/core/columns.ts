import type { Scalar } from '../../src/plan/types/scalar.ts'
import type { DataType } from '../../src/plan/types/schema.ts'
import type { Column } from '../../src/wasm/core/column.ts'
import type { Core } from '../../src/wasm/core/core.ts'

/** A column of values one by one. */
export function columnOf(core: Core, type: DataType, values: readonly (Scalar | null)[]): Column {
  const parts = values.map((value) => core.constant(type, value, 1))
  if (parts.length === 0) return core.constant(type, null, 0)
  const column = core.concat(parts)
  parts.forEach(core.free)
  return column
}

/** The values of a column of a flat type. */
export function valuesOf(core: Core, column: Column, type: DataType): (Scalar | null)[] {
  return Array.from({ length: core.rows(column) }, (_, row) => core.valueAt(column, type, row))
}
