import { createLerc, type LercInfo } from '../../../../wasm/lerc.ts'
import { decodeDeflate, decodeZstd } from '../../codecs/inflate.ts'
import { fault } from '../../fault.ts'
import { type Image, unsupported } from '../metadata/image.ts'
import { tileForm } from './tile-form.ts'
import type { TileValues } from './tile-values.ts'

/** What a blob is compressed by, as the second number of LercParameters says. */
const FURTHER = Object.freeze({ none: 0, deflate: 1, zstd: 2 })

/** The names of the types of LERC by their number. */
const TYPES = Object.freeze(['i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'f32', 'f64'])

/** A blob and its header take little more than the values, whatever they are. */
const MORE_BYTES = 1 << 16

/** Bytes of the decoder's memory for each of a tile's: the blob, the values, masks and what the decoder needs. */
const MEMORY_FOR_BYTE = 3

/** The least memory, of which the decoder takes 16 MiB when it begins. */
const LEAST_MEMORY = 32 << 20

/** A decoder that took more is not kept, since its memory never shrinks. */
const KEPT_MEMORY = 64 << 20

let threadLerc: ReturnType<typeof createLerc> | null = null

/** Decodes a tile of `rows` rows that LERC compressed. Throws `unreadable_file` and `memory_limit`. */
export function decodeLerc(stored: Uint8Array, image: Image, rows: number): TileValues {
  const { rowBytes } = tileForm(image)
  const blob = furtherDecoded(stored, image, 2 * rows * rowBytes + MORE_BYTES)
  const needed = Math.max(LEAST_MEMORY, MEMORY_FOR_BYTE * (blob.length + rows * rowBytes))
  const lerc =
    threadLerc !== null && needed <= KEPT_MEMORY ? threadLerc : createLerc(Math.max(needed, KEPT_MEMORY))
  threadLerc = null
  try {
    const info = lerc.info(blob)
    requireTile(info, image, rows, blob.length)
    const isPlanar = info.bands > 1
    return lerc.decode(blob, info, ({ bytes, masks }) =>
      isAlphaMask(info, image)
        ? { isPlanar, bytes: withAlpha(bytes, masks, info.depth), validity: null }
        : { isPlanar, bytes: bytes.slice(), validity: masks.length === 0 ? null : masks.slice() },
    )
  } finally {
    if (!lerc.isDead && lerc.bytes <= KEPT_MEMORY) threadLerc = lerc
  }
}

function furtherDecoded(stored: Uint8Array, { furtherCompression }: Image, most: number): Uint8Array {
  if (furtherCompression === FURTHER.none) return stored
  const size = { bytes: most, isExact: false }
  if (furtherCompression === FURTHER.deflate) return decodeDeflate(stored, size)
  if (furtherCompression === FURTHER.zstd) return decodeZstd(stored, size)
  throw unsupported('LercParameters', furtherCompression)
}

/** Throws `unreadable_file` unless a blob has the pixels of a tile. */
function requireTile(info: LercInfo, image: Image, rows: number, bytes: number): void {
  const { element, tileWidth } = image
  const { samples } = tileForm(image)
  const type = `${element.kind === 'float' ? 'f' : element.signed ? 'i' : 'u'}${element.bits}`
  if (TYPES[info.type] !== type) throw fault(`its values are ${TYPES[info.type]}, and not ${type}`)
  if (info.width !== tileWidth || info.height !== rows)
    throw fault(`it has ${info.width} x ${info.height} pixels, and not ${tileWidth} x ${rows}`)
  const held = info.bands * info.depth
  const isShaped = (info.bands === 1 || info.depth === 1) && (held === samples || isAlphaMask(info, image))
  if (!isShaped) throw fault(`its pixels have ${held} values, and not ${samples}`)
  if (![0, 1, info.bands].includes(info.masks))
    throw fault(`it has ${info.masks} masks of ${info.bands} bands`)
  if (info.bandsWithNodata > 0 && info.depth > 1) throw fault('it has a value of its own for missing ones')
  if (info.bytes > bytes) throw fault(`it has ${info.bytes} bytes, of which ${bytes} are there`)
}

/** Whether the last sample is the mask, as libtiff writes 8-bit alpha that is either 0 or 255. */
function isAlphaMask({ bands, depth, masks }: LercInfo, image: Image): boolean {
  const { element } = image
  const isByte = element.kind === 'int' && element.bits === 8 && !element.signed
  return isByte && bands === 1 && masks === 1 && depth === tileForm(image).samples - 1
}

function withAlpha(colours: Uint8Array, mask: Uint8Array, depth: number): Uint8Array {
  const samples = depth + 1
  const bytes = new Uint8Array(mask.length * samples)
  for (let pixel = 0; pixel < mask.length; pixel++) {
    for (let sample = 0; sample < depth; sample++)
      bytes[pixel * samples + sample] = colours[pixel * depth + sample] ?? 0
    bytes[pixel * samples + depth] = mask[pixel] === 0 ? 0 : 255
  }
  return bytes
}
