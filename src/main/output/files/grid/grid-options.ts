import { at, checkMembers, readArray, readMembers, readText } from '../../../json/shape.ts'
import type { OutputOptionsForm } from '../../output-format.ts'

/** The options of a gridded NetCDF file (docs/reference/json-language.md). */
export interface GridOptions {
  /** The columns whose values are the dimensions, in their order. */
  readonly dimensionColumns: readonly string[]
}

export const GRID_OPTIONS: OutputOptionsForm<GridOptions> = Object.freeze({
  schema: {
    type: 'object',
    properties: { dimension_columns: { type: 'array', items: { type: 'string' } } },
    required: ['dimension_columns'],
  },
  areRequired: true,
  read(value: unknown, path: string) {
    const members = readMembers(value, path)
    checkMembers(members, ['dimension_columns'], path)
    const columns = members.get('dimension_columns')
    const dimensionColumns = readArray(columns, at(path, 'dimension_columns'), readText)
    return Object.freeze({ dimensionColumns })
  },
})
