import type { Geometry } from '../../../plan/predicate/predicate.ts'

/**
 * Encodes a geometry as `within.rs` reads it, in 64-bit floats: the bounding box; the number of polygons, and of each the number
 * of its rings and the rings; the number of lines and the lines; the points. A ring, a line and the points are each a number of
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
