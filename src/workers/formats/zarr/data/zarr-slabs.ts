import { memoize } from '../../../../plan/memoize.ts'
import type { Store } from '../../../store/store.ts'
import type { Box, Slab } from '../../arrays/array-file.ts'
import { chunkBox, chunksOf, intersectionOf } from '../../arrays/boxes.ts'
import { locateErrors } from '../../error-location.ts'
import type { ReadContext } from '../../provider.ts'
import type { ZarrArray } from '../stored-zarr.ts'
import type { ChunkDecoder } from './chunk-decoder.ts'
import { chunkKey } from './chunk-key.ts'
import { slabsOfChunk, slabsOfPlainChunk } from './chunk-slabs.ts'
import { createChunkDecoder } from './create-chunk-decoder.ts'
import { slabsOfShard } from './shards/shard-slabs.ts'
import { fillSlab } from './slab-of-elements.ts'
import type { ObjectReading } from './stored-part.ts'

/** The elements of a box of an array, as `ArrayFile.slabs`. The array and the key of the object are put in front of messages. */
export function* slabsOfZarr(
  store: Store,
  array: ZarrArray,
  box: Box,
  context: ReadContext,
  exclusiveBox: Box | null = null,
): Generator<Slab> {
  if (box.extent.includes(0)) return
  const location = `"${array.name}"`
  const decoder = locateErrors(location, () => decoderOf(array))
  for (const position of chunksOf(box, array.objectShape)) {
    context.checkCancelled()
    const key = chunkKey(array, position)
    const slabs = slabsOfObject({ store, array, key, context, exclusiveBox }, decoder, position, box)
    try {
      for (;;) {
        const next = locateErrors(`${location}, "${key}"`, () => slabs.next())
        if (next.done === true) break
        yield next.value
      }
    } finally {
      slabs.return(undefined)
    }
  }
}

const decoderOf = memoize(({ codecs, data, objectShape, fill }: ZarrArray) =>
  createChunkDecoder(codecs, { data, shape: objectShape }, fill),
)

function* slabsOfObject(
  object: Omit<ObjectReading, 'source'>,
  decoder: ChunkDecoder,
  position: readonly number[],
  box: Box,
): Generator<Slab> {
  const { store, array, key } = object
  const whole = chunkBox(position, array.objectShape)
  const asked = intersectionOf(whole, box)
  const source = store.open(key)
  if (source === null) {
    yield fillSlab(asked, array)
    return
  }
  const reading = { ...object, source }
  const part = { range: { from: 0, length: source.size }, decoder, whole, asked }
  if (decoder.shard !== null) yield* slabsOfShard(reading, part, decoder.shard)
  else if (decoder.isPlain && array.data.kind !== 'fixed') yield* slabsOfPlainChunk(reading, part)
  else yield* slabsOfChunk(reading, part)
}
