import { productOf } from '../../../../../plan/product-of.ts'
import { fault } from '../../../fault.ts'
import { type Members, show, sizesIn } from '../../metadata/members.ts'
import { codecsOf } from '../../metadata/v3/codecs.ts'
import type { CodecChain } from '../../stored-zarr.ts'
import type { ArrayForm } from '../array-form.ts'
import type { ChunkDecoder, ShardIndexLayout, ShardLayout } from '../chunk-decoder.ts'

/** The most bytes of an index: those of 4 million chunks. */
const MAX_INDEX_BYTES = 64 << 20

/** Bytes of an entry of an index. */
export const ENTRY_BYTES = 16

/** The layout of a shard by the configuration of `sharding_indexed`. Throws `unreadable_file`. */
export function shardLayout(
  configuration: Members,
  { data, shape }: ArrayForm,
  createDecoder: (codecs: CodecChain, form: ArrayForm) => ChunkDecoder,
): ShardLayout {
  const chunk = sizesIn(configuration, 'chunk_shape', 1)
  const counts = shape.map((length, axis) => length / (chunk[axis] ?? 0))
  if (chunk.length !== shape.length || !counts.every(Number.isInteger))
    throw fault(
      `the shape of the chunks in a shard, ${show(chunk)}, must divide that of the shard, ${show(shape)}`,
    )
  const inner = createDecoder(codecsOf(configuration), { data, shape: chunk })
  const form: ArrayForm = { data: { kind: 'int', bits: 64, signed: false }, shape: [...counts, 2] }
  const decoder = createDecoder(codecsOf({ codecs: configuration['index_codecs'] }), form)
  return { chunk, counts, inner, index: indexLayout(configuration, productOf(counts), decoder) }
}

function indexLayout(
  { index_location: place = 'end' }: Members,
  chunks: number,
  decoder: ChunkDecoder,
): ShardIndexLayout {
  if (place !== 'start' && place !== 'end')
    throw fault(`the index of a shard is at ${show(place)}, and not at its start or end`)
  if (chunks * ENTRY_BYTES > MAX_INDEX_BYTES)
    throw fault(`a shard has ${chunks} chunks, more than the ${MAX_INDEX_BYTES / ENTRY_BYTES} that are read`)
  const { bytes, isExact } = decoder.storedSize(chunks * ENTRY_BYTES)
  if (!isExact) throw fault('the index of a shard is compressed, and its place in the shard not known')
  return { storedBytes: bytes, isAtStart: place === 'start', decoder }
}
