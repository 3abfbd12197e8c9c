import type { Logger } from 'pino'
import { collectGarbage } from '../../plan/collect-garbage.ts'
import { CHUNK_TABLE_BYTES } from '../../plan/source/chunk-table.ts'
import { type PoolLimits, poolLimits } from '../dispatch/pool-limits.ts'
import { createScheduler, type Scheduler } from '../dispatch/scheduler.ts'
import { createReadiness, type Readiness } from '../gauges/readiness.ts'
import { type RunningThreads, watchThreads } from '../gauges/threads.ts'
import type { Config } from '../settings/config.ts'
import { VERSION } from '../settings/version.ts'

/** The threads that compute. */
export interface Pool {
  readonly scheduler: Scheduler
  readonly limits: PoolLimits
  /** The memory of the statistics of chunks, which main writes and all of them read. Null: nothing is kept. */
  readonly chunkTable: SharedArrayBuffer | null
  readonly threads: RunningThreads
  readonly readiness: Readiness
  /** Resolves when each worker has started or failed to start. */
  readonly started: Promise<void>
  /** Ends the threads of a service that does not come to be. */
  abandon(): Promise<void>
}

const WORKER = new URL('../../workers/worker.ts', import.meta.url)

/**
 * Starts the workers, and returns before they have started: main opens its files meanwhile. `isStoreUsable`: whether the databases of the
 * catalog and the metrics can be used.
 */
export function startPool(
  config: Config,
  logger: Logger,
  worker: URL | undefined,
  isStoreUsable: () => boolean,
): Pool {
  const limits = poolLimits(config)
  const chunkTable = config.cacheBytes === 0 ? null : new SharedArrayBuffer(CHUNK_TABLE_BYTES)
  const threads = watchThreads()
  const scheduler = createScheduler({
    ...(chunkTable !== null && { chunkTable }),
    workers: config.workers,
    entry: worker ?? WORKER,
    product: { name: config.name, version: VERSION },
    limits,
    maximumQueries: config.maxQueries,
    trimMs: config.trimIdleSecs * 1000,
    onAllTrimmed() {
      // A query that is open may be planned by main, which would wait for 100 ms or more. It has workers that are trimmed again after it.
      if (scheduler.active === 0) collectGarbage()
    },
    onWorkerFailure(index, error) {
      logger.error({ err: error, worker: index }, 'a worker died')
      readiness.workerFailed(index)
    },
    onAnnexFailure: (error) => logger.error({ err: error }, 'the annex died'),
    onWorkerReplaced: (index) =>
      logger.warn({ worker: index }, 'a worker is gone, and another one takes its place'),
  })
  const readiness = createReadiness(
    config.workers,
    (worker) => scheduler.runInternal({ kind: 'empty', types: [] }, worker),
    isStoreUsable,
  )
  const started = readiness.started()
  return {
    scheduler,
    limits,
    chunkTable,
    threads,
    readiness,
    started,
    async abandon() {
      readiness.stop()
      await started
      await scheduler.close()
      threads[Symbol.dispose]()
    },
  }
}
