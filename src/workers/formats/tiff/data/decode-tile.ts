import { isServiceError } from '../../../../plan/errors.ts'
import type { InflatedBytes } from '../../../../wasm/core/boxes/box-column.ts'
import type { Core } from '../../../../wasm/core/core.ts'
import { fault } from '../../fault.ts'
import type { Image } from '../metadata/image.ts'
import { type ByteCompression, compressionOf, predictorOf } from './compressions.ts'
import { tileForm } from './tile-form.ts'
import type { TileValues } from './tile-values.ts'

/** Larger tiles are decoded outside of the core, whose memory never shrinks. */
const MOST_IN_CORE = 16 << 20

/** Rows of at most so many bytes are brought into the core then, to undo there what was done to them. */
const MOST_ROWS = 4 << 20

/** The values of the first `rows` rows of a tile, in the core's memory or elsewhere. Throws `unreadable_file`. */
export function decodeTile(
  core: Core,
  stored: Uint8Array,
  image: Image,
  index: number,
  rows: number,
): TileValues {
  const compression = compressionOf(image)
  try {
    if (image.isBitReversed) reverseBits(stored)
    if (compression.kind === 'values') return compression.decode(stored, image, rows)
    const bytes = undoCompression(core, stored, image, rows, compression)
    return { bytes, isPlanar: false, validity: null }
  } catch (cause) {
    if (!isServiceError(cause) || cause.code !== 'unreadable_file') throw cause
    throw fault(`tile ${index}, whose compression is ${compression.name}, is damaged: ${cause.message}`, {
      cause,
    })
  }
}

/**
 * Whether the values of decoded tiles are big-endian. What is undone in the core is little-endian then. The numbers of LERC have no byte
 * order, but libtiff swaps their bytes in big-endian files, when it writes and when it reads them.
 */
export function areBigEndian(image: Image): boolean {
  return image.isBigEndian && tileForm(image).isWhole && predictorOf(image) === null
}

function undoCompression(
  core: Core,
  stored: Uint8Array,
  image: Image,
  rows: number,
  { decode, decodeOutside }: ByteCompression,
): Uint8Array | InflatedBytes {
  const { rowBytes, storedRowBytes, isWhole } = tileForm(image)
  const needed = rows * storedRowBytes
  const most = image.tileHeight * storedRowBytes
  const requireAll = ({ length }: { readonly length: number }): void => {
    if (length < needed) throw fault(`it holds ${length} bytes, and ${rows} rows have ${needed}`)
  }
  if (Math.max(most, rows * rowBytes) <= MOST_IN_CORE) {
    const bytes = decode(core, stored, needed, most)
    requireAll(bytes)
    return valuesInCore(core, bytes, image, rows)
  }
  const bytes = decodeOutside(core, stored, most)
  requireAll(bytes)
  if (isWhole && predictorOf(image) === null) return bytes.subarray(0, needed)
  const values = new Uint8Array(rows * rowBytes)
  const step = Math.max(1, Math.floor(MOST_ROWS / Math.max(rowBytes, storedRowBytes)))
  for (let row = 0; row < rows; row += step) {
    const count = Math.min(step, rows - row)
    const part = bytes.subarray(row * storedRowBytes, (row + count) * storedRowBytes)
    const inCore = core.rasters.filled(part.length, (room) => room.set(part))
    values.set(new Uint8Array(valuesInCore(core, inCore, image, count).copy()), row * rowBytes)
  }
  return values
}

/** Undoes what was done to the samples of rows before they were compressed. */
function valuesInCore(core: Core, bytes: InflatedBytes, image: Image, rows: number): InflatedBytes {
  const { samples, valueBytes, rowBytes, isWhole } = tileForm(image)
  const { bits, element, isBigEndian, tileWidth } = image
  const predictor = predictorOf(image)
  if (predictor !== null)
    core.rasters.undoPredictor(predictor, { rowBytes, samples, sampleBytes: valueBytes, isBigEndian })
  if (isWhole) return bytes
  const isSigned = element.kind === 'int' && element.signed
  // libtiff swaps the bytes of 24 bits in big-endian files, also when it writes them.
  const isReversed = bits === 24 && isBigEndian
  const narrow = { bits, isSigned, isReversed, count: tileWidth * samples, valueBytes }
  return core.rasters.widen(rows, narrow)
}

/** Each byte with its lowest bit first. */
const REVERSED = Uint8Array.from({ length: 256 }, (_, byte) => {
  let reversed = 0
  for (let bit = 0; bit < 8; bit++) reversed |= ((byte >> bit) & 1) << (7 - bit)
  return reversed
})

function reverseBits(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at++) bytes[at] = REVERSED[bytes[at] ?? 0] ?? 0
}
