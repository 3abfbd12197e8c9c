import type { FileFormat } from '../../plan/format/file-format.ts'
import type { FileRef } from '../../plan/source/file.ts'
import type { FileStructure } from '../../plan/source/structure.ts'
import type { Core } from '../../wasm/core/core.ts'
import type { OpenContext, OpenFile, Provider, SmallSummary } from '../formats/provider.ts'
import type { ReadSmall } from '../store/read-small.ts'
import type { Stopwatch } from '../store/stopwatch.ts'
import type { OpenStore, Store } from '../store/store.ts'
import type { ChunkStore } from './chunk-store.ts'
import type { ColumnCache } from './column-cache.ts'
import type { DecodedUnits } from './decoded-units.ts'
import type { Inflations } from './inflations.ts'

/** What a worker thread keeps between tasks. */
export interface WorkerState {
  /** Whether tasks may use and fill what is kept by versions of files. */
  readonly isCaching: boolean
  /** The core of the thread. After a trap it is a new one. */
  readonly core: Core
  readonly units: DecodedUnits
  /** The cache of decoded columns. Null: columns are not cached. */
  readonly columns: ColumnCache | null
  /** Decoded chunks, for formats whose units share them. */
  readonly chunks: ChunkStore
  /** The files that are being inflated. */
  readonly inflations: Inflations
  /** Opens the store of a dataset. The caller disposes of it. */
  readonly store: OpenStore
  readonly readSmall: ReadSmall
  /** Whether files of a format may be compressed as a whole. */
  mayBeCompressed(format: FileFormat): boolean
  /** The opened dataset, from the cache or opened now. */
  open(format: FileFormat, store: Store, context: OpenContext): OpenFile
  /** What an inspection of a small file tells, without opening it. Null: it has to be opened. */
  summarize(format: FileFormat, store: Store, context: OpenContext): SmallSummary | null
  /** As `Provider.alike` of the format. Null: all files are opened. */
  alike(format: FileFormat): NonNullable<Provider['alike']> | null
  /** As `Provider.together` of the format. Null: files are opened to be read. */
  together(format: FileFormat): NonNullable<Provider['together']> | null
  /** What a dataset holds. */
  structure(format: FileFormat, store: Store, context: OpenContext): FileStructure
  /**
   * Caches an opened dataset under the version `now`, which covers all that was read of it, and no longer under the version
   * `before`.
   */
  keepOpen(format: FileFormat, before: FileRef, now: FileRef, opened: OpenFile): void
  /** The most bytes of one table of groups. */
  readonly groupBytes: number
  /**
   * Frees cached columns, then units that wait to be resumed, until a unit of this many bytes fits into the core's memory.
   * Returns whether it has freed any memory.
   */
  reclaim(bytes: number, stopwatch: Stopwatch): boolean
  /**
   * Takes a new core if its memory has grown, or was reserved, and little of it is used. Not to be called while anything in the core is needed, but for
   * columns that are cached, which are dropped with it.
   */
  renewCore(): void
  /** The same state for tasks that use no cache. */
  readonly uncached: WorkerState
}
