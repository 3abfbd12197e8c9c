import { productOf } from '../../../../plan/product-of.ts'
import type { InflatedBytes } from '../../../../wasm/core/boxes/box-column.ts'
import type { Box, Slab } from '../../arrays/array-file.ts'
import type { ZarrArray } from '../stored-zarr.ts'
import { elementBytesOf } from './array-form.ts'
import type { ChunkDecoder } from './chunk-decoder.ts'
import { fixedTexts, variableTexts } from './texts.ts'

/** A slab of decoded elements, which are those of a box. */
export function slabOfElements(
  bytes: Uint8Array,
  { origin, extent }: Box,
  { isBigEndian }: Pick<ChunkDecoder, 'isBigEndian'>,
  { data }: ZarrArray,
): Slab {
  if (data.kind === 'fixed')
    return { kind: 'texts', origin, extent, ...fixedTexts(bytes, data, productOf(extent), isBigEndian) }
  if (data.kind === 'variable')
    return { kind: 'texts', origin, extent, ...variableTexts(bytes, productOf(extent)) }
  const stride = elementBytesOf(data) ?? 1
  return { kind: 'elements', origin, extent, bytes, isBigEndian, isShuffled: false, stride, offset: 0 }
}

/** The same of numbers that were inflated in the core. */
export function inflatedSlab(
  bytes: InflatedBytes,
  { origin, extent }: Box,
  { isBigEndian }: Pick<ChunkDecoder, 'isBigEndian'>,
  { data }: ZarrArray,
): Slab {
  const stride = elementBytesOf(data) ?? 1
  const { isShuffled } = bytes
  return { kind: 'inflated', origin, extent, bytes, isBigEndian, isShuffled, stride, offset: 0 }
}

/** The slab of elements that were never written. */
export function fillSlab({ origin, extent }: Box, { data, fill }: ZarrArray): Slab {
  const isText = data.kind === 'variable' || (data.kind === 'fixed' && data.encoding !== 'bytes')
  const bytes = fill ?? new Uint8Array(isText ? 0 : (elementBytesOf(data) ?? 0))
  return { kind: 'repeated', origin, extent, bytes }
}
