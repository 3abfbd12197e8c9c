/** A planar geometry in the form of the point test. Coordinates are x (longitude) and y (latitude). */
export type Geometry = {
  /** The rings of each polygon, the exterior one first. A ring is closed: x0, y0, x1, y1, …. */
  readonly polygons: readonly (readonly Float64Array[])[]
  /** Lines as x0, y0, x1, y1, …. */
  readonly lines: readonly Float64Array[]
  /** All points as x0, y0, x1, y1, …. */
  readonly points: Float64Array
  /** The bounding box minX, minY, maxX, maxY. Points have to be strictly inside (docs/reference/json-language.md). */
  readonly box: readonly [number, number, number, number]
}
