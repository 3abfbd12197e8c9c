import { fault } from '../../fault.ts'
import { plainName } from '../data/codecs/codec-name.ts'
import type { Codec, CodecChain } from '../stored-zarr.ts'
import { show } from './members.ts'

/** Codecs that make bytes of an array, by their names without `numcodecs.`. */
const BYTES = new Set(['bytes', 'vlen-utf8', 'vlen-bytes', 'sharding_indexed', 'json2'])
/** Codecs that make an array of an array. */
const ARRAYS = new Set([
  'astype',
  'bitround',
  'cast_value',
  'delta',
  'fixedscaleoffset',
  'quantize',
  'scale_offset',
  'transpose',
])

/** Whether a codec is known to make bytes of an array, such as `bytes`. */
export function makesBytesOfArray({ name }: Codec): boolean {
  return BYTES.has(plainName(name))
}

/** Whether a codec is known to make an array of an array, such as `transpose`. */
export function makesArray({ name }: Codec): boolean {
  return ARRAYS.has(plainName(name))
}

/**
 * The codecs in the order in which they encode. One of them makes bytes of the array: that is one which is known to, or the first
 * that is not known to make an array. Throws `unreadable_file` where several do, or a codec is behind the wrong one.
 */
export function chainOf(codecs: readonly Codec[]): CodecChain {
  const arrayToBytesIndex = codecs.findIndex(makesBytesOfArray)
  const at = arrayToBytesIndex >= 0 ? arrayToBytesIndex : codecs.findIndex((codec) => !makesArray(codec))
  const bytes = codecs[at]
  if (bytes === undefined)
    throw fault('"codecs" must have one that makes bytes of the array, such as "bytes"')
  const [arrays, compression] = [codecs.slice(0, at), codecs.slice(at + 1)]
  const wrong = compression.find((codec) => makesBytesOfArray(codec) || makesArray(codec))
  if (wrong !== undefined)
    throw fault(`"codecs" has ${show(wrong.name)} behind ${show(bytes.name)}, which makes bytes`)
  return { arrays, bytes, compression }
}

/** Whether a part of a chunk can be read, since its elements lie there as they are. */
export function isPlain({ arrays, bytes, compression }: CodecChain): boolean {
  return arrays.length === 0 && bytes.name === 'bytes' && compression.length === 0
}
