import { alternatives } from '../../../../plan/alternatives.ts'
import type { Geometry } from '../../../../plan/geometry/geometry.ts'
import {
  createGeometryParts,
  type GeometryParts,
  MAX_POSITIONS,
  type Position,
  ringFault,
} from '../../../../plan/geometry/geometry-parts.ts'
import { didYouMean } from '../../../../plan/nearest-name.ts'
import { numberSource } from '../../../json/json.ts'
import { at, describe, MAX_DEPTH, readArray, readMembers, reject } from '../../../json/shape.ts'

/**
 * Reads a GeoJSON geometry (RFC 7946 §3.1). The members of collections are put into one geometry. Other members, and
 * coordinates beyond longitude and latitude, are ignored. Throws `invalid_query`.
 */
export function readGeometry(value: unknown, path: string): Geometry {
  const into = createGeometryParts()
  collect(value, path, into, 0)
  return into.geometry()
}

function collect(value: unknown, path: string, into: GeometryParts, depth: number): void {
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
      into.addPoint(position(coordinates, coordinatesPath))
      break
    case 'MultiPoint':
      for (const point of readArray(coordinates, coordinatesPath, position)) into.addPoint(point)
      break
    case 'LineString':
      into.addLine(line(coordinates, coordinatesPath))
      break
    case 'MultiLineString':
      for (const item of readArray(coordinates, coordinatesPath, line)) into.addLine(item)
      break
    case 'Polygon':
      into.addPolygon(polygon(coordinates, coordinatesPath))
      break
    case 'MultiPolygon':
      for (const item of readArray(coordinates, coordinatesPath, polygon)) into.addPolygon(item)
      break
    case 'GeometryCollection':
      readArray(members.get('geometries'), at(path, 'geometries'), (item, itemPath) =>
        collect(item, itemPath, into, depth + 1),
      )
      break
    default:
      reject(
        at(path, 'type'),
        `expected ${alternatives(TYPES)}, found ${describe(type)}${adviceOnType(type)}`,
      )
  }
}

/** The types of GeoJSON geometries. */
const TYPES = [
  ...['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon'],
  'GeometryCollection',
]

/** The end of a message about a type that is none of a geometry. */
function adviceOnType(type: unknown): string {
  if (type === 'Feature' || type === 'FeatureCollection')
    return '; the geometry is the member of this name in a Feature'
  return typeof type === 'string' ? didYouMean(type, TYPES) : ''
}

function readRing(value: unknown, path: string, into: GeometryParts): readonly Position[] {
  const positions = readArray(value, path, (item, itemPath) => readPosition(item, itemPath, into))
  const fault = ringFault(positions)
  return fault === null ? positions : reject(path, fault)
}

function readLine(value: unknown, path: string, into: GeometryParts): readonly Position[] {
  const positions = readArray(value, path, (item, itemPath) => readPosition(item, itemPath, into))
  if (positions.length < 2) reject(path, 'a line needs at least two positions')
  return positions
}

function readPosition(value: unknown, path: string, into: GeometryParts): Position {
  const [x, y] = readArray(value, path, readCoordinate)
  if (x === undefined || y === undefined) reject(path, 'a position needs a longitude and a latitude')
  const position: Position = [x, y]
  if (!into.count(position)) reject(path, `a geometry may have ${MAX_POSITIONS} positions`)
  return position
}

function readCoordinate(value: unknown, path: string): number {
  const coordinate = Number(numberSource(value) ?? Number.NaN)
  if (!Number.isFinite(coordinate)) reject(path, `expected a finite number, found ${describe(value)}`)
  return coordinate
}
