import type { InflatedBytes } from '../../../../wasm/core/boxes/box-column.ts'
import { discard } from '../../../store/discard.ts'
import type { Slab } from '../../arrays/array-file.ts'
import { elementsOf, isInside } from '../../arrays/boxes.ts'
import { MOST_IN_CORE, requireChunkBytes } from '../../arrays/chunk-bytes.ts'
import { SMALL_BYTES } from '../../arrays/small-slabs.ts'
import { freeStored, readStored } from '../../arrays/stored-bytes.ts'
import { readStridedPart } from '../../arrays/strided/read-strided.ts'
import { inOrder } from '../../arrays/strided/runs.ts'
import { toOwnBuffer } from '../../codecs/inflate.ts'
import { elementBytesOf } from './array-form.ts'
import { requireStoredSize } from './require-stored-size.ts'
import { inflatedSlab, slabOfElements } from './slab-of-elements.ts'
import type { AskedPart, ObjectReading } from './stored-part.ts'

/**
 * A slab of all elements of a chunk. They are cached, unless no one asks for them again; then they are inflated in the core, if codecs and size
 * allow it. `held` are its stored bytes, if they have been read already. Throws `unreadable_file`.
 */
export function* slabsOfChunk(
  reading: ObjectReading,
  part: AskedPart,
  held: Uint8Array | null = null,
): Generator<Slab> {
  const { store, key, source, context, array } = reading
  const { range, decoder, whole } = part
  const { chunks, stopwatch } = context
  const { chunkBytes } = decoder
  requireChunkBytes(chunkBytes ?? 0, chunks)
  const mostBytes = chunkBytes ?? chunks.maxChunkBytes
  requireStoredSize(range.length, decoder, mostBytes)

  function decode(stored: Uint8Array): Uint8Array {
    return stopwatch.time('inflate', () => decoder.decode(stored, mostBytes, context.core))
  }

  if (isAskedOnce(reading, part)) {
    stopwatch.count('chunkMisses')
    const inflated = mostBytes > MOST_IN_CORE ? null : inflateInCore(reading, part, held)
    if (inflated !== null) {
      yield inflatedSlab(inflated, whole, decoder, array)
      return
    }
    const stored = held ?? readStored(source, range)
    const bytes = decode(stored)
    yield slabOfElements(bytes, whole, decoder, array)
    if (bytes.buffer !== stored.buffer) discard(bytes)
    if (held === null) freeStored(source, stored)
    return
  }
  const cachedChunk = chunks.get(store, chunkName(key, range.from), source.version, () => {
    const stored = held ?? readStored(source, range)
    const bytes = toOwnBuffer(decode(stored))
    // The memory of what was read is used again, also if codecs have left it as it is.
    const chunkBuffer = bytes === stored.buffer ? bytes.slice(0, stored.length) : bytes
    if (held === null) freeStored(source, stored)
    return chunkBuffer
  })
  yield slabOfElements(
    new Uint8Array(cachedChunk, 0, chunkBytes ?? cachedChunk.byteLength),
    whole,
    decoder,
    array,
  )
}

/**
 * All elements of a chunk, inflated in the core. Null: its codecs are not undone there, or the data are not sound, which decoding them says. Throws
 * `unreadable_file`.
 */
function inflateInCore(
  { source, context: { core, stopwatch } }: ObjectReading,
  { range, decoder, whole, asked }: AskedPart,
  held: Uint8Array | null,
): InflatedBytes | null {
  const { inflater } = decoder
  if (inflater === null) return null
  const isPart = elementsOf(asked) < elementsOf(whole)
  const inflate = (stored: Uint8Array) =>
    stopwatch.time('inflate', () => inflater.inflate(core, stored, isPart))
  if (held !== null) return inflate(held)
  if (inflater.takesStoredRoom) {
    const room = core.storedRoom(range.length)
    source.readInto(range.from, room)
    return inflate(room)
  }
  const stored = readStored(source, range)
  const inflated = inflate(stored)
  freeStored(source, stored)
  return inflated
}

/** Whether no other unit asks for elements of a chunk, and no other query can. */
function isAskedOnce(
  { store, source, array, context, exclusiveBox }: ObjectReading,
  { whole }: AskedPart,
): boolean {
  return (
    exclusiveBox !== null &&
    isInside(whole, array.shape, exclusiveBox) &&
    !context.chunks.isShared(store, source.version)
  )
}

/** The name of a chunk in its store. */
export function chunkName(key: string, from: number): string {
  return `${key} ${from}`
}

/** Slabs of the elements of a chunk that are asked for and are stored as they are. A small chunk is read as a whole: the next unit asks for others of it. */
export function* slabsOfPlainChunk(
  { source, array, context }: ObjectReading,
  { range, decoder, whole, asked }: AskedPart,
): Generator<Slab> {
  const { chunkBytes, form } = decoder
  requireStoredSize(range.length, decoder, chunkBytes ?? 0)
  if (range.length <= SMALL_BYTES) {
    yield slabOfElements(source.read(range.from, range.length), whole, decoder, array)
    return
  }
  const stored = inOrder(range.from, form.shape, elementBytesOf(form.data) ?? 0)
  const boxes = readStridedPart(source, stored, { from: whole.origin, box: asked }, context.checkCancelled)
  for (const part of boxes) yield slabOfElements(part.bytes, part, decoder, array)
}
