import { evenValue } from '../../../plan/source/even-values.ts'
import type { Box, Slab, StoredArray } from '../arrays/array-file.ts'
import { chunkOf, isPlain } from './data/tile-form.ts'
import { cornersOf, type Placement, valueIn } from './metadata/georeference.ts'
import type { Image } from './metadata/image.ts'

const LONGITUDE = 'geo.lon'
const LATITUDE = 'geo.lat'
const VALUE_BYTES = 8

/** The most values of a slab. */
const MOST_VALUES = 1 << 16

/** The dimensions of the pixels. */
export function dimensionsOf({ height, width }: Image): StoredArray['dimensions'] {
  return [
    { name: 'y', size: height, isInvented: false },
    { name: 'x', size: width, isInvented: false },
  ]
}

/** The coordinates of pixels as arrays, whose values are computed. */
export function coordinateArrays(placement: Placement | null, image: Image): readonly StoredArray[] {
  if (placement === null) return []
  const [rows, columns] = dimensionsOf(image)
  if (rows === undefined || columns === undefined) return []
  const { longitudes, latitudes } = cornersOf(placement, image.width, image.height)
  const array = (
    name: string,
    dimensions: StoredArray['dimensions'],
    corners: readonly number[],
  ): StoredArray => ({
    name,
    element: { kind: 'float', bits: 64 },
    dimensions,
    chunk: null,
    isAtomic: false,
    storedBytes: 0,
    attributes: [],
    range: { min: Math.min(...corners), max: Math.max(...corners) },
  })
  if (placement.kind === 'even')
    return [
      { ...array(LATITUDE, [rows], latitudes), even: placement.latitude },
      { ...array(LONGITUDE, [columns], longitudes), even: placement.longitude },
    ]
  // Rows are in the order of the tiles, whichever columns are read.
  const tiles = { chunk: chunkOf(image), isAtomic: !isPlain(image) }
  return [
    { ...array(LATITUDE, [rows, columns], latitudes), ...tiles },
    { ...array(LONGITUDE, [rows, columns], longitudes), ...tiles },
  ]
}

/** The values of a coordinate in a box. */
export function* coordinateSlabs(
  placement: Placement,
  name: string,
  { origin, extent }: Box,
): Generator<Slab> {
  if (placement.kind === 'even') {
    const steps = name === LONGITUDE ? placement.longitude : placement.latitude
    const [from = 0] = origin
    yield slabOf({ origin, extent }, (index) => evenValue(steps, from + index))
    return
  }
  const plane = name === LONGITUDE ? placement.longitude : placement.latitude
  const [firstY = 0, firstX = 0] = origin
  const [rows = 0, columns = 0] = extent
  const most = Math.max(1, Math.floor(MOST_VALUES / Math.max(1, columns)))
  for (let row = 0; row < rows; row += most) {
    const part = { origin: [firstY + row, firstX], extent: [Math.min(most, rows - row), columns] }
    yield slabOf(part, (index) => {
      const y = Math.floor(index / columns)
      return valueIn(plane, placement.shift, firstX + index - y * columns, firstY + row + y)
    })
  }
}

function slabOf(box: Box, valueAt: (index: number) => number): Slab {
  const count = box.extent.reduce((all, each) => all * each, 1)
  const values = Float64Array.from({ length: count }, (_, index) => valueAt(index))
  return {
    ...box,
    kind: 'elements',
    bytes: new Uint8Array(values.buffer),
    isBigEndian: false,
    isShuffled: false,
    stride: VALUE_BYTES,
    offset: 0,
  }
}
