import { chunkBox, chunksOf } from '../../../arrays/boxes.ts'
import { inOrder } from '../../../arrays/strided/runs.ts'
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
): Uint8Array {
  const { inner, chunk } = layout
  const at = rangeOfIndex(layout, stored.length)
  const index = readShardIndex(stored.subarray(at.from, at.from + at.length), layout, stored.length)
  const { shape } = form
  const target = new Uint8Array(shape.reduce((product, length) => product * length, elementBytes))
  const { strides } = inOrder(0, shape, elementBytes)
  let number = 0
  for (const position of chunksOf({ origin: shape.map(() => 0), extent: shape }, chunk)) {
    const range = index.rangeOf(number++)
    const elements =
      range === null ? null : decode(stored.subarray(range.from, range.from + range.length), inner)
    const from = chunkBox(position, chunk).origin.reduce(
      (place, each, axis) => place + each * (strides[axis] ?? 0),
      0,
    )
    paste(elements ?? fill, target, { from, shape: chunk, strides, elementBytes })
  }
  return target
}

function decode(stored: Uint8Array, inner: ChunkDecoder): Uint8Array {
  const bytes = inner.chunkBytes ?? 0
  requireStoredSize(stored.length, inner, bytes)
  return inner.decode(stored, bytes)
}

/** Where the elements of a chunk are in a shard. Strides are in bytes. */
interface Place {
  readonly from: number
  readonly shape: readonly number[]
  readonly strides: readonly number[]
  readonly elementBytes: number
}

/** Copies elements in C order to their place. A single one is repeated. */
function paste(
  elements: Uint8Array,
  target: Uint8Array,
  { from, shape, strides, elementBytes }: Place,
): void {
  const rank = shape.length
  const runBytes = (shape[rank - 1] ?? 1) * elementBytes
  const isRepeated = elements.length === elementBytes
  let at = 0

  function copy(axis: number, to: number): void {
    if (axis < rank - 1) {
      const stride = strides[axis] ?? 0
      for (let index = 0; index < (shape[axis] ?? 1); index++) copy(axis + 1, to + index * stride)
    } else if (isRepeated) {
      for (let done = 0; done < runBytes; done += elementBytes) target.set(elements, to + done)
    } else {
      target.set(elements.subarray(at, at + runBytes), to)
      at += runBytes
    }
  }

  copy(0, from)
}
