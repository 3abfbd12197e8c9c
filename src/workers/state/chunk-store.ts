import type { ChunkTable } from '../../plan/source/chunk-table.ts'
import { fileKey, isFileSettled } from '../../plan/source/file.ts'
import { type FileVersion, isSettled, versionKey } from '../../plan/source/version.ts'
import type { Chunks } from '../store/chunks.ts'
import type { Stopwatch } from '../store/stopwatch.ts'
import type { Store } from '../store/store.ts'
import { createChunkStatistics } from './chunk-statistics.ts'
import { createSpareMemory } from './spare-memory.ts'

/** A cache of decoded chunks, outside of the core's memory. The least recently used are evicted first. */
export interface ChunkStore {
  readonly bytes: number
  /** The chunks as one task reads them. */
  of(owner: ChunkOwner, stopwatch: Pick<Stopwatch, 'count'>): Chunks
  /** Another unit is being read from now on. The chunks of the last one may be evicted. */
  beginUnit(): void
  /** Drops the chunks of queries that are over, and evicts those for which there is no memory any more. */
  tidy(): void
  /** Frees the memory of chunks that were dropped. */
  dropSpare(): void
}

/** The task that reads chunks. */
export interface ChunkOwner {
  /** The key of the task. It begins with the id of its query, up to the first `/`. */
  readonly key: string
  /** Set when the query is over. */
  readonly cancel: SharedArrayBuffer
  /** Whether its chunks may be kept for other queries. */
  readonly caching: boolean
}

export interface ChunkLimits {
  /** How many bytes of chunks may be kept from query to query now. */
  cacheBytes(): number
  /** How many bytes of chunks the unit under way may have in any case. */
  readonly unitBytes: number
  /** The most bytes of one chunk. */
  readonly maxChunkBytes: number
  /** The statistics of chunks that all threads share. Absent: they are neither used nor kept. */
  readonly table?: ChunkTable
}

interface CachedChunk {
  readonly bytes: ArrayBuffer
  /** The number of the last unit that read it. */
  unit: number
  /** The cancel flag of the only query that may use it. Null: all queries may. */
  readonly cancel: Int32Array | null
}

/** The memory of chunks that were dropped, which other ones are inflated into. */
const SPARE_BYTES = 32 << 20

export function createChunkStore({ cacheBytes, unitBytes, maxChunkBytes, table }: ChunkLimits): ChunkStore {
  /** The least recently used first, those of the unit under way last. */
  const chunks = new Map<string, CachedChunk>()
  /** The keys of chunks that only one query may use. */
  const ofOneQuery = new Set<string>()
  const spare = createSpareMemory(SPARE_BYTES)
  let unit = 0
  let bytes = 0

  function remove(key: string, chunk: CachedChunk): void {
    chunks.delete(key)
    ofOneQuery.delete(key)
    bytes -= chunk.bytes.byteLength
  }

  /** Evicts chunks. The one that is `used` now may be evicted too, but its memory is not freed. */
  function shrink(stopwatch: Pick<Stopwatch, 'count'> | null, used: CachedChunk | null): void {
    const maxBytes = cacheBytes()
    for (const [key, chunk] of chunks) {
      if (bytes <= (chunk.unit === unit ? Math.max(maxBytes, unitBytes) : maxBytes)) return
      remove(key, chunk)
      if (chunk !== used) spare.give(chunk.bytes)
      stopwatch?.count('chunkEvictions')
    }
  }

  function canShare({ caching }: ChunkOwner, { file }: Store, version: FileVersion): boolean {
    return caching && cacheBytes() > 0 && isFileSettled(file) && isSettled(version)
  }

  function keyOf(
    owner: ChunkOwner,
    { file }: Store,
    version: FileVersion,
    chunk: string,
    isShared: boolean,
  ): string {
    const scope = isShared ? '' : owner.key.slice(0, owner.key.indexOf('/') + 1)
    return `${scope}${fileKey(file)} ${versionKey(version)} ${chunk}`
  }

  return {
    get bytes() {
      return bytes
    },
    of: (owner, stopwatch) => ({
      maxChunkBytes,
      allocate: spare.take,
      ...(owner.caching && table !== undefined && { statistics: createChunkStatistics(table) }),
      isShared: (store, version) => canShare(owner, store, version),
      isHeld: (store, chunk, version) =>
        chunks.has(keyOf(owner, store, version, chunk, canShare(owner, store, version))),
      get(store, chunk, version, make) {
        const isShared = canShare(owner, store, version)
        const key = keyOf(owner, store, version, chunk, isShared)
        const existing = chunks.get(key)
        stopwatch.count(existing ? 'chunkHits' : 'chunkMisses')
        const cached = existing ?? {
          bytes: make(),
          unit,
          cancel: isShared ? null : new Int32Array(owner.cancel),
        }
        if (!existing) bytes += cached.bytes.byteLength
        cached.unit = unit
        chunks.delete(key)
        chunks.set(key, cached)
        if (!isShared) ofOneQuery.add(key)
        if (!existing) shrink(stopwatch, cached)
        return cached.bytes
      },
    }),
    beginUnit() {
      unit++
    },
    tidy() {
      for (const key of ofOneQuery) {
        const chunk = chunks.get(key)
        if (!chunk?.cancel || Atomics.load(chunk.cancel, 0) === 0) continue
        remove(key, chunk)
        spare.give(chunk.bytes)
      }
      shrink(null, null)
    },
    dropSpare: spare.drop,
  }
}
