import type { Geometry } from '../plan/predicate.ts'

/**
 * A geometry as `within.rs` reads it, all 64-bit floats: the box, then three times a count and so many parts — polygons
 * (each a count of rings and its rings), lines, and one list of points. A ring, a line and the points are a count of
 * coordinates and the coordinates.
 */
export function geometryBytes(geometry: Geometry): Uint8Array {
  const numbers: number[] = [...geometry.box]
  const push = (coordinates: Float64Array): void => {
    numbers.push(coordinates.length)
    for (const coordinate of coordinates) numbers.push(coordinate)
  }
  numbers.push(geometry.polygons.length)
  for (const rings of geometry.polygons) {
    numbers.push(rings.length)
    rings.forEach(push)
  }
  numbers.push(geometry.lines.length)
  geometry.lines.forEach(push)
  push(geometry.points)
  return new Uint8Array(Float64Array.from(numbers).buffer)
}
