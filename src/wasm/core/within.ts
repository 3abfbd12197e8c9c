import type { Geometry } from '../../plan/predicate/predicate.ts'

/**
 * A geometry as `within.rs` reads it, all 64-bit floats: the box, then three times a count and so many parts — polygons
 * (each a count of rings and its rings), lines, and one list of points. A ring, a line and the points are a count of
 * coordinates and the coordinates.
 */
export function geometryBytes(geometry: Geometry): Uint8Array {
  const { box, polygons, lines, points } = geometry
  const sizes = [...polygons.flat(), ...lines, points].map((coordinates) => 1 + coordinates.length)
  const numbers = new Float64Array(sizes.reduce((sum, size) => sum + size, box.length + 2 + polygons.length))
  let next = 0
  const push = (number: number): void => {
    numbers[next++] = number
  }
  const pushAll = (coordinates: Float64Array): void => {
    push(coordinates.length)
    numbers.set(coordinates, next)
    next += coordinates.length
  }
  box.forEach(push)
  push(polygons.length)
  for (const rings of polygons) {
    push(rings.length)
    rings.forEach(pushAll)
  }
  push(lines.length)
  lines.forEach(pushAll)
  pushAll(points)
  return new Uint8Array(numbers.buffer)
}
