import { createLru } from '../../plan/lru.ts'
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

/** How the keys of the chunks of one version of an object begin, and whether other queries may use them, if there is memory for that. */
interface ObjectKeys {
  readonly store: Store
  readonly version: FileVersion
  readonly key: string
  readonly isSettled: boolean
}

/** The memory of chunks that were dropped, which other ones are inflated into. */
const SPARE_BYTES = 32 << 20

export function createChunkStore({ cacheBytes, unitBytes, maxChunkBytes, table }: ChunkLimits): ChunkStore {
  /** Those of the unit under way were used last. */
  const chunks = createLru<CachedChunk>(Number.POSITIVE_INFINITY)
  /** The keys of chunks that only one query may use. */
  const ofOneQuery = new Set<string>()
  const spare = createSpareMemory(SPARE_BYTES)
  let unit = 0
  let bytes = 0

  function remove(key: string, chunk: CachedChunk): void {
    chunks.remove(key)
    ofOneQuery.delete(key)
    bytes -= chunk.bytes.byteLength
  }

  /** Evicts chunks. The one that is `used` now may be evicted too, but its memory is not freed. */
  function shrink(stopwatch: Pick<Stopwatch, 'count'> | null, used: CachedChunk | null): void {
    const maxBytes = cacheBytes()
    for (let oldest = chunks.oldest(); oldest !== undefined; oldest = chunks.oldest()) {
      const { key, value: chunk } = oldest
      if (bytes <= (chunk.unit === unit ? Math.max(maxBytes, unitBytes) : maxBytes)) return
      remove(key, chunk)
      if (chunk !== used) spare.give(chunk.bytes)
      stopwatch?.count('chunkEvictions')
    }
  }

  /** The chunks as one task reads them, whose keys begin alike as long as they are of one version of an object. */
  function chunksOf(owner: ChunkOwner, stopwatch: Pick<Stopwatch, 'count'>): Chunks {
    const ofQuery = owner.key.slice(0, owner.key.indexOf('/') + 1)
    let last: ObjectKeys | null = null

    function keysOf(store: Store, version: FileVersion): ObjectKeys {
      if (last?.store === store && last.version === version) return last
      const key = `${fileKey(store.file)} ${versionKey(version)} `
      last = { store, version, key, isSettled: isFileSettled(store.file) && isSettled(version) }
      return last
    }

    const canShare = (keys: ObjectKeys): boolean => owner.caching && keys.isSettled && cacheBytes() > 0
    const keyOf = ({ key }: ObjectKeys, chunk: string, isShared: boolean): string =>
      `${isShared ? '' : ofQuery}${key}${chunk}`

    return {
      maxChunkBytes,
      allocate: spare.take,
      ...(owner.caching && table !== undefined && { statistics: createChunkStatistics(table) }),
      isShared: (store, version) => canShare(keysOf(store, version)),
      isHeld(store, chunk, version) {
        const keys = keysOf(store, version)
        return chunks.has(keyOf(keys, chunk, canShare(keys)))
      },
      get(store, chunk, version, make) {
        const keys = keysOf(store, version)
        const isShared = canShare(keys)
        const key = keyOf(keys, chunk, isShared)
        const existing = chunks.get(key)
        stopwatch.count(existing ? 'chunkHits' : 'chunkMisses')
        if (existing !== undefined) {
          existing.unit = unit
          return existing.bytes
        }
        const added = { bytes: make(), unit, cancel: isShared ? null : new Int32Array(owner.cancel) }
        bytes += added.bytes.byteLength
        chunks.put(key, added)
        if (!isShared) ofOneQuery.add(key)
        shrink(stopwatch, added)
        return added.bytes
      },
    }
  }

  return {
    get bytes() {
      return bytes
    },
    of: chunksOf,
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
