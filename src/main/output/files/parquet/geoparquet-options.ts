import { checkMembers, readMembers, readOptionalText } from '../../../json/shape.ts'
import type { OutputOptionsForm } from '../../output-format.ts'

/** The options of a GeoParquet file (docs/reference/json-language.md). Null for either column: it is found by its name. */
export interface GeoparquetOptions {
  readonly longitudeColumn: string | null
  readonly latitudeColumn: string | null
}

export const GEOPARQUET_OPTIONS: OutputOptionsForm<GeoparquetOptions> = Object.freeze({
  schema: {
    type: 'object',
    properties: { longitude_column: { type: 'string' }, latitude_column: { type: 'string' } },
  },
  areRequired: false,
  read(value: unknown, path: string) {
    const members = readMembers(value, path)
    checkMembers(members, ['longitude_column', 'latitude_column'], path)
    const longitudeColumn = readOptionalText(members, 'longitude_column', path)
    const latitudeColumn = readOptionalText(members, 'latitude_column', path)
    return Object.freeze({ longitudeColumn, latitudeColumn })
  },
})
