import { onlyObject, type Store } from '../../../store/store.ts'
import type { Box, Slab } from '../../arrays/array-file.ts'
import { chunkBox, elementsOf, intersectionOf, isInside } from '../../arrays/boxes.ts'
import { readStridedPart } from '../../arrays/strided/read-strided.ts'
import { inOrder } from '../../arrays/strided/runs.ts'
import { fault } from '../../fault.ts'
import type { ReadContext } from '../../provider.ts'
import type { Image } from '../metadata/image.ts'
import { readApart } from './read-apart.ts'
import { type BandValues, readTile } from './read-tile.ts'
import { readTilesOf, runsOfTiles, type TileBytes } from './tile-bytes.ts'
import { isPlain, type TileForm, tileForm } from './tile-form.ts'
import { type StoredTile, storedTiles } from './tile-table.ts'

/** What the values of a band are read from. */
export interface BandReading {
  readonly store: Store
  readonly image: Image
  readonly band: number
  /** The value of pixels whose tile was never written, little-endian. */
  readonly unwritten: Uint8Array
  /** As in `ArrayFile.slabs`. */
  readonly exclusive: Box | null
  /** Whether the unit reads this band only. */
  readonly isOnlyBand: boolean
}

/** The values of a band in a box, as `ArrayFile.slabs`. Throws `unreadable_file`. */
export function* pixelSlabs(reading: BandReading, box: Box, context: ReadContext): Generator<Slab> {
  if (box.extent.includes(0)) return
  const form = tileForm(reading.image)
  if (isPlain(reading.image)) yield* plainSlabs(reading, form, box, context)
  else yield* decodedSlabs(reading, form, box, context)
}

/** A tile with its pixels in the image. Null: it was never written. */
interface PlacedTile {
  readonly stored: StoredTile | null
  readonly box: Box
}

/** The tiles that have pixels of a box, in C order. */
function* tilesIn({ store, image, band }: BandReading, { origin, extent }: Box): Generator<PlacedTile> {
  const { tileHeight, tileWidth, across, down, height, isTiled, isSeparate } = image
  const [firstY = 0, firstX = 0] = origin
  const [rows = 0, columns = 0] = extent
  const source = onlyObject(store)
  const first = isSeparate ? band * across * down : 0
  const [fromX, toX] = [Math.floor(firstX / tileWidth), Math.floor((firstX + columns - 1) / tileWidth) + 1]
  const [fromY, toY] = [Math.floor(firstY / tileHeight), Math.floor((firstY + rows - 1) / tileHeight) + 1]
  const boxAt = (y: number, x: number): Box => {
    const { origin } = chunkBox([y, x], [tileHeight, tileWidth])
    // The last strip has only the remaining rows.
    const tileRows = isTiled ? tileHeight : Math.min(tileHeight, height - y * tileHeight)
    return { origin, extent: [tileRows, tileWidth] }
  }
  // Strips follow each other in the table, as the tiles of a row do.
  if (across === 1) {
    let y = fromY
    for (const stored of storedTiles(source, image, first + fromY, first + toY))
      yield { stored, box: boxAt(y++, 0) }
    return
  }
  for (let y = fromY; y < toY; y++) {
    let x = fromX
    const row = first + y * across
    for (const stored of storedTiles(source, image, row + fromX, row + toX))
      yield { stored, box: boxAt(y, x++) }
  }
}

function* decodedSlabs(
  reading: BandReading,
  form: TileForm,
  box: Box,
  context: ReadContext,
): Generator<Slab> {
  const { store, image } = reading
  const source = onlyObject(store)
  for (const run of runsOfTiles(tilesIn(reading, box))) {
    const tileBytes = readTilesOf(source, image, run)
    try {
      for (const tile of run) yield* decodedTile(reading, form, box, tile, tileBytes, context)
    } finally {
      tileBytes.release()
    }
  }
}

