import type { Slab } from '../../../arrays/array-file.ts'
import { chunkBox, chunksOf, intersectionOf } from '../../../arrays/boxes.ts'
import { type ByteRange, freeStored, readStored } from '../../../arrays/stored-bytes.ts'
import type { ShardLayout } from '../chunk-decoder.ts'
import { chunkName, slabsOfChunk, slabsOfPlainChunk } from '../chunk-slabs.ts'
import { fillSlab } from '../slab-of-elements.ts'
import type { AskedPart, ObjectReading, StoredPart } from '../stored-part.ts'
import { readIndexOnce } from './kept-indexes.ts'
import { rangeOfIndex, readShardIndex, type ShardIndex } from './shard-index.ts'

/** Parts of larger chunks that are stored as they are are read alone. */
const READ_WHOLE_BYTES = 1 << 20

/** The elements of a shard that are asked for, in any order. Chunks that lie close to each other are read at once. */
export function* slabsOfShard(reading: ObjectReading, part: AskedPart, layout: ShardLayout): Generator<Slab> {
  const { array, source, store, key, context } = reading
  const { inner } = layout
  const index = indexOf(reading, part, layout)
  const chunks: AskedPart[] = []
  for (const chunk of chunksOfBox(part, layout, index)) {
    if (chunk.range === null) yield fillSlab(chunk.asked, array)
    else chunks.push({ ...chunk, range: chunk.range })
  }
  if (inner.shard !== null) {
    for (const chunk of chunks) yield* slabsOfShard(reading, chunk, inner.shard)
    return
  }
  if (inner.isPlain && (inner.chunkBytes ?? 0) > READ_WHOLE_BYTES) {
    for (const chunk of chunks) yield* slabsOfPlainChunk(reading, chunk)
    return
  }
  const isHeld = ({ range }: AskedPart): boolean =>
    context.chunks.isHeld(store, chunkName(key, range.from), source.version)
  const [held, others] = [chunks.filter(isHeld), chunks.filter((chunk) => !isHeld(chunk))]
  for (const chunk of held) yield* slabsOfChunk(reading, chunk)
  for (const run of runsOf(others)) {
    context.checkCancelled()
    const bytes = readStored(source, run)
    for (const chunk of run.chunks) {
      const from = chunk.range.from - run.from
      yield* slabsOfChunk(reading, chunk, bytes.subarray(from, from + chunk.range.length))
    }
    freeStored(source, bytes)
  }
}

function indexOf(reading: ObjectReading, { range }: StoredPart, layout: ShardLayout): ShardIndex {
  const { source, context } = reading
  return readIndexOnce(reading, range, () => {
    const { from, length } = rangeOfIndex(layout, range.length)
    return readShardIndex(source.read(range.from + from, length), layout, range.length, context.core)
  })
}

/** The chunks that have elements of a box, in C order. The range of one that was never written is null. */
function* chunksOfBox(
  { range, whole, asked }: AskedPart,
  { chunk, counts, inner }: ShardLayout,
  index: ShardIndex,
): Generator<Omit<AskedPart, 'range'> & { readonly range: StoredPart['range'] | null }> {
  const first = whole.origin.map((at, axis) => at / (chunk[axis] ?? 1))
  for (const position of chunksOf(asked, chunk)) {
    const number = position.reduce((sum, at, axis) => sum * (counts[axis] ?? 1) + at - (first[axis] ?? 0), 0)
    const place = index.rangeOf(number)
    const innerBox = chunkBox(position, chunk)
    yield {
      range: place && { from: range.from + place.from, length: place.length },
      decoder: inner,
      whole: innerBox,
      asked: intersectionOf(innerBox, asked),
    }
  }
}

/** Bytes that are read at once, and the chunks that lie in them. */
interface Run<T> extends ByteRange {
  readonly chunks: readonly T[]
}

/** Chunks with at most so many bytes between them are read at once. To read as many takes about as long as another call. */
const MAX_GAP_BYTES = 64 << 10

/** The most bytes that are read at once, unless a single chunk has more. */
const MAX_RUN_BYTES = 8 << 20

/** Chunks in runs, both in the order of their places. */
function* runsOf<T extends { readonly range: ByteRange }>(chunks: readonly T[]): Generator<Run<T>> {
  const ordered = chunks.toSorted((a, b) => a.range.from - b.range.from)
  let run: { from: number; end: number; chunks: T[] } | null = null
  for (const chunk of ordered) {
    const { from, length } = chunk.range
    const end = from + length
    if (
      run !== null &&
      from - run.end <= MAX_GAP_BYTES &&
      Math.max(end, run.end) - run.from <= MAX_RUN_BYTES
    ) {
      run.end = Math.max(end, run.end)
      run.chunks.push(chunk)
      continue
    }
    if (run !== null) yield { from: run.from, length: run.end - run.from, chunks: run.chunks }
    run = { from, end, chunks: [chunk] }
  }
  if (run !== null) yield { from: run.from, length: run.end - run.from, chunks: run.chunks }
}
