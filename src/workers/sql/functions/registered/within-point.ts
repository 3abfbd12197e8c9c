import { geojsonAsWkt } from '../../../../plan/geometry/geojson-as-wkt.ts'
import type { Geometry } from '../../../../plan/geometry/geometry.ts'
import { parseWkt } from '../../../../plan/geometry/parse-wkt.ts'
import { createLru } from '../../../../plan/lru.ts'
import type { DataType } from '../../../../plan/types/schema.ts'
import type { Core } from '../../../../wasm/core/core.ts'
import type { ArgumentVector } from '../../../../wasm/duckdb/functions/argument-vector.ts'
import type { ScalarFunction } from '../../../../wasm/duckdb/functions/scalar-function.ts'
import { BOOLEAN, DOUBLE, VARCHAR } from './types.ts'

const FLOAT64: DataType = Object.freeze({ kind: 'float', bits: 64 })

/**
 * `st_within_point(wkt, longitude, latitude)`: whether a point lies inside of a geometry, and not on its border. The core tests the
 * points, so that it says the same of each as in a filter of its own. False if an argument is null.
 */
export function withinPoint(core: () => Core): ScalarFunction {
  const geometryOf = lastGeometries()
  let inside = new Uint8Array()
  return {
    name: 'st_within_point',
    overloads: [
      {
        parameters: [VARCHAR, DOUBLE, DOUBLE],
        returns: BOOLEAN,
        takesNulls: true,
        // A text that is no geometry is an error when the statement is bound, even if there are no rows.
        check([wkt]) {
          if (typeof wkt?.text === 'string') geometryOf(wkt.text)
        },
        prepareRows([wkt, longitude, latitude], rows) {
          inside = new Uint8Array(rows)
          if (wkt === undefined || longitude === undefined || latitude === undefined) return
          for (const [text, ofText] of rowsByText([wkt, longitude, latitude], rows))
            testPoints(core(), geometryOf(text), { longitude, latitude }, ofText, inside)
        },
        compute: (_, result, row) => result.setBoolean(row, inside[row] === 1),
      },
    ],
  }
}

/** Rows without nulls by the text of the first argument. */
function rowsByText(args: readonly ArgumentVector[], rows: number): ReadonlyMap<string, readonly number[]> {
  const [wkt] = args
  const byText = new Map<string, number[]>()
  for (let row = 0; row < rows; row++) {
    if (wkt === undefined || args.some((argument) => argument.isNull(row))) continue
    const text = wkt.text(row)
    const ofText = byText.get(text)
    if (ofText === undefined) byText.set(text, [row])
    else ofText.push(row)
  }
  return byText
}

/** Sets 1 for the rows whose point lies in the geometry. */
function testPoints(
  core: Core,
  geometry: Geometry,
  { longitude, latitude }: { readonly longitude: ArgumentVector; readonly latitude: ArgumentVector },
  rows: readonly number[],
  inside: Uint8Array,
): void {
  const column = (values: ArgumentVector) => {
    const numbers = Float64Array.from(rows, (row) => values.double(row))
    const bytes = new Uint8Array(numbers.buffer)
    return core.assemble({ layout: 'fixed', parameter: 8, rows: rows.length, buffers: [null, bytes] })
  }
  const x = column(longitude)
  try {
    const y = column(latitude)
    try {
      const mask = core.within(x, FLOAT64, y, FLOAT64, geometry)
      for (const [index, row] of rows.entries()) inside[row] = Number(core.anyTrue(mask, index, index + 1))
      core.freeMask(mask)
    } finally {
      core.free(y)
    }
  } finally {
    core.free(x)
  }
}

/** The most characters of texts whose geometries are kept for the rows that follow. */
const MOST_CHARACTERS = 4 << 20

/** Parses texts, each once for all rows that follow closely enough. Throws as `parseWkt`. */
function lastGeometries(): (text: string) => Geometry {
  const cachedGeometries = createLru<Geometry>(MOST_CHARACTERS, (_, text) => 1 + text.length)
  return (text) => {
    const cached = cachedGeometries.get(text)
    if (cached !== undefined) return cached
    const geometry = parseWkt(text)
    cachedGeometries.put(text, geometry)
    return geometry
  }
}

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
