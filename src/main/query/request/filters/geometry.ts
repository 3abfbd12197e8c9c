import { alternatives } from '../../../../plan/alternatives.ts'
import { didYouMean } from '../../../../plan/nearest-name.ts'
import type { Geometry } from '../../../../plan/predicate/predicate.ts'
import { numberSource } from '../../../json/json.ts'
import { at, describe, MAX_DEPTH, readArray, readMembers, reject } from '../../../json/shape.ts'

/** The most positions in one geometry: to test a row against it takes a step for each of them. */
const MAX_POSITIONS = 100_000

type Position = readonly [x: number, y: number]

/** What has been read of a geometry so far. */
interface Collected {
  readonly polygons: (readonly Float64Array[])[]
  readonly lines: Float64Array[]
  readonly points: Position[]
  positions: number
  box: Geometry['box']
}

/** The bounding box of no positions: any position extends it to itself. */
const EMPTY_BOX = [
  Number.POSITIVE_INFINITY,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
] as const

/**
 * Reads a GeoJSON geometry (RFC 7946 §3.1). The members of collections are put into one geometry. Other members, and
 * coordinates beyond longitude and latitude, are ignored. Throws `invalid_query`.
 */
export function readGeometry(value: unknown, path: string): Geometry {
  const into: Collected = { polygons: [], lines: [], points: [], positions: 0, box: EMPTY_BOX }
  collect(value, path, into, 0)
  return Object.freeze({
    polygons: Object.freeze(into.polygons.filter((rings) => rings.length > 0)),
    lines: Object.freeze(into.lines),
    points: flat(into.points),
    box: into.box,
  })
}

function collect(value: unknown, path: string, into: Collected, depth: number): void {
  if (depth > MAX_DEPTH) reject(path, `geometry collections may be nested ${MAX_DEPTH} deep`)
  if (typeof value === 'string')
    reject(
      path,
      `expected GeoJSON, as in {"type": "Point", "coordinates": [-30, 45]}, found ${describe(value)}`,
    )
  const members = readMembers(value, path)
  const type = members.get('type')
  const coordinates = members.get('coordinates')
  const coordinatesPath = at(path, 'coordinates')
  const position = (item: unknown, itemPath: string) => readPosition(item, itemPath, into)
  const line = (item: unknown, itemPath: string) => readLine(item, itemPath, into)
  const polygon = (item: unknown, itemPath: string) =>
    readArray(item, itemPath, (ring, ringPath) => readRing(ring, ringPath, into))
  switch (type) {
    case 'Point':
      into.points.push(position(coordinates, coordinatesPath))
      break
    case 'MultiPoint':
      for (const point of readArray(coordinates, coordinatesPath, position)) into.points.push(point)
      break
    case 'LineString':
      into.lines.push(line(coordinates, coordinatesPath))
      break
    case 'MultiLineString':
      for (const item of readArray(coordinates, coordinatesPath, line)) into.lines.push(item)
      break
    case 'Polygon':
      into.polygons.push(polygon(coordinates, coordinatesPath))
      break
    case 'MultiPolygon':
      for (const item of readArray(coordinates, coordinatesPath, polygon)) into.polygons.push(item)
      break
    case 'GeometryCollection':
      readArray(members.get('geometries'), at(path, 'geometries'), (item, itemPath) =>
        collect(item, itemPath, into, depth + 1),
      )
      break
    default:
      reject(at(path, 'type'), `expected ${alternatives(TYPES)}, found ${describe(type)}${meant(type)}`)
  }
}

/** The types of GeoJSON geometries. */
const TYPES = [
  ...['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon'],
  'GeometryCollection',
]

/** The end of a message about a type that is none of a geometry. */
function meant(type: unknown): string {
  if (type === 'Feature' || type === 'FeatureCollection')
    return '; the geometry is the member of this name in a Feature'
  return typeof type === 'string' ? didYouMean(type, TYPES) : ''
}

function readRing(value: unknown, path: string, into: Collected): Float64Array {
  const positions = readArray(value, path, (item, itemPath) => readPosition(item, itemPath, into))
  const first = positions[0]
  const last = positions.at(-1)
  if (positions.length < 4 || first === undefined || last === undefined) {
    reject(path, 'a ring needs at least four positions, of which the last is the first again')
  }
  if (first[0] !== last[0] || first[1] !== last[1]) reject(path, 'a ring must end with its first position')
  return flat(positions)
}

function readLine(value: unknown, path: string, into: Collected): Float64Array {
  const positions = readArray(value, path, (item, itemPath) => readPosition(item, itemPath, into))
  if (positions.length < 2) reject(path, 'a line needs at least two positions')
  return flat(positions)
}

function readPosition(value: unknown, path: string, into: Collected): Position {
  if (++into.positions > MAX_POSITIONS) reject(path, `a geometry may have ${MAX_POSITIONS} positions`)
  const [x, y] = readArray(value, path, readCoordinate)
  if (x === undefined || y === undefined) reject(path, 'a position needs a longitude and a latitude')
  const [minX, minY, maxX, maxY] = into.box
  into.box = [Math.min(minX, x), Math.min(minY, y), Math.max(maxX, x), Math.max(maxY, y)]
  return [x, y]
}

function readCoordinate(value: unknown, path: string): number {
  const coordinate = Number(numberSource(value) ?? Number.NaN)
  if (!Number.isFinite(coordinate)) reject(path, `expected a finite number, found ${describe(value)}`)
  return coordinate
}

function flat(positions: readonly Position[]): Float64Array {
  return Float64Array.from(positions.flat())
}
