import { fileKey, isFileSettled } from '../../plan/source/file.ts'
import { isSettled, versionKey } from '../../plan/source/version.ts'
import type { Chunks } from '../store/chunks.ts'
import type { Stopwatch } from '../store/stopwatch.ts'

/** Decoded chunks beside the core, the longest not used given up first. */
export interface ChunkStore {
  readonly bytes: number
  /** What one task reads chunks from. */
  of(owner: ChunkOwner, stopwatch: Pick<Stopwatch, 'count'>): Chunks
  /** From now on chunks are read of another unit: those of the last one may be given up. */
  beginUnit(): void
  /** Gives up the chunks of queries that are over, and what has no place any more. */
  tidy(): void
}

/** Whose chunks they are. */
export interface ChunkOwner {
  /** Of a task: it begins with the query's id, up to the first `/`. */
  readonly key: string
  /** Set when the query is over. */
  readonly cancel: SharedArrayBuffer
  /** Whether chunks may be kept from query to query. */
  readonly caching: boolean
}

export interface ChunkLimits {
  /** Bytes of chunks that may be kept now from query to query. */
  room(): number
  /** Bytes of chunks that the unit under way may hold in any case. */
  readonly unitBytes: number
}

interface Held {
  readonly bytes: ArrayBuffer
  /** The last that read it. */
  unit: number
  /** Of the query that it is held for alone; null: for all. */
  readonly cancel: Int32Array | null
}

export function createChunkStore({ room, unitBytes }: ChunkLimits): ChunkStore {
  /** The longest not used first: those of the unit under way are the last. */
  const chunks = new Map<string, Held>()
  /** Keys of those that are held for one query. */
  const own = new Set<string>()
  let unit = 0
  let bytes = 0

  function remove(key: string, held: Held): void {
    chunks.delete(key)
    own.delete(key)
    bytes -= held.bytes.byteLength
  }

  function shrink(stopwatch: Pick<Stopwatch, 'count'> | null): void {
    const kept = room()
    for (const [key, held] of chunks) {
      if (bytes <= (held.unit === unit ? Math.max(kept, unitBytes) : kept)) return
      remove(key, held)
      stopwatch?.count('chunkEvictions')
    }
  }

  return {
    get bytes() {
      return bytes
    },
    of: (owner, stopwatch) => ({
      get(store, chunk, version, make) {
        const isShared = owner.caching && room() > 0 && isFileSettled(store.file) && isSettled(version)
        const scope = isShared ? '' : owner.key.slice(0, owner.key.indexOf('/') + 1)
        const key = `${scope}${fileKey(store.file)} ${versionKey(version)} ${chunk}`
        const known = chunks.get(key)
        stopwatch.count(known ? 'chunkHits' : 'chunkMisses')
        const held = known ?? { bytes: make(), unit, cancel: isShared ? null : new Int32Array(owner.cancel) }
        if (!known) bytes += held.bytes.byteLength
        held.unit = unit
        chunks.delete(key)
        chunks.set(key, held)
        if (!isShared) own.add(key)
        if (!known) shrink(stopwatch)
        return held.bytes
      },
    }),
    beginUnit() {
      unit++
    },
    tidy() {
      for (const key of own) {
        const held = chunks.get(key)
        if (held?.cancel && Atomics.load(held.cancel, 0) !== 0) remove(key, held)
      }
      shrink(null)
    },
  }
}
