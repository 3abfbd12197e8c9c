import type { FileFormat } from '../plan/plan.ts'
import type { FileRef } from '../plan/unit.ts'
import { type Core, createCore } from '../wasm/core.ts'
import { inputType } from '../wasm/duckdb/input-type.ts'
import { type LocalFile, openLocalFile } from './byte-source.ts'
import { createDecodedUnits, type DecodedUnits } from './decoded-units.ts'
import type { ByteSource, OpenFile, ReadContext } from './formats/provider.ts'
import { providerOf, WARMED_UP } from './formats/providers.ts'
import { createOpenFiles } from './open-files.ts'
import { createEngine } from './sql/engine.ts'
import { createFeed } from './sql/feed.ts'
import { createSqlRoom, type SqlRoom } from './sql/sql-room.ts'
import type { Stopwatch } from './stopwatch.ts'

/** What one worker thread keeps between tasks. */
export interface Workshop {
  /** The thread's core; a new one after a trap. */
  readonly core: Core
  readonly units: DecodedUnits
  source(file: FileRef, stopwatch: Stopwatch): LocalFile
  /** The file's metadata, from the cache or read now. */
  open(
    format: FileFormat,
    source: ByteSource,
    context: Pick<ReadContext, 'core' | 'stopwatch' | 'checkCancelled'>,
  ): OpenFile
  /** Gives up waiting units until another one of so many bytes fits beside them. */
  makeRoom(bytes: number): void
  /** DuckDB, which boots when it is first wanted. */
  readonly sql: SqlRoom
}

export interface WorkshopLimits {
  /** Bytes that the core's memory may grow to. */
  readonly coreBytes: number
  /** Bytes that DuckDB may use. */
  readonly sqlBytes: number
}

/** Parsed footers kept by each worker. */
const OPEN_FILES = 64

export function createWorkshop(limits: WorkshopLimits): Workshop {
  const files = createOpenFiles(OPEN_FILES)
  let core = createCore({ maximumBytes: limits.coreBytes })
  let units = createDecodedUnits(core)
  for (const provider of WARMED_UP) provider.warmUp?.()
  const workshop: Workshop = {
    get core() {
      if (core.isDead()) {
        core = createCore({ maximumBytes: limits.coreBytes })
        units = createDecodedUnits(core)
      }
      return core
    },
    get units() {
      return units
    },
    source: openLocalFile,
    open(format, source, context) {
      const known = files.get(format, source.file.version)
      if (known) return known
      const file = context.stopwatch.time('open', () => providerOf(format).open(source, context))
      files.put(format, source.file.version, file)
      return file
    },
    // Decoding, widening and encoding hold about twice the unit at the worst moment.
    makeRoom: (bytes) => units.shrink(Math.max(0, limits.coreBytes / 2 - 2 * bytes)),
    sql: createSqlRoom(() =>
      createEngine({
        memoryBytes: limits.sqlBytes,
        core: () => workshop.core,
        inputType,
        openFeed: (options) => createFeed(options, workshop),
      }),
    ),
  }
  return workshop
}
