import t from 'tap'
import type { GeoparquetOptions } from '../../../src/main/output/files/parquet/geoparquet-options.ts'
import { geoparquetPlan } from '../../../src/main/output/files/parquet/prepare-parquet.ts'
import { type DataType, field } from '../../../src/plan/types/schema.ts'

const f64: DataType = { kind: 'float', bits: 64 }
const utf8: DataType = { kind: 'utf8' }
const NONE: GeoparquetOptions = { longitudeColumn: null, latitudeColumn: null }

/** The longitude and the latitude among columns, each a name or a name with its type. */
function found(columns: readonly (string | readonly [string, DataType])[], options = NONE) {
  const fields = columns.map((column) =>
    typeof column === 'string' ? field(column, f64) : field(column[0], column[1]),
  )
  const { points } = geoparquetPlan({ fields, metadata: {} }, options)
  return [fields[points?.longitude ?? -1]?.name, fields[points?.latitude ?? -1]?.name]
}

t.test('names of whole words', async (t) => {
  t.same(found(['salinity', 'type', 'longest', 'lon', 'LAT']), ['lon', 'LAT'])
  t.same(found(['ctd_lat', 'ctd_lon']), ['ctd_lon', 'ctd_lat'])
  t.same(found(['startLatitude', 'startLongitude']), ['startLongitude', 'startLatitude'])
  t.same(found(['position.y', 'position.x']), ['position.x', 'position.y'])
  t.same(found(['UTM Easting', 'UTM Northing']), ['UTM Easting', 'UTM Northing'])
})

t.test('a column that is called like the coordinate comes first, then the first one', async (t) => {
  t.same(found(['lat_error', 'lon_error', 'latitude', 'lng']), ['lng', 'latitude'])
  t.same(found(['x', 'lat', 'lon', 'y']), ['x', 'lat'])
})

t.test('columns of numbers alone', async (t) => {
  const index = { kind: 'int', bits: 8, signed: true } as const
  const decimal: DataType = { kind: 'decimal', bits: 128, precision: 9, scale: 6 }
  t.same(found([['lon', utf8], 'start_lon', ['lat', decimal]]), ['start_lon', 'lat'])
  t.same(
    found([
      ['lon', { kind: 'dictionary', index, value: f64, ordered: false }],
      ['lat', index],
    ]),
    ['lon', 'lat'],
  )
})

t.test('columns that are given', async (t) => {
  t.same(found(['lon', 'lat', 'a', 'b'], { longitudeColumn: 'a', latitudeColumn: 'b' }), ['a', 'b'])
  t.same(found(['lon', 'lat', 'a'], { longitudeColumn: 'a', latitudeColumn: null }), ['a', 'lat'])
})

t.test('what is wrong is named', async (t) => {
  t.throws(() => found(['lon', 'salinity']), {
    code: 'not_supported',
    message: /latitude.*"latitude_column"/,
  })
  t.throws(() => found(['lon', 'lat'], { longitudeColumn: 'lom', latitudeColumn: null }), {
    code: 'unknown_column',
    message: 'output.format.geoparquet.longitude_column: the answer has no column "lom", did you mean "lon"?',
  })
  t.throws(() => found([['a', utf8], 'lat'], { longitudeColumn: 'a', latitudeColumn: null }), {
    code: 'type_mismatch',
    message: /column "a" is Utf8.*cast it to DOUBLE/,
  })
  t.throws(() => found(['lon', 'lat', 'geometry']), { code: 'not_supported', message: /"geometry".*alias/ })
  t.throws(() => found(['lon', 'lat', 'lat']), {
    code: 'not_supported',
    message: /two columns are named "lat"/,
  })
})
