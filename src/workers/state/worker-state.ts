import type { FileFormat } from '../../plan/format/file-format.ts'
import type { FileRef } from '../../plan/source/file.ts'
import type { Core } from '../../wasm/core/core.ts'
import type { OpenFile, ReadContext } from '../formats/provider.ts'
import type { Stopwatch } from '../store/stopwatch.ts'
import type { OpenStore, Store } from '../store/store.ts'
import type { ChunkStore } from './chunk-store.ts'
import type { ColumnCache } from './column-cache.ts'
import type { DecodedUnits } from './decoded-units.ts'

/** What one worker thread keeps between tasks. */
export interface WorkerState {
  /** The thread's core; a new one after a trap. */
  readonly core: Core
  readonly units: DecodedUnits
  /** Decoded columns kept from query to query; null: none are. */
  readonly columns: ColumnCache | null
  /** Decoded chunks of files whose units share them. */
  readonly chunks: ChunkStore
  /** What a dataset is read through. The caller disposes of it. */
  readonly store: OpenStore
  /** The file's metadata, from the cache or read now. */
  open(
    format: FileFormat,
    store: Store,
    context: Pick<ReadContext, 'core' | 'stopwatch' | 'checkCancelled'>,
  ): OpenFile
  /**
   * Keeps a dataset that is opened under the version that covers all that has been read of it, and no longer under the one
   * before.
   */
  keepOpen(format: FileFormat, before: FileRef, now: FileRef, opened: OpenFile): void
  /** Bytes that one table of groups may take. */
  readonly groupBytes: number
  /** Gives up kept columns, then waiting units, until another unit of so many bytes fits beside them. Whether that were any. */
  makeRoom(bytes: number, stopwatch: Stopwatch): boolean
  /** The same without what is kept from query to query. */
  readonly uncached: WorkerState
}
