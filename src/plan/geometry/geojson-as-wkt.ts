import { alternatives } from '../alternatives.ts'
import { ServiceError } from '../errors.ts'
import { MAX_COLLECTIONS } from './geometry-parts.ts'

/** Types of GeoJSON with the names that they have in WKT, and how deep the lists of their coordinates are nested. */
const TYPES: ReadonlyMap<unknown, readonly [name: string, depth: number]> = new Map<
  unknown,
  readonly [string, number]
>([
  ['Point', ['POINT', 0]],
  ['MultiPoint', ['MULTIPOINT', 1]],
  ['LineString', ['LINESTRING', 1]],
  ['MultiLineString', ['MULTILINESTRING', 2]],
  ['Polygon', ['POLYGON', 2]],
  ['MultiPolygon', ['MULTIPOLYGON', 3]],
])

/**
 * Writes a geometry in GeoJSON (RFC 7946 §3.1) as WKT: `POINT(1 2)`. Coordinates beyond longitude and latitude are left out. Throws
 * `invalid_sql` with the JSON path.
 */
export function geojsonAsWkt(text: string): string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw fault('$', `the text is no JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  return write(value, '$', 0)
}

function write(value: unknown, path: string, depth: number): string {
  if (depth > MAX_COLLECTIONS) throw fault(path, `collections may be nested ${MAX_COLLECTIONS} deep`)
  if (!isObject(value)) throw fault(path, 'expected an object with the members type and coordinates')
  const { type } = value
  if (type === 'GeometryCollection') {
    const members = listOf(value['geometries'], `${path}.geometries`).map((member, index) =>
      write(member, `${path}.geometries[${index}]`, depth + 1),
    )
    return `GEOMETRYCOLLECTION${inBrackets(members)}`
  }
  const typeForm = TYPES.get(type)
  if (typeForm === undefined) {
    const isFeature = type === 'Feature' || type === 'FeatureCollection'
    const advice = isFeature ? '; the geometry is the member of this name in a Feature' : ''
    const names = [...TYPES.keys()].map(String)
    throw fault(`${path}.type`, `expected ${alternatives([...names, 'GeometryCollection'])}${advice}`)
  }
  const [name, nesting] = typeForm
  const { coordinates } = value
  const written = writeCoordinates(coordinates, nesting, `${path}.coordinates`)
  return nesting === 0 ? `${name}(${written})` : `${name}${written}`
}

function writeCoordinates(value: unknown, nesting: number, path: string): string {
  const items = listOf(value, path)
  if (nesting > 0)
    return inBrackets(items.map((item, index) => writeCoordinates(item, nesting - 1, `${path}[${index}]`)))
  if (items.length < 2) throw fault(path, 'a position needs a longitude and a latitude')
  const numbers = items.map((item, index) => {
    if (typeof item === 'number' && Number.isFinite(item)) return String(item)
    throw fault(`${path}[${index}]`, 'expected a finite number')
  })
  return numbers.slice(0, 2).join(' ')
}

function inBrackets(items: readonly string[]): string {
  return items.length === 0 ? ' EMPTY' : `(${items.join(', ')})`
}

function listOf(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw fault(path, 'expected a list')
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fault(path: string, what: string): ServiceError {
  return new ServiceError('invalid_sql', `st_geojson_as_wkt: ${path}: ${what}.`)
}