function* decodedTile(
  { store, image, band, exclusive, unwritten, isOnlyBand }: BandReading,
  form: TileForm,
  box: Box,
  { stored, box: tile }: PlacedTile,
  tileBytes: TileBytes,
  context: ReadContext,
): Generator<Slab> {
  context.checkCancelled()
  if (stored === null) {
    yield { ...intersectionOf(tile, box), kind: 'repeated', bytes: unwritten }
    return
  }
  const sample = form.samples === 1 ? 0 : band
  const isOnlySample = form.samples === 1 || isOnlyBand
  const isReadOnce =
    isOnlySample && exclusive !== null && isInside(tile, [image.height, image.width], exclusive)
  const [tileRows = 0, columns = 0] = tile.extent
  const [firstRow = 0] = tile.origin
  const asked = Math.min(tileRows, (box.origin[0] ?? 0) + (box.extent[0] ?? 0) - firstRow)
  const reading = { store, tileBytes, image, sample, rows: { tile: tileRows, asked }, isReadOnce }
  const values = readTile(reading, stored, context)
  const decoded = { origin: tile.origin, extent: [values.rows, columns] }
  if (values.validity !== null) yield { ...decoded, kind: 'validity', bytes: values.validity }
  yield slabOf(decoded, values)
}

/** Stored rows that follow each other, of tiles below each other. */
interface Run {
  readonly place: number
  readonly box: Box
}

function* plainSlabs(reading: BandReading, form: TileForm, box: Box, context: ReadContext): Generator<Slab> {
  const { unwritten, image } = reading
  let run: Run | null = null
  for (const { stored, box: tile } of tilesIn(reading, box)) {
    if (stored === null) {
      if (run !== null) yield* runSlabs(reading, run, form, box, context)
      run = null
      yield { ...intersectionOf(tile, box), kind: 'repeated', bytes: unwritten }
      continue
    }
    const [rows = 0] = tile.extent
    requireStored(reading, stored, rows * form.rowBytes)
    const longer: Run | null = run && image.across === 1 ? joinSamples(run, stored, rows, form) : null
    if (longer !== null) run = longer
    else {
      if (run !== null) yield* runSlabs(reading, run, form, box, context)
      run = { place: stored.place, box: tile }
    }
  }
  if (run !== null) yield* runSlabs(reading, run, form, box, context)
}

/** A run with the rows of the tile below it. Null: they are stored elsewhere. */
function joinSamples({ place, box }: Run, tile: StoredTile, rows: number, form: TileForm): Run | null {
  const [runRows = 0, columns = 0] = box.extent
  if (place + runRows * form.rowBytes !== tile.place) return null
  return { place, box: { origin: box.origin, extent: [runRows + rows, columns] } }
}

function requireStored({ store }: BandReading, { index, place, bytes }: StoredTile, needed: number): void {
  if (bytes !== null && bytes < needed) throw fault(`tile ${index} has ${bytes} bytes, and not ${needed}`)
  if (place + needed > onlyObject(store).size)
    throw fault(`tile ${index} lies outside of the file, at ${place} with ${needed} bytes`)
}

/** Boxes of at most so many bytes are kept for the other bands of a unit. A larger one is read again for each of them. */
const MOST_KEPT = 32 << 20

function* runSlabs(
  { store, image, band, isOnlyBand }: BandReading,
  { place, box: stored }: Run,
  form: TileForm,
  box: Box,
  context: ReadContext,
): Generator<Slab> {
  const stride = form.valueBytes * form.samples
  const elements = inOrder(place, stored.extent, stride)
  const part = { from: stored.origin, box: intersectionOf(stored, box) }
  const { isBigEndian } = image
  const count = elementsOf(part.box)
  if (form.samples > 1 && !isOnlyBand && count > 0 && count * stride <= MOST_KEPT) {
    const planes = readApart({ store, elements, part, pixels: { ...form, count } }, context)
    const planeBytes = count * form.valueBytes
    const bytes = new Uint8Array(planes, band * planeBytes, planeBytes)
    yield slabOf(part.box, { bytes, isBigEndian, stride: form.valueBytes, offset: 0 })
    return
  }
  const offset = form.samples === 1 ? 0 : band * form.valueBytes
  for (const { bytes, ...some } of readStridedPart(onlyObject(store), elements, part, context.checkCancelled))
    yield slabOf(some, { bytes, isBigEndian, stride, offset })
}

type Values = Omit<BandValues, 'validity' | 'rows'>

function slabOf(box: Box, { bytes, isBigEndian, stride, offset }: Values): Slab {
  const order = { isBigEndian, isShuffled: false, stride, offset }
  return bytes instanceof Uint8Array
    ? { ...box, kind: 'elements', bytes, ...order }
    : { ...box, kind: 'inflated', bytes, ...order }
}
