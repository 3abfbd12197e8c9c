import type { InflatedBytes } from '../../../../wasm/core/boxes/box-column.ts'
import type { ByteSource } from '../../../store/byte-source.ts'
import { onlyObject, type Store } from '../../../store/store.ts'
import { MOST_IN_CORE, requireChunkBytes } from '../../arrays/chunk-bytes.ts'
import { freeStored, readStored } from '../../arrays/stored-bytes.ts'
import { toOwnBuffer } from '../../codecs/inflate.ts'
import { fault } from '../../fault.ts'
import type { ReadContext } from '../../provider.ts'
import {
  appliedSteps,
  decodeChunk,
  isShuffledFirst,
  mostStoredBytes,
  requireSize,
  type Step,
  undoSteps,
} from './decode-chunk.ts'
import { filterOf } from './filters/filters.ts'
import type { StoredChunk } from './index/chunk-grid.ts'
import type { StoredFilter } from './structures/messages/pipeline.ts'

/** How the chunks of a dataset are decoded. */
export interface ChunkForm {
  /** A name of the dataset in its file. */
  readonly name: string
  readonly filters: readonly StoredFilter[]
  /** Bytes of a chunk without filters. */
  readonly chunkBytes: number
  readonly elementBytes: number
  /** Whether chunks that are shuffled first may stay so. */
  readonly keepsShuffle: boolean
}

export interface DecodedChunk<Bytes = Uint8Array> {
  readonly bytes: Bytes
  /** Whether the first bytes of all elements come first, then the second ones, and so on. */
  readonly isShuffled: boolean
}

/**
 * The bytes of a chunk without its filters. They are cached, and must not be changed. `place` is where the chunk is in the file. Throws
 * `unreadable_file`, and `memory_limit` for a chunk that has more bytes than one may have.
 */
export function readChunk(
  store: Store,
  chunk: StoredChunk,
  place: number,
  form: ChunkForm,
  context: ReadContext,
): DecodedChunk {
  const { chunkBytes } = form
  const { isShuffled, key } = keyOf(chunk, place, form)
  requireChunkBytes(chunkBytes, context.chunks)
  const source = onlyObject(store)
  const bytes = context.chunks.get(store, key, source.version, () => {
    const stored = readFiltered(source, chunk, place, form)
    const decoded = context.stopwatch.time('inflate', () =>
      decodeChunk(stored, stepsOf(chunk, form, isShuffled), chunkBytes, context.undoFilter, context.core),
    )
    const bytes = toOwnBuffer(decoded)
    // The memory of what was read is used again, also if filters have left it as it is.
    const chunkBuffer = bytes === stored.buffer ? bytes.slice(0, decoded.length) : bytes
    freeStored(source, stored)
    return chunkBuffer
  })
  return { bytes: new Uint8Array(bytes, 0, chunkBytes), isShuffled }
}

/** How elements of a chunk are asked for. */
interface Asked {
  /** Whether only one unit needs elements of the chunk. */
  readonly isReadOnce: boolean
  /** Whether it needs a part of them alone, for which it takes less time if they stay shuffled. */
  readonly isPart: boolean
}

/**
 * As `readChunk`, for elements that a column is made of. A chunk that is not cached, because only this unit needs it (`isReadOnce`) and caches are off,
 * is inflated in the core, where its elements are needed, if its first filter can be undone there.
 */
export function readElements(
  store: Store,
  chunk: StoredChunk,
  place: number,
  form: ChunkForm,
  { isReadOnce, isPart }: Asked,
  context: ReadContext,
): DecodedChunk<Uint8Array | InflatedBytes> {
  const { chunkBytes, elementBytes, keepsShuffle } = form
  const { core, chunks, stopwatch } = context
  const source = onlyObject(store)
  const { isShuffled } = keyOf(chunk, place, form)
  const [first, ...others] = stepsOf(chunk, form, isShuffled)
  const isInCore = isReadOnce && chunkBytes <= MOST_IN_CORE && !chunks.isShared(store, source.version)
  const inflate = isInCore && first !== undefined ? inflateOf(first.filter) : undefined
  if (inflate === undefined) return readChunk(store, chunk, place, form, context)
  requireChunkBytes(chunkBytes, context.chunks)
  stopwatch.count('chunkMisses')
  const stored = readFiltered(source, chunk, place, form)
  const bytes = stopwatch.time('inflate', () =>
    inflate(
      core,
      undoSteps(stored, others, context.undoFilter, core),
      chunkBytes,
      keepsShuffle && isPart && !isShuffled ? elementBytes : 0,
    ),
  )
  freeStored(source, stored)
  if (bytes === null) return readChunk(store, chunk, place, form, context)
  requireSize(bytes.length, chunkBytes)
  return { bytes, isShuffled: isShuffled || bytes.isShuffled }
}

/** What undoes a filter in the core. Undefined: it is undone elsewhere. */
function inflateOf(filter: StoredFilter) {
  const codec = filterOf(filter)
  return codec.decode === null ? undefined : codec.inflate
}

/** Whether a chunk stays shuffled, and the key under which it is cached. */
function keyOf(
  { mask }: StoredChunk,
  place: number,
  { name, filters, elementBytes, keepsShuffle }: ChunkForm,
): { readonly isShuffled: boolean; readonly key: string } {
  const isShuffled = keepsShuffle && isShuffledFirst(filters, mask, elementBytes)
  return { isShuffled, key: `${name} ${place} ${isShuffled ? 'shuffled' : ''}` }
}

/** The filters that are undone. */
function stepsOf({ mask }: StoredChunk, form: ChunkForm, isShuffled: boolean): readonly Step[] {
  return appliedSteps(form.filters, mask, form.chunkBytes).slice(isShuffled ? 1 : 0)
}

function readFiltered(
  source: ByteSource,
  { bytes, mask }: StoredChunk,
  place: number,
  { filters, chunkBytes }: ChunkForm,
): Uint8Array {
  if (bytes > mostStoredBytes(filters, mask, chunkBytes))
    throw fault(`it has ${bytes} bytes in the file, more than filters make of ${chunkBytes}`)
  return readStored(source, { from: place, length: bytes })
}
