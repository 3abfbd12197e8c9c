import type { InflatedBytes } from '../../../../wasm/core/boxes/box-column.ts'
import type { Core } from '../../../../wasm/core/core.ts'
import { inflateZstdInto } from '../../../../wasm/zstd-context.ts'
import { decodeDeflate, decodeZstd } from '../../codecs/inflate.ts'
import { inflateZlibInto } from '../../zlib-context.ts'
import { type Image, unsupported } from '../metadata/image.ts'
import { decodeJpegTile } from './jpeg.ts'
import { decodeLerc } from './lerc.ts'
import { decodeLzw } from './lzw.ts'
import { decodePackBits } from './packbits.ts'
import type { TileValues } from './tile-values.ts'

/** A way in which tiles are compressed. Each function throws `unreadable_file` for damaged data. */
export type Compression = ByteCompression | ValueCompression

/** Of the bytes of samples. */
export interface ByteCompression {
  readonly kind: 'bytes'
  readonly name: string
  /** Whether the tag Predictor counts. */
  readonly hasPredictor: boolean
  /** Decodes a tile into the core's memory: `needed` bytes, and more if they are there, which are at most `most`. */
  decode(core: Core, stored: Uint8Array, needed: number, most: number): InflatedBytes
  /** The same into other memory, with little of the core's. */
  decodeOutside(core: Core, stored: Uint8Array, most: number): Uint8Array
}

/** Of the samples as numbers. */
interface ValueCompression {
  readonly kind: 'values'
  readonly name: string
  /** Decodes the tile, which has so many rows. */
  decode(stored: Uint8Array, image: Image, rows: number): TileValues
}

const NONE: Compression = Object.freeze({
  kind: 'bytes',
  name: 'none',
  hasPredictor: false,
  decode: (core: Core, stored: Uint8Array, needed: number) => copyBytes(core, stored, needed),
  decodeOutside: (_: Core, stored: Uint8Array) => stored.slice(),
})

const LZW: Compression = Object.freeze({
  kind: 'bytes',
  name: 'LZW',
  hasPredictor: true,
  decode: ({ rasters }: Core, stored: Uint8Array, needed: number) => rasters.inflateLzw(stored, needed),
  decodeOutside: ({ rasters }: Core, stored: Uint8Array, most: number) => decodeLzw(rasters, stored, most),
})

const DEFLATE: Compression = Object.freeze({
  kind: 'bytes',
  name: 'deflate',
  hasPredictor: true,
  decode(core: Core, stored: Uint8Array, needed: number, most: number) {
    let isFilled = false
    const inflated = core.rasters.filled(needed, (room) => {
      isFilled = (inflateZlibInto(stored, room) ?? 0) >= needed
    })
    return isFilled ? inflated : core.inflateZlib(stored, most)
  },
  decodeOutside: (_: Core, stored: Uint8Array, most: number) =>
    decodeDeflate(stored, { bytes: most, isExact: false }),
})

const PACKBITS: Compression = Object.freeze({
  kind: 'bytes',
  name: 'PackBits',
  hasPredictor: false,
  decode: ({ rasters }: Core, stored: Uint8Array, needed: number) => rasters.inflatePackBits(stored, needed),
  decodeOutside: (_: Core, stored: Uint8Array, most: number) => decodePackBits(stored, most),
})

const ZSTD: Compression = Object.freeze({
  kind: 'bytes',
  name: 'zstd',
  hasPredictor: true,
  decode(core: Core, stored: Uint8Array, needed: number, most: number) {
    let isFilled = false
    const inflated = core.rasters.filled(needed, (room) => {
      isFilled = (inflateZstdInto(stored, room) ?? 0) >= needed
    })
    return isFilled ? inflated : copyBytes(core, zstdOutside(stored, most), needed)
  },
  decodeOutside: (_: Core, stored: Uint8Array, most: number) => zstdOutside(stored, most),
})

const LERC: Compression = Object.freeze({ kind: 'values', name: 'LERC', decode: decodeLerc })

const JPEG: Compression = Object.freeze({ kind: 'values', name: 'JPEG', decode: decodeJpegTile })

function zstdOutside(stored: Uint8Array, most: number): Uint8Array {
  return decodeZstd(stored, { bytes: most, isExact: false })
}

function copyBytes({ rasters }: Core, bytes: Uint8Array, needed: number): InflatedBytes {
  const part = bytes.subarray(0, needed)
  return rasters.filled(part.length, (room) => room.set(part))
}

/** By the number in the tag Compression. */
const COMPRESSIONS: Readonly<Record<number, Compression>> = Object.freeze({
  1: NONE,
  5: LZW,
  7: JPEG,
  8: DEFLATE,
  32773: PACKBITS,
  32946: DEFLATE,
  34887: LERC,
  34926: ZSTD,
  50000: ZSTD,
})

/** What was done to the samples of a tile before it was compressed. */
const PREDICTORS = Object.freeze({ none: 1, horizontal: 2, floating: 3 })

/** The compression of an image. Throws `unreadable_file` for one that is not read. */
export function compressionOf({ compression, subsampling }: Image): Compression {
  const codec = COMPRESSIONS[compression]
  if (codec === undefined) throw unsupported('Compression', compression)
  if (subsampling !== null && codec !== JPEG) throw unsupported('YCbCrSubSampling', subsampling.join(', '))
  return codec
}

/** The predictor that has to be undone. Null: there is none. Throws `unreadable_file` for one that is not read. */
export function predictorOf(image: Image): 2 | 3 | null {
  const { predictor, element, bits } = image
  if (predictor === PREDICTORS.none || !hasPredictor(compressionOf(image))) return null
  if (predictor === PREDICTORS.horizontal && bits === element.bits) return 2
  if (predictor === PREDICTORS.floating && element.kind === 'float') return 3
  throw unsupported('Predictor', `${predictor}, with samples of ${bits} bits`)
}

function hasPredictor(compression: Compression): boolean {
  return compression.kind === 'bytes' && compression.hasPredictor
}

/** The name of a compression for people. */
export function compressionName(compression: number): string {
  return COMPRESSIONS[compression]?.name ?? `compression ${compression}`
}
