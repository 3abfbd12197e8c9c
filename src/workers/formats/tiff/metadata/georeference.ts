import { type EvenValues, evenValue } from '../../../../plan/source/even-values.ts'
import type { Directory } from './directory.ts'

/** What the tags of GeoTIFF say. */
export interface Georeference {
  /** Null: the file does not say where its pixels are, or only that of some points. */
  readonly placement: Placement | null
  /** The code of the coordinate reference system. Null: there is none. */
  readonly epsg: number | null
  readonly scale: readonly number[] | null
  readonly tiepoints: readonly number[] | null
  readonly matrix: readonly number[] | null
}

/** Where pixels are: along each axis for itself, or, if the raster is rotated, by both indices. */
export type Placement =
  | { readonly kind: 'even'; readonly longitude: EvenValues; readonly latitude: EvenValues }
  | { readonly kind: 'rotated'; readonly longitude: Plane; readonly latitude: Plane; readonly shift: number }

/** The value of a pixel is `origin + (x + shift) * alongX + (y + shift) * alongY`. */
export interface Plane {
  readonly origin: number
  readonly alongX: number
  readonly alongY: number
}

/** The most numbers of tie points: those of 65 536 control points. */
const MOST_TIEPOINTS = 6 << 16
const MOST_KEYS = 4 * 1024

const KEY = Object.freeze({ ModelType: 1024, RasterType: 1025, Geographic: 2048, Projected: 3072 })
const PIXEL_IS_POINT = 2
const MODEL_PROJECTED = 1

/** A code that means that the file defines the system by other keys. */
const USER_DEFINED = 32_767

/** Reads where the pixels of a raster of this size are. Throws `unreadable_file`. */
export function readGeoreference(
  directory: Directory,
  { width, height }: { readonly width: number; readonly height: number },
): Georeference {
  const scale = directory.numbers('ModelPixelScale', 16)
  const tiepoints = directory.numbers('ModelTiepoint', MOST_TIEPOINTS)
  const matrix = directory.numbers('ModelTransformation', 16)
  const keys = keysOf(directory.numbers('GeoKeyDirectory', MOST_KEYS) ?? [])
  const shift = keys.get(KEY.RasterType) === PIXEL_IS_POINT ? 0 : 0.5
  const placement = byTiepoint(scale, tiepoints, shift) ?? byMatrix(matrix, shift)
  const { longitudes, latitudes } =
    placement === null ? { longitudes: [NaN], latitudes: [] } : cornersOf(placement, width, height)
  const isPlaced = [...longitudes, ...latitudes].every(Number.isFinite)
  return { placement: isPlaced ? placement : null, epsg: epsgOf(keys), scale, tiepoints, matrix }
}

function byTiepoint(
  scale: readonly number[] | null,
  tiepoints: readonly number[] | null,
  shift: number,
): Placement | null {
  const [scaleX = 0, scaleY = 0] = scale ?? []
  if (scaleX === 0 || scaleY === 0 || tiepoints === null || tiepoints.length < 6) return null
  const [column = 0, row = 0, , x = 0, y = 0] = tiepoints
  return {
    kind: 'even',
    longitude: { origin: x, shift: shift - column, step: scaleX },
    latitude: { origin: y, shift: shift - row, step: -scaleY },
  }
}

function byMatrix(matrix: readonly number[] | null, shift: number): Placement | null {
  if (matrix === null || matrix.length < 16) return null
  const [xAlongX = 0, xAlongY = 0, , x = 0, yAlongX = 0, yAlongY = 0, , y = 0] = matrix
  // A raster without an area has its pixels nowhere.
  if (xAlongX * yAlongY === xAlongY * yAlongX) return null
  if (xAlongY === 0 && yAlongX === 0)
    return {
      kind: 'even',
      longitude: { origin: x, shift, step: xAlongX },
      latitude: { origin: y, shift, step: yAlongY },
    }
  return {
    kind: 'rotated',
    longitude: { origin: x, alongX: xAlongX, alongY: xAlongY },
    latitude: { origin: y, alongX: yAlongX, alongY: yAlongY },
    shift,
  }
}

/** Keys that have one small number: the number is in the directory itself. */
function keysOf(directory: readonly number[]): ReadonlyMap<number, number> {
  const keys = new Map<number, number>()
  const [, , , count = 0] = directory
  for (let key = 1; key <= count && 4 * key + 3 < directory.length; key++) {
    const [id = 0, location = 0, , value = 0] = directory.slice(4 * key, 4 * key + 4)
    if (location === 0) keys.set(id, value)
  }
  return keys
}

/** The system of the coordinates: a projected raster without a code for it has none, though it may have that of its base. */
function epsgOf(keys: ReadonlyMap<number, number>): number | null {
  const isProjected = keys.get(KEY.ModelType) === MODEL_PROJECTED || keys.has(KEY.Projected)
  const code = keys.get(isProjected ? KEY.Projected : KEY.Geographic) ?? 0
  return code === 0 || code === USER_DEFINED ? null : code
}

/** The longitudes and latitudes of the corners, which are the least and the greatest ones. */
export function cornersOf(
  placement: Placement,
  width: number,
  height: number,
): { readonly longitudes: readonly number[]; readonly latitudes: readonly number[] } {
  const [right, bottom] = [width - 1, height - 1]
  if (placement.kind === 'even') {
    const { longitude, latitude } = placement
    return {
      longitudes: [evenValue(longitude, 0), evenValue(longitude, right)],
      latitudes: [evenValue(latitude, 0), evenValue(latitude, bottom)],
    }
  }
  const { longitude, latitude, shift } = placement
  const inPlane = (plane: Plane) => [
    valueIn(plane, shift, 0, 0),
    valueIn(plane, shift, right, 0),
    valueIn(plane, shift, 0, bottom),
    valueIn(plane, shift, right, bottom),
  ]
  return { longitudes: inPlane(longitude), latitudes: inPlane(latitude) }
}

/** The value of a pixel in a rotated raster. */
export function valueIn({ origin, alongX, alongY }: Plane, shift: number, x: number, y: number): number {
  return (x + shift) * alongX + (y + shift) * alongY + origin
}
