import { ServiceError } from '../../../../plan/errors.ts'
import type { Store } from '../../../store/store.ts'
import { onlyObject } from '../../../store/store.ts'
import type { ReadContext } from '../../provider.ts'
import { decodeChunk, isShuffledFirst, mostStoredBytes } from './decode-chunk.ts'
import { fault } from './fault.ts'
import type { StoredChunk } from './index/chunk-grid.ts'
import type { StoredFilter } from './structures/pipeline.ts'

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

export interface DecodedChunk {
  readonly bytes: Uint8Array
  /** Whether the first bytes of all elements come first, then the second ones, and so on. */
  readonly isShuffled: boolean
}

/**
 * The bytes of a chunk without its filters. They are cached, and must not be changed. `place` is where the chunk is in the file. Throws
 * `unreadable_file`, and `memory_limit` for a chunk that has more bytes than one may have.
 */
export function readChunk(
  store: Store,
  { bytes: storedBytes, mask }: StoredChunk,
  place: number,
  form: ChunkForm,
  context: ReadContext,
): DecodedChunk {
  const { filters, chunkBytes, elementBytes } = form
  const { maxChunkBytes } = context.chunks
  if (chunkBytes > maxChunkBytes)
    throw new ServiceError(
      'memory_limit',
      `its chunks have ${chunkBytes} bytes, and at most ${maxChunkBytes} are decoded; raise SERVICE_MAX_CHUNK_BYTES`,
    )
  const isShuffled = form.keepsShuffle && isShuffledFirst(filters, mask, elementBytes)
  const key = `${form.name} ${place} ${isShuffled ? 'shuffled' : ''}`
  const source = onlyObject(store)
  const bytes = context.chunks.get(store, key, source.version, () => {
    if (storedBytes > mostStoredBytes(filters, mask, chunkBytes))
      throw fault(`it has ${storedBytes} bytes in the file, more than filters make of ${chunkBytes}`)
    const stored = source.read(place, storedBytes)
    const decoded = context.stopwatch.time('inflate', () =>
      decodeChunk(stored, filters, mask, chunkBytes, isShuffled, context.undoFilter),
    )
    const own = ownBuffer(decoded)
    if (own !== stored.buffer) source.release(stored)
    return own
  })
  return { bytes: new Uint8Array(bytes, 0, chunkBytes), isShuffled }
}

/** Decoders take up to so many bytes more than the chunk has. */
const SPARE_BYTES = 64

/** A buffer that begins with the bytes, and has hardly any others. */
function ownBuffer({ buffer, byteOffset, length }: Uint8Array): ArrayBuffer {
  const isOwn = buffer instanceof ArrayBuffer && byteOffset === 0 && buffer.byteLength <= length + SPARE_BYTES
  return isOwn ? buffer : (buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer)
}
