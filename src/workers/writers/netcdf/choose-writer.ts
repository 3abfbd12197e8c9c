import type { NetcdfVariable } from '../../../plan/output/netcdf-plan.ts'
import type { ColumnWriter } from './column-writer.ts'
import { fixedTextWriter } from './fixed-text-writer.ts'
import { numberWriter } from './number-writer.ts'
import { textWriter } from './text-writer.ts'

/** What writes the values of the column with this index. */
export function columnWriter(variable: NetcdfVariable, index: number): ColumnWriter {
  const { type, width } = variable
  if (type === 'string') return textWriter(index)
  if (type === 'char') return fixedTextWriter(index, width ?? 1)
  return numberWriter(index, variable.name, type)
}
