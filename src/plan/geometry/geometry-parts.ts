import type { Geometry } from './geometry.ts'

/** The most positions in one geometry: to test a row against it takes a step for each of them. */
export const MAX_POSITIONS = 100_000

/** How deep collections of geometries may be nested. */
export const MAX_COLLECTIONS = 64

export type Position = readonly [x: number, y: number]

/** Collects what is read of a geometry, whose members become one geometry. */
export interface GeometryParts {
  /** Adds a position to the bounding box. False: it is one too many. */
  count(position: Position): boolean
  addPoint(point: Position): void
  addLine(positions: readonly Position[]): void
  addPolygon(rings: readonly (readonly Position[])[]): void
  geometry(): Geometry
}

export function createGeometryParts(): GeometryParts {
  const polygons: (readonly Float64Array[])[] = []
  const lines: Float64Array[] = []
  const points: Position[] = []
  const { POSITIVE_INFINITY: most, NEGATIVE_INFINITY: least } = Number
  // The bounding box of no positions: any position extends it to itself.
  let box: Geometry['box'] = [most, most, least, least]
  let positions = 0
  return {
    count([x, y]) {
      const [minX, minY, maxX, maxY] = box
      box = [Math.min(minX, x), Math.min(minY, y), Math.max(maxX, x), Math.max(maxY, y)]
      return ++positions <= MAX_POSITIONS
    },
    addPoint: (point) => points.push(point),
    addLine: (line) => lines.push(flat(line)),
    addPolygon(rings) {
      if (rings.length > 0) polygons.push(Object.freeze(rings.map(flat)))
    },
    geometry: () =>
      Object.freeze({
        polygons: Object.freeze(polygons),
        lines: Object.freeze(lines),
        points: flat(points),
        box,
      }),
  }
}

/** Why positions are no ring. Null: they are one. */
export function ringFault(positions: readonly Position[]): string | null {
  const [first, last] = [positions[0], positions.at(-1)]
  if (positions.length < 4 || first === undefined || last === undefined)
    return 'a ring needs at least four positions, of which the last is the first again'
  return first[0] === last[0] && first[1] === last[1] ? null : 'a ring must end with its first position'
}

function flat(positions: readonly Position[]): Float64Array {
  const numbers = new Float64Array(2 * positions.length)
  for (const [index, position] of positions.entries()) numbers.set(position, 2 * index)
  return numbers
}
