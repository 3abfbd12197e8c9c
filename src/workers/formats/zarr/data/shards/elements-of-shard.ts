import type { Core } from '../../../../../wasm/core/core.ts'
import type { Box } from '../../../arrays/array-file.ts'
import { chunkBox, chunksOf, copyShared, elementsOf } from '../../../arrays/boxes.ts'
import type { ArrayForm } from '../array-form.ts'
import type { ChunkDecoder, ShardLayout } from '../chunk-decoder.ts'
import { requireStoredSize } from '../require-stored-size.ts'
import { rangeOfIndex, readShardIndex } from './shard-index.ts'

/** A shard whose elements have `elementBytes` bytes each. `fill` has those of one in a chunk that was never written. */
export interface WholeShard {
  readonly layout: ShardLayout
  readonly form: ArrayForm
  readonly elementBytes: number
  readonly fill: Uint8Array
}

/** All elements of a shard, in C order and in the byte order of its chunks. Throws `unreadable_file`. */
export function elementsOfShard(
  stored: Uint8Array,
  { layout, form, elementBytes, fill }: WholeShard,
  core: Core,
): Uint8Array {
  const { inner, chunk } = layout
  const at = rangeOfIndex(layout, stored.length)
  const index = readShardIndex(stored.subarray(at.from, at.from + at.length), layout, stored.length, core)
  const whole: Box = { origin: form.shape.map(() => 0), extent: form.shape }
  const target = new Uint8Array(elementsOf(whole) * elementBytes)
  if (target.length > 0) Buffer.from(target.buffer).fill(fill)
  let number = 0
  for (const position of chunksOf(whole, chunk)) {
    const range = index.rangeOf(number++)
    if (range === null) continue
    const elements = decode(stored.subarray(range.from, range.from + range.length), inner, core)
    copyShared(elements, chunkBox(position, chunk), target, whole, elementBytes)
  }
  return target
}

function decode(stored: Uint8Array, inner: ChunkDecoder, core: Core): Uint8Array {
  const bytes = inner.chunkBytes ?? 0
  requireStoredSize(stored.length, inner, bytes)
  return inner.decode(stored, bytes, core)
}
