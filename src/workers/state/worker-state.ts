import type { FileFormat } from '../../plan/plan.ts'
import type { FileRef } from '../../plan/source/unit.ts'
import { type Core, createCore } from '../../wasm/core.ts'
import { inputType } from '../../wasm/duckdb/input-type.ts'
import type { ByteSource, OpenFile, ReadContext } from '../formats/provider.ts'
import { providerOf } from '../formats/providers.ts'
import { createEngine } from '../sql/engine.ts'
import { createFeed } from '../sql/feed.ts'
import { createSqlRoom, type SqlRoom } from '../sql/statement-tasks.ts'
import { deferLocalFile, type LocalFile } from '../store/byte-source.ts'
import { createOpenFiles } from '../store/open-files.ts'
import { createDecodedUnits, type DecodedUnits } from '../units/decoded-units.ts'
import { type ColumnCache, createColumnCache } from './column-cache.ts'
import type { Stopwatch } from './stopwatch.ts'

/** What one worker thread keeps between tasks. */
export interface Workshop {
  /** The thread's core; a new one after a trap. */
  readonly core: Core
  readonly units: DecodedUnits
  /** Decoded columns kept from query to query; null: none are. */
  readonly columns: ColumnCache | null
  source(file: FileRef, stopwatch: Stopwatch): LocalFile
  /** The file's metadata, from the cache or read now. */
  open(
    format: FileFormat,
    source: ByteSource,
    context: Pick<ReadContext, 'core' | 'stopwatch' | 'checkCancelled'>,
  ): OpenFile
  /** Bytes that one table of groups may take. */
  readonly groupBytes: number
  /** Gives up kept columns, then waiting units, until another unit of so many bytes fits beside them. Whether that were any. */
  makeRoom(bytes: number, stopwatch: Stopwatch): boolean
  /** DuckDB, which boots when it is first wanted. */
  readonly sql: SqlRoom
  /** The same without what is kept from query to query. */
  readonly uncached: Workshop
}

export interface WorkshopLimits {
  /** Bytes that the core's memory may grow to. */
  readonly coreBytes: number
  /** Bytes that DuckDB may use. */
  readonly sqlBytes: number
  /** Bytes of decoded columns that may be kept between queries; 0: none are. */
  readonly columnBytes: number
}

/** Parsed footers kept by each worker. */
const OPEN_FILES = 64

export function createWorkshop(limits: WorkshopLimits): Workshop {
  const files = createOpenFiles(OPEN_FILES)
  // More than half of the core's memory would be given up again with each large unit.
  const columnBytes = Math.min(limits.columnBytes, limits.coreBytes / 2)
  let core = createCore({ maximumBytes: limits.coreBytes })
  let units = createDecodedUnits(core)
  let columns = createColumnCache(core, columnBytes)
  const sql = createSqlRoom(() =>
    createEngine({
      memoryBytes: limits.sqlBytes,
      core: () => workshop.core,
      inputType,
      openFeed: (options) => createFeed(options, options.caching ? workshop : uncached),
    }),
  )
  const roomOf = (isCaching: boolean): Workshop => ({
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
    get uncached() {
      return uncached
    },
    source: deferLocalFile,
    open(format, source, context) {
      const known = isCaching ? files.get(format, source.file.version) : undefined
      if (known) return known
      const file = context.stopwatch.time('open', () => providerOf(format).open(source, context))
      if (isCaching) files.put(format, source.file.version, file)
      return file
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
    sql,
  })
  const uncached = roomOf(false)
  const workshop = roomOf(true)
  return workshop
}
