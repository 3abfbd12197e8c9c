import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { ServiceError } from '../plan/errors.ts'
import { createRecent } from '../plan/recent.ts'
import { createAnswers } from './answers/answers.ts'
import { createAuthenticate } from './auth/authenticate.ts'
import { type Catalog, createCatalog } from './catalog/catalog.ts'
import { openCatalog } from './catalog/open.ts'
import { createSearch } from './datasets/fingerprint/searches.ts'
import { openDatasetRoot } from './datasets/root.ts'
import { createEngines } from './dispatch/engines.ts'
import { createScheduler, type Scheduler } from './dispatch/scheduler.ts'
import { createMetricsStore } from './metrics/store.ts'
import { createBudget } from './query/run/budget.ts'
import { createQueryService } from './query/run/run.ts'
import { createSummaries } from './query/source/summaries.ts'
import { ensureSample } from './sample.ts'
import { closeServer, createServer } from './server.ts'
import type { Config } from './settings/config.ts'
import { closeAll } from './stop.ts'

export interface Service {
  /** Where it listens: `http://127.0.0.1:5001`. */
  readonly address: string
  /** Takes no more requests, lets running answers end within the time that is configured, and stops everything. */
  close(): Promise<void>
}

const MIB = 1 << 20

/** Of the cache: the rest keeps finished answers. */
const COLUMNS_SHARE = 7 / 8

/** Whose sources are remembered. */
const STATEMENTS = 256

/** How long the start waits for workers; two on two CPUs take 0.1 to 0.3 s. */
const WORKERS_UP_MS = 2000

/** A service that has just started is idle when it has no query open so many times, looked at so often. */
const IDLE_LOOKS = 3
const LOOK_MS = 100

const WORKER = new URL('../workers/worker.ts', import.meta.url)

/** What a test may put in place of the product's. */
export interface ServiceParts {
  /** The module that each worker thread runs. */
  readonly worker?: URL
  readonly catalog?: Catalog
}

/** Builds the service from its settings and listens. */
export async function startService(
  config: Config,
  logger: Logger,
  { worker = WORKER, catalog = createCatalog(config) }: ServiceParts = {},
): Promise<Service> {
  if (config.ownsDatasets && (await ensureSample(config.datasetsDir)))
    logger.info({ datasets: config.datasetsDir }, 'made a sample data set')
  await mkdir(config.tmpDir, { recursive: true })
  const datasets = await openDatasetRoot(config.datasetsDir)
  const database = openCatalog(join(config.tablesDir, 'catalog.db'))
  const metrics = createMetricsStore(database, {
    retentionDays: config.metricsRetentionDays,
    maximumRows: config.metricsMaxQueries,
    log: logger,
  })
  const scheduler = createScheduler({
    workers: config.workers,
    entry: worker,
    limits: {
      coreBytes: config.workerMemoryMb * MIB,
      heapMegabytes: config.workerHeapMb,
      taskMs: config.unitTimeoutSecs * 1000,
      statementMs: config.statementTimeoutSecs * 1000,
      sqlBytes: config.sqlMemoryMb * MIB,
      columnBytes: Math.floor((config.cacheBytes * COLUMNS_SHARE) / config.workers),
    },
    maximumQueries: config.maxQueries,
    onWorkerFailure: (index, error) => logger.error({ err: error, worker: index }, 'a worker died'),
    onWorkerReplaced: (index) => engines.lost(index),
  })
  const engines = createEngines(scheduler, (worker, error) =>
    logger.error({ err: error, worker }, 'DuckDB failed'),
  )
  const summaries = createSummaries(config.workers)
  const queries = createQueryService({
    scheduler,
    metrics,
    log: logger,
    tempFolder: config.tmpDir,
    summaries,
    engines,
    named: createRecent(STATEMENTS),
    partialBytes: config.workerMemoryMb * MIB,
    partialBudget: createBudget(config.workers * config.workerMemoryMb * MIB),
    ipcCompression: config.ipcCompression,
    cursorIdleMs: config.cursorIdleSecs * 1000,
    statementMs: config.statementTimeoutSecs * 1000,
    catalog,
    search: createSearch(datasets),
  })
  const answers = createAnswers(queries, catalog, config.cacheBytes * (1 - COLUMNS_SHARE))
  const server = await createServer({
    config,
    logger,
    authenticate: createAuthenticate(config),
    catalog,
    datasets,
    queries,
    answers,
    caches: () => ({ footers: summaries.figures(), columns: scheduler.columns, ...answers.figures() }),
  })
  await workersUp(scheduler)
  const address = await listen(server, config)
  // A worker that starts DuckDB is away for a second: with only one, statements wait and JSON does not.
  const warmUp = config.enableSql && config.workers > 1 ? whenIdle(scheduler, engines.warmUp) : undefined
  return {
    address,
    async close() {
      clearInterval(warmUp)
      await closeAll([
        () => closeServer(server, config.shutdownSecs * 1000),
        metrics.close,
        scheduler.close,
        () => database.close(),
      ])
    },
  }
}

/**
 * Resolves once each worker runs, or has failed to, or after a while: who is told that the service is up does not wait for
 * them, and a machine with few CPUs and many workers is up all the same.
 */
async function workersUp(scheduler: Scheduler): Promise<void> {
  const ask = (worker: number) => scheduler.runOwn({ kind: 'empty', types: [] }, worker)
  const asked = Array.from({ length: scheduler.workers }, (_, worker) => ask(worker))
  await Promise.race([Promise.allSettled(asked), sleep(WORKERS_UP_MS, undefined, { ref: false })])
}

/** Does work once no query has been seen for a moment: those that come first have the machine to themselves. */
function whenIdle(scheduler: Scheduler, work: () => void): NodeJS.Timeout {
  let looks = 0
  const timer = setInterval(() => {
    looks = scheduler.active > 0 ? 0 : looks + 1
    if (looks < IDLE_LOOKS) return
    clearInterval(timer)
    work()
  }, LOOK_MS)
  return timer.unref()
}

async function listen(server: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await server.listen({ host, port })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new ServiceError('internal', `Cannot listen on ${host}:${port} (${code}).`, { cause })
  }
}
