import type { FunctionFamily } from './function-row.ts'
import { macro, REGISTERED, row } from './row.ts'

/** The mean radius of the Earth, R₁ of the IUGG. Metres. */
const EARTH_RADIUS = 6_371_008.8

/** The square of the sine of half an angle in degrees. */
function haversineOf(degrees: string): string {
  return `power(sin(radians(${degrees}) / 2), 2)`
}

const OF_CHORD = `(${haversineOf('lat2 - lat1')} + cos(radians(lat1)) * cos(radians(lat2)) * ${haversineOf('lon2 - lon1')})`

/** Functions of longitudes and latitudes. */
export const PLACES: FunctionFamily = Object.freeze({
  title: 'Places',
  about:
    "Longitudes and latitudes are in degrees. `st_within_point` is planar: it takes longitudes as they are, so a polygon from -180 to 180 has no point of a file that counts them from 0 to 360. With a text that is no column, `WHERE st_within_point('…', longitude, latitude)` is a condition like a comparison: files and chunks outside of the geometry's box are not read.",
  rows: [
    row({
      name: 'haversine',
      overloads: ['lon1 DOUBLE, lat1 DOUBLE, lon2 DOUBLE, lat2 DOUBLE -> DOUBLE'],
      // Rounding may bring the chord beyond 1, but not the arctangent beyond its range. A null in an argument gives null.
      form: macro([
        'lon1 DOUBLE, lat1 DOUBLE, lon2 DOUBLE, lat2 DOUBLE',
        `${2 * EARTH_RADIUS} * atan2(sqrt(${OF_CHORD}), sqrt(abs(1 - ${OF_CHORD})))`,
      ]),
      description:
        'The distance in metres between two places along a great circle of a sphere of radius 6,371,008.8 m.',
      examples: [
        ['round(haversine(-20, 45, -20, 46))', '111195.0'],
        ['round(haversine(179.5, 0, -179.5, 0))', '111195.0'],
      ],
    }),
    row({
      name: 'st_geojson_as_wkt',
      overloads: ['geojson VARCHAR -> VARCHAR'],
      form: REGISTERED,
      description:
        'A geometry in GeoJSON as well-known text. Coordinates beyond longitude and latitude are left out. Another text is an error that names the place.',
      examples: [
        [`st_geojson_as_wkt('{"type": "Point", "coordinates": [1, 2]}')`, 'POINT(1 2)'],
        [
          `st_geojson_as_wkt('{"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 3], [0, 0]]]}')`,
          'POLYGON((0 0, 4 0, 4 3, 0 0))',
        ],
      ],
    }),
    row({
      name: 'st_within_point',
      overloads: ['wkt VARCHAR, longitude DOUBLE, latitude DOUBLE -> BOOLEAN'],
      nulls: 'are values',
      form: REGISTERED,
      description:
        'Whether a point lies inside of a geometry in well-known text; its border and its holes are outside. False if an argument is null. A text that is no WKT is an error that names the place.',
      examples: [
        ["st_within_point('POLYGON((0 0, 4 0, 4 3, 0 0))', 3, 1)", 'true'],
        ["st_within_point('POLYGON((0 0, 4 0, 4 3, 0 0))', 4, 1)", 'false'],
        ["st_within_point('POLYGON((0 0, 4 0, 4 3, 0 0))', NULL, 1)", 'false'],
      ],
    }),
  ],
})
