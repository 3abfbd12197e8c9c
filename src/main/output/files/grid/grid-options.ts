import { at, checkMembers, readArray, readMembers, readText } from '../../../json/shape.ts'
import type { OutputOptionsForm } from '../../output-format.ts'
import { COMPRESSION_SCHEMA, type NetcdfOptions, readCompression } from '../netcdf/netcdf-options.ts'

/** The options of a gridded NetCDF file (docs/reference/json-language.md). */
export interface GridOptions extends NetcdfOptions {
  /** The columns whose values are the dimensions, in their order. */
  readonly dimensionColumns: readonly string[]
}

export const GRID_OPTIONS: OutputOptionsForm<GridOptions> = Object.freeze({
  schema: {
    type: 'object',
    properties: {
      dimension_columns: { type: 'array', items: { type: 'string' } },
      compression: COMPRESSION_SCHEMA,
    },
    required: ['dimension_columns'],
  },
  areRequired: true,
  read(value: unknown, path: string) {
    const members = readMembers(value, path)
    checkMembers(members, ['dimension_columns', 'compression'], path)
    const columns = members.get('dimension_columns')
    const dimensionColumns = readArray(columns, at(path, 'dimension_columns'), readText)
    return Object.freeze({ dimensionColumns, compression: readCompression(members, path) })
  },
})
