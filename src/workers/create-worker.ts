import type { Formats } from '../plan/format/create-formats.ts'
import type { Product } from '../plan/product.ts'
import { createCore } from '../wasm/core/create-core.ts'
import { inputType } from '../wasm/duckdb/input-type.ts'
import type { Providers } from './formats/providers.ts'
import { createReaders } from './formats/readers.ts'
import { createEngine } from './sql/engine.ts'
import { createFeed } from './sql/feed/feed.ts'
import { createStatementTasks } from './sql/statement-tasks.ts'
import { createChunkStore } from './state/chunk-store.ts'
import { createColumnCache } from './state/column-cache.ts'
import { createDecodedUnits } from './state/decoded-units.ts'
import { createOpenFiles } from './state/open-files.ts'
import type { WorkerState } from './state/worker-state.ts'
import { createLocalStores } from './store/local-stores.ts'
import type { OpenStore } from './store/store.ts'
import type { Worker } from './tasks/perform.ts'

/** What a worker thread is started with. */
export interface WorkerData extends WorkerLimits {
  readonly product: Product
}

export interface WorkerLimits {
  /** Bytes that the core's memory may grow to. */
  readonly coreBytes: number
  /** Bytes that DuckDB may use. */
  readonly sqlBytes: number
  /** Bytes of decoded columns and chunks that may be kept between queries; 0: none are. */
  readonly columnBytes: number
}

/** What a worker is made of, besides its limits. */
export interface WorkerParts {
  readonly formats: Formats
  readonly providers: Providers
  /** What datasets are read through. Default: files and folders of this machine. */
  readonly openStore?: OpenStore
}

/** Parsed footers kept by each worker. */
const OPEN_FILES = 64

/** Makes what a worker thread works with; nothing is read and DuckDB not booted. */
export function createWorker(
  limits: WorkerData,
  { formats, providers, openStore = createLocalStores() }: WorkerParts,
): Worker {
  const readers = createReaders(formats, providers)
  const files = createOpenFiles(OPEN_FILES)
  // More than half of the core's memory would be given up again with each large unit.
  const columnBytes = Math.min(limits.columnBytes, limits.coreBytes / 2)
  let core = createCore({ maximumBytes: limits.coreBytes })
  let units = createDecodedUnits(core)
  let columns = createColumnCache(core, columnBytes)
  const chunks = createChunkStore({
    room: () => Math.max(0, limits.columnBytes - columns.bytes),
    unitBytes: Math.floor(limits.coreBytes / 4),
  })
  const stateOf = (isCaching: boolean): WorkerState => ({
    get core() {
      if (core.isDead()) {
        core = createCore({ maximumBytes: limits.coreBytes })
        units = createDecodedUnits(core)
        columns = createColumnCache(core, columnBytes)
      }
      return core
    },
    get units() {
      return units
    },
    get columns() {
      return isCaching && columnBytes > 0 ? columns : null
    },
    chunks,
    get uncached() {
      return uncached
    },
    store: openStore,
    open(format, store, context) {
      const known = isCaching ? files.get(format, store.file) : undefined
      if (known) return known
      const file = context.stopwatch.time('open', () => readers.open(format, store, context))
      // What it has read besides documents that are planned is not part of the store's version.
      if (isCaching && store.objects().length === 0) files.put(format, store.file, file)
      return file
    },
    keepOpen(format, before, now, opened) {
      if (!isCaching) return
      files.remove(format, before)
      files.put(format, now, opened)
    },
    // The unit that is added lies beside them.
    groupBytes: Math.floor(limits.coreBytes / 2),
    makeRoom(bytes, stopwatch) {
      // Decoding, widening and encoding hold about twice the unit at the worst moment.
      const room = Math.max(0, limits.coreBytes / 2 - 2 * bytes)
      const before = core.usedBytes()
      if (before <= room) return false
      columns.shrink(room, stopwatch)
      units.shrink(room)
      return core.usedBytes() < before
    },
  })
  const uncached = stateOf(false)
  const state = stateOf(true)
  const statements = createStatementTasks(() =>
    createEngine({
      memoryBytes: limits.sqlBytes,
      formats,
      product: limits.product,
      core: () => state.core,
      chunks,
      inputType,
      openFeed: (options) => createFeed(options, options.caching ? state : uncached),
    }),
  )
  return { state, statements }
}
