import { fault } from '../../../fault.ts'
import { plainName } from '../../data/codecs/codec-name.ts'
import type { Codec, CodecChain } from '../../stored-zarr.ts'
import { chainOf, makesArray, makesBytesOfArray } from '../codec-chain.ts'
import { isObject, type JsonObject } from '../json.ts'
import { show } from '../members.ts'
import { isBigEndian } from './data-type.ts'

/** The codecs of version 2 that version 3 has under the same name. */
const SAME = new Set(['blosc', 'crc32c', 'gzip', 'vlen-bytes', 'vlen-utf8', 'zstd'])

/**
 * The filters and the compressor of an array of version 2, in the order in which they encode, under their names in version 3. Throws
 * `unreadable_file`.
 */
export function codecsIn({ filters = null, compressor = null }: JsonObject): readonly Codec[] {
  if (filters !== null && !Array.isArray(filters))
    throw fault(`"filters" must be a list, and is ${show(filters)}`)
  return [...(filters ?? []), ...(compressor === null ? [] : [compressor])].map((given: unknown) => {
    if (!isObject(given) || typeof given['id'] !== 'string')
      throw fault(`"filters" and "compressor" must have objects with an id, and have ${show(given)}`)
    const { id, ...configuration } = given
    return { name: SAME.has(id) ? id : `numcodecs.${id}`, configuration }
  })
}

/** The id of the codec that makes bytes of objects. Null: there is none. */
export function objectCodec(codecs: readonly Codec[]): string | null {
  const codec = codecs.find(makesBytesOfArray)
  return codec === undefined ? null : plainName(codec.name)
}

/** The whole chain: the order of elements in a chunk, and their bytes, are codecs in version 3. Throws `unreadable_file`. */
export function chainOfV2(document: JsonObject, codecs: readonly Codec[], rank: number): CodecChain {
  const { order = 'C', dtype } = document
  if (order !== 'C' && order !== 'F') throw fault(`"order" must be "C" or "F", and is ${show(order)}`)
  const reversed = Array.from({ length: rank }, (_, axis) => rank - 1 - axis)
  const transposed: readonly Codec[] =
    order === 'F' && rank > 1 ? [{ name: 'transpose', configuration: { order: reversed } }] : []
  if (objectCodec(codecs) !== null) return chainOf([...transposed, ...codecs])
  const first = codecs.findIndex((codec) => !makesArray(codec))
  const at = first < 0 ? codecs.length : first
  // The last codec that made an array says what its elements are.
  const endian = isBigEndian(codecs[at - 1]?.configuration['astype'] ?? dtype) ? 'big' : 'little'
  const bytes = { name: 'bytes', configuration: { endian } }
  return chainOf([...transposed, ...codecs.slice(0, at), bytes, ...codecs.slice(at)])
}
