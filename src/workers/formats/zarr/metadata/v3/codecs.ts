import { fault } from '../../../fault.ts'
import type { Codec, CodecChain } from '../../stored-zarr.ts'
import { chainOf } from '../codec-chain.ts'
import { isObject } from '../json.ts'
import { listIn, type Members, show, sizesIn } from '../members.ts'

/** What is meant where an array has no codecs, as zarrita writes them. */
const NO_CODECS: Codec = Object.freeze({ name: 'bytes', configuration: Object.freeze({ endian: 'little' }) })

/** The codecs of an array of version 3. Throws `unreadable_file`. */
export function codecsOf(document: Members): CodecChain {
  const codecs = listIn(document, 'codecs').map(codecOf)
  return chainOf(codecs.length === 0 ? [NO_CODECS] : codecs)
}

function codecOf(codec: unknown): Codec {
  if (typeof codec === 'string') return { name: codec, configuration: {} }
  if (!isObject(codec) || typeof codec['name'] !== 'string')
    throw fault(`"codecs" must have objects with a name, and has ${show(codec)}`)
  const { name, configuration = {} } = codec
  if (!isObject(configuration)) throw fault(`the configuration of the codec ${show(name)} must be an object`)
  return { name, configuration }
}

/**
 * The shape of the chunks in objects of a shape: that of the innermost chunks of shards. Throws `unreadable_file` for
 * chunks that do not divide their shard.
 */
export function chunkShapeOf({ arrays, bytes }: CodecChain, object: readonly number[]): readonly number[] {
  if (bytes.name !== 'sharding_indexed') return object
  // Along which dimension of the array each dimension of the shard's elements lies.
  const order = arrays.reduce<readonly number[]>(
    (before, codec) => (codec.name === 'transpose' ? transpose(before, codec) : before),
    object.map((_, axis) => axis),
  )
  const inShard = sizesIn(bytes.configuration, 'chunk_shape', 1)
  const shard = order.map((axis) => object[axis] ?? 0)
  if (inShard.length !== shard.length || inShard.some((size, axis) => (shard[axis] ?? 0) % size !== 0))
    throw fault(
      `the shape of the chunks in a shard, ${show(inShard)}, must divide that of the shard, ${show(shard)}`,
    )
  const inner = chunkShapeOf(codecsOf(bytes.configuration), inShard)
  return object.map((_, axis) => inner[order.indexOf(axis)] ?? 0)
}

function transpose(before: readonly number[], { configuration }: Codec): readonly number[] {
  const order = sizesIn(configuration, 'order', 0)
  if (
    order.length !== before.length ||
    new Set(order).size !== order.length ||
    order.some((axis) => axis >= order.length)
  )
    throw fault(`the order of "transpose" must have each dimension once, and is ${show(order)}`)
  return order.map((axis) => before[axis] ?? 0)
}
