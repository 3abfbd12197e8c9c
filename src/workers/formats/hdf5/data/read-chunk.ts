import type { InflatedBytes } from '../../../../wasm/core/boxes/box-column.ts'
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

/** How elements of a chunk are asked for. */
interface Asked {
  /** Whether only one unit needs elements of the chunk. */
  readonly isReadOnce: boolean
  /** Whether it needs a part of them alone, for which it takes less time if they stay shuffled. */
  readonly isPart: boolean
}

/** Reads the chunks of a dataset, each of which is at `place` in the file. Calls throw `unreadable_file`. */
export interface ChunkReader {
  /** The bytes of a chunk without its filters. They are cached, and must not be changed. */
  read(chunk: StoredChunk, place: number): DecodedChunk
  /**
   * The same, for elements that a column is made of. A chunk that is not cached, because only this unit needs it (`isReadOnce`) and caches are off,
   * is inflated in the core, where its elements are needed, if its first filter can be undone there.
   */
  readElements(chunk: StoredChunk, place: number, asked: Asked): DecodedChunk<Uint8Array | InflatedBytes>
}

/** What the filters of chunks ask for, from which the same ones were left out. */
interface MaskedForm {
  readonly mask: number
  /** Whether a chunk stays shuffled. */
  readonly isShuffled: boolean
  /** The filters that are undone. */
  readonly steps: readonly Step[]
  readonly mostStoredBytes: number
  /** Of the name of a chunk in the cache: what is before its place, and behind it. */
  readonly name: readonly [string, string]
}

/** Throws `memory_limit` if chunks have more bytes than one may have. */
export function createChunkReader(store: Store, form: ChunkForm, context: ReadContext): ChunkReader {
  const { filters, chunkBytes, elementBytes, keepsShuffle } = form
  const { core, chunks, stopwatch } = context
  const source = onlyObject(store)
  requireChunkBytes(chunkBytes, chunks)
  let last: MaskedForm | null = null

  function maskFilters({ mask }: StoredChunk): MaskedForm {
    if (last?.mask === mask) return last
    const isShuffled = keepsShuffle && isShuffledFirst(filters, mask, elementBytes)
    last = {
      mask,
      isShuffled,
      steps: appliedSteps(filters, mask, chunkBytes).slice(isShuffled ? 1 : 0),
      mostStoredBytes: mostStoredBytes(filters, mask, chunkBytes),
      name: [`${form.name} `, isShuffled ? ' shuffled' : ' '],
    }
    return last
  }

  function readFiltered({ bytes }: StoredChunk, place: number, most: number): Uint8Array {
    if (bytes > most)
      throw fault(`it has ${bytes} bytes in the file, more than filters make of ${chunkBytes}`)
    return readStored(source, { from: place, length: bytes })
  }

  function read(chunk: StoredChunk, place: number): DecodedChunk {
    const { isShuffled, steps, name, mostStoredBytes } = maskFilters(chunk)
    const bytes = chunks.get(store, name[0] + place + name[1], source.version, () => {
      const stored = readFiltered(chunk, place, mostStoredBytes)
      const decoded = stopwatch.time('inflate', () =>
        decodeChunk(stored, steps, chunkBytes, context.undoFilter, core),
      )
      const bytes = toOwnBuffer(decoded)
      // The memory of what was read is used again, also if filters have left it as it is.
      const chunkBuffer = bytes === stored.buffer ? bytes.slice(0, decoded.length) : bytes
      freeStored(source, stored)
      return chunkBuffer
    })
    return { bytes: new Uint8Array(bytes, 0, chunkBytes), isShuffled }
  }

  return {
    read,
    readElements(chunk, place, { isReadOnce, isPart }) {
      const isInCore = isReadOnce && chunkBytes <= MOST_IN_CORE && !chunks.isShared(store, source.version)
      if (!isInCore) return read(chunk, place)
      const { isShuffled, steps, mostStoredBytes } = maskFilters(chunk)
      const [first, ...others] = steps
      const inflate = first === undefined ? undefined : inflateOf(first.filter)
      if (inflate === undefined) return read(chunk, place)
      stopwatch.count('chunkMisses')
      const stored = readFiltered(chunk, place, mostStoredBytes)
      const bytes = stopwatch.time('inflate', () =>
        inflate(
          core,
          undoSteps(stored, others, context.undoFilter, core),
          chunkBytes,
          keepsShuffle && isPart && !isShuffled ? elementBytes : 0,
        ),
      )
      freeStored(source, stored)
      if (bytes === null) return read(chunk, place)
      requireSize(bytes.length, chunkBytes)
      return { bytes, isShuffled: isShuffled || bytes.isShuffled }
    },
  }
}

/** What undoes a filter in the core. Undefined: it is undone elsewhere. */
function inflateOf(filter: StoredFilter) {
  const codec = filterOf(filter)
  return codec.decode === null ? undefined : codec.inflate
}
