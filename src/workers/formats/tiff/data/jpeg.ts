import { decodeJpeg } from '../../../../wasm/codecs/jpeg.ts'
import { fault } from '../../fault.ts'
import type { Image } from '../metadata/image.ts'
import { tileForm } from './tile-form.ts'
import type { TileValues } from './tile-values.ts'

const MARKER_BYTES = 2
const START_OF_IMAGE = 0xffd8
const END_OF_IMAGE = 0xffd9

/** Decodes a tile that JPEG compressed: pixels of which `rows` rows are wanted. Luma and chroma become red, green and blue. Throws `unreadable_file`. */
export function decodeJpegTile(stored: Uint8Array, image: Image, rows: number): TileValues {
  const { element, bits, tileWidth, tileHeight, jpegTables, isYcc } = image
  if (element.kind !== 'int' || bits !== 8) throw fault(`samples of ${bits} bits are not read of JPEG`)
  const { samples, rowBytes } = tileForm(image)
  const shape = {
    width: tileWidth,
    leastHeight: rows,
    mostHeight: tileHeight,
    samples,
    isYcc: isYcc && samples === 3,
  }
  const pixels = decodeJpeg(withTables(stored, jpegTables), shape)
  return { bytes: pixels.subarray(0, rows * rowBytes), isPlanar: false, validity: null }
}

/** An image with the tables of all tiles behind its first marker: they are an image too, which has no pixels. */
function withTables(stored: Uint8Array, tables: Uint8Array | null): readonly Uint8Array[] {
  if (tables === null) return [stored]
  if (markerAt(stored, 0) !== START_OF_IMAGE || markerAt(tables, 0) !== START_OF_IMAGE)
    throw fault('it does not begin as JPEG')
  const hasEnd = markerAt(tables, tables.length - MARKER_BYTES) === END_OF_IMAGE
  const end = hasEnd ? tables.length - MARKER_BYTES : tables.length
  return [tables.subarray(0, end), stored.subarray(MARKER_BYTES)]
}

function markerAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
}
