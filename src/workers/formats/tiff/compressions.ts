import type { InflatedBytes } from '../../../wasm/core/boxes/box-column.ts'
import type { Core } from '../../../wasm/core/core.ts'
import { type Image, unsupported } from './image.ts'

/** A way in which tiles are compressed. */
export interface Compression {
  readonly name: string
  /** Decodes a tile of at most so many bytes into the core's memory. Throws `unreadable_file` for more. */
  decode(core: Core, stored: Uint8Array, most: number): InflatedBytes
}

const DEFLATE: Compression = Object.freeze({
  name: 'deflate',
  decode: (core: Core, stored: Uint8Array, most: number) => core.inflateZlib(stored, most),
})

/** By the number in the tag Compression. */
const COMPRESSIONS: Readonly<Record<number, Compression>> = Object.freeze({ 8: DEFLATE, 32946: DEFLATE })

/** The compression of an image. Throws `unreadable_file` for one that is not read. */
export function compressionOf({ compression, subsampling, predictor }: Image): Compression {
  const codec = COMPRESSIONS[compression]
  if (codec === undefined) throw unsupported('Compression', compression)
  if (subsampling !== null) throw unsupported('YCbCrSubSampling', subsampling.join(', '))
  if (predictor !== 1) throw unsupported('Predictor', predictor)
  return codec
}

/** The name of a compression for people. */
export function compressionName(compression: number): string {
  return COMPRESSIONS[compression]?.name ?? `compression ${compression}`
}
