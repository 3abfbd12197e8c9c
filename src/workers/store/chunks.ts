import type { ChunkValues } from '../../plan/source/chunk-record.ts'
import type { ColumnStatistics } from '../../plan/source/statistics.ts'
import type { FileVersion } from '../../plan/source/version.ts'
import type { DataType } from '../../plan/types/schema.ts'
import type { Store } from './store.ts'

/** Decoded chunks, cached so that a chunk that several units share is decoded once. */
export interface Chunks {
  /** The most bytes of a chunk that is decoded as a whole. */
  readonly maxChunkBytes: number
  /**
   * The decoded bytes of a chunk, which must not be changed, nor be used any more once another chunk is asked for. They are made by
   * `make` unless they are cached. `chunk` is a name of the chunk in its store, `version` that of the object that has the chunk.
   */
  get(store: Store, chunk: string, version: FileVersion, make: () => ArrayBuffer): ArrayBuffer
  /** Memory of at least so many bytes for a chunk that `make` makes. It may hold anything. Absent: callers make their own. */
  allocate?(bytes: number): ArrayBuffer
  /** Whether `get` has a chunk, and need not make it. */
  isHeld(store: Store, chunk: string, version: FileVersion): boolean
  /** Whether chunks of an object are cached for other queries too. */
  isShared(store: Store, version: FileVersion): boolean
  /** Absent: statistics of chunks are neither used nor kept. */
  readonly statistics?: ChunkStatistics
}

/**
 * Statistics of the values of chunks, for all queries. A chunk is known by its name, which says what its bytes mean, and the version of the
 * object that has it; null: there is no such object.
 */
export interface ChunkStatistics {
  /** What is known of a chunk of a column of this type, as one row; see `statisticsIn`. Null: nothing. */
  of(chunk: string, version: FileVersion | null, type: DataType): ColumnStatistics | null
  /** Whether statistics of a chunk are to be added: there are none, and its version is settled. */
  areWanted(chunk: string, version: FileVersion | null): boolean
  add(chunk: string, version: FileVersion | null, values: ChunkValues): void
  /** What was added counts: the objects have been verified. */
  keep(): void
  /** Forgets what was added since the last `keep`. */
  drop(): void
  /** The records that were kept since the last call, for main. Null: none. */
  take(): Uint8Array | null
}
