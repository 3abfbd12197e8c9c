import { geojsonAsWkt } from '../../../../plan/geometry/geojson-as-wkt.ts'
import type { ScalarFunction } from '../../../../wasm/duckdb/functions/scalar-function.ts'
import { VARCHAR } from './types.ts'

/** `st_geojson_as_wkt(text)`: a geometry in GeoJSON as WKT. */
export const GEOJSON_AS_WKT: ScalarFunction = Object.freeze({
  name: 'st_geojson_as_wkt',
  overloads: [
    {
      parameters: [VARCHAR],
      returns: VARCHAR,
      compute: ([text], result, row) =>
        result.setBytes(row, Buffer.from(geojsonAsWkt(text?.text(row) ?? ''))),
    },
  ],
} satisfies ScalarFunction)
