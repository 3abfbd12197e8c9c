import type { Formats } from '../plan/format/create-formats.ts'
import type { Product } from '../plan/product.ts'
import { createChunkTable } from '../plan/source/chunk-table.ts'
import type { Core } from '../wasm/core/core.ts'
import { createCore } from '../wasm/core/create-core.ts'
import { inputType } from '../wasm/duckdb/input-type.ts'
import { withPlainStores } from './formats/compressed/plain-store.ts'
import type { FilterLibrary } from './formats/filter-library.ts'
import type { Providers } from './formats/providers.ts'
import { createReaders } from './formats/readers.ts'
import { createStatementTasks } from './sql/statement-tasks.ts'
import { createChunkStore } from './state/chunk-store.ts'
import { createColumnCache } from './state/column-cache.ts'
import { createDecodedUnits } from './state/decoded-units.ts'
import { createInflations } from './state/inflations.ts'
import { createOpenFiles } from './state/open-files.ts'
import type { WorkerState } from './state/worker-state.ts'
import { createLocalStores } from './store/local-stores.ts'
import { readSmallFile, readSmallThrough } from './store/read-small.ts'
import type { OpenStore } from './store/store.ts'
import type { Worker } from './tasks/perform.ts'
import type { FileKinds } from './writers/file-kinds.ts'
import { createOpenWriters } from './writers/open-writers.ts'

/** The data that main starts a worker thread with. */
export interface WorkerData extends WorkerLimits {
  readonly product: Product
  /** The memory of the table of statistics of chunks. Absent: there is none. */
  readonly chunkTable?: SharedArrayBuffer
}

interface WorkerLimits {
  /** The most memory of the core. */
  readonly coreBytes: number
  /** The most memory of DuckDB's statements. */
  readonly sqlBytes: number
  /** The most memory of decoded columns and chunks that are kept between queries; 0: none are. */
  readonly columnBytes: number
  /** The most bytes of a chunk of an array that is decoded as a whole. */
  readonly maxChunkBytes: number
}

/** The formats that a worker reads, and how it reaches datasets. */
export interface WorkerParts {
  readonly formats: Formats
  readonly providers: Providers
  /** Undoes filters with a library, in the annex. Absent: nothing does. */
  readonly undoFilter?: FilterLibrary
  /** What makes files of answers. Absent: nothing does. */
  readonly files?: FileKinds
  /** Opens the store of a dataset. Default: files and folders of this machine. */
  readonly openStore?: OpenStore
}

const NO_FILES: FileKinds = Object.freeze({ encoders: {}, writers: {} })

/** At most so many bytes of a core's memory are reserved: kept columns and units of most queries. */
const MOST_RESERVED = 128 << 20

function createWorkerCore({ coreBytes }: WorkerLimits): Core {
  return createCore({ maximumBytes: coreBytes, reservedBytes: Math.min(coreBytes / 4, MOST_RESERVED) })
}

/** At most this part of the memory of a core that is renewed holds cached columns: they are decoded again in some 10 ms. */
const MOST_DROPPED = 1 / 8

/** Or this many bytes hold nothing. */
const MOST_UNUSED = 192 << 20

/** Whether so much of a core's memory is unused that another one takes its place. The new one takes a few milliseconds. */
function isWorthRenewing(core: Core): boolean {
  const [used, all] = [core.usedBytes(), core.memoryBytes()]
  return used <= Math.max(all * MOST_DROPPED, all - MOST_UNUSED)
}

/** Creates a worker. Reads no file, and does not boot DuckDB yet. */
export function createWorker(
  limits: WorkerData,
  { formats, providers, undoFilter, files: kinds = NO_FILES, openStore }: WorkerParts,
): Worker {
  const readers = createReaders(formats, providers)
  const openFiles = createOpenFiles()
  // At most half of the core's memory: a large unit needs the other half, and would evict what is beyond it.
  const columnBytes = Math.min(limits.columnBytes, limits.coreBytes / 2)
  let core = createWorkerCore(limits)
  let units = createDecodedUnits(core)
  let columns = createColumnCache(core, columnBytes)
  const takeNewCore = (): void => {
    core = createWorkerCore(limits)
    units = createDecodedUnits(core)
    columns = createColumnCache(core, columnBytes)
  }
  const chunks = createChunkStore({
    cacheBytes: () => Math.max(0, limits.columnBytes - columns.bytes),
    unitBytes: Math.floor(limits.coreBytes / 4),
    maxChunkBytes: limits.maxChunkBytes,
    ...(limits.chunkTable !== undefined && { table: createChunkTable(limits.chunkTable) }),
  })
  const inflations = createInflations()
  const store = withPlainStores(openStore ?? createLocalStores())
  const readSmall = openStore === undefined ? readSmallFile : readSmallThrough(store)
  const stateOf = (isCaching: boolean): WorkerState => ({
    isCaching,
    get core() {
      if (core.isDead()) takeNewCore()
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
    inflations,
    store,
    readSmall,
    mayBeCompressed: ({ kind }) => formats.row(kind).mayBeCompressed === true,
    open(format, store, context) {
      const cachedFile = isCaching ? openFiles.get(format, store.file) : undefined
      if (cachedFile) return cachedFile
      const file = context.stopwatch.time('open', () => readers.open(format, store, context))
      // The version of a store does not cover objects other than the planned documents. If opening has read such objects, it
      // is not cached.
      if (isCaching && store.objects().length === 0) openFiles.put(format, store.file, file)
      return file
    },
    summarize: (format, store, context) =>
      context.stopwatch.time('open', () => readers.summarize(format, store, context)),
    alike: readers.alike,
    together: readers.together,
    structure: (format, store, context) =>
      context.stopwatch.time('open', () => readers.structure(format, store, context)),
    keepOpen(format, before, now, opened) {
      if (!isCaching) return
      openFiles.remove(format, before)
      openFiles.put(format, now, opened)
    },
    // Half of the core's memory, because the unit whose rows are added is in it as well.
    groupBytes: Math.floor(limits.coreBytes / 2),
    reclaim(bytes, stopwatch) {
      // Decoding, widening and encoding a unit take at most about twice its size.
      const maxUsed = Math.max(0, limits.coreBytes / 2 - 2 * bytes)
      const before = core.usedBytes()
      if (before <= maxUsed) return false
      columns.shrink(maxUsed, stopwatch)
      units.shrink(maxUsed)
      return core.usedBytes() < before
    },
    renewCore() {
      if (isWorthRenewing(core)) takeNewCore()
    },
  })
  const uncached = stateOf(false)
  const state = stateOf(true)
  const statements = createStatementTasks(async (module) => {
    // Workers run no statements, and have no use for these modules: 3 MB of heap.
    const [{ createEngine }, { createFeed }] = await Promise.all([
      import('./sql/engine.ts'),
      import('./sql/feed/feed.ts'),
    ])
    return createEngine({
      module,
      memoryBytes: limits.sqlBytes,
      formats,
      product: limits.product,
      addsFunctions: true,
      core: () => state.core,
      chunks,
      inputType,
      openFeed: (options) => createFeed(options, options.caching ? state : uncached),
    })
  })
  return {
    state,
    statements,
    undoFilter: undoFilter ?? null,
    files: { kinds, open: createOpenWriters() },
  }
}
