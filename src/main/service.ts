import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { ServiceError } from '../plan/errors.ts'
import { createRecent } from '../plan/recent.ts'
import { createAnswers } from './answers/answers.ts'
import { createAuthenticate } from './auth/authenticate.ts'
import { openCatalog } from './catalog/open.ts'
import { createTables } from './catalog/tables.ts'
import type { Config } from './config.ts'
import { openDatasetRoot } from './datasets/root.ts'
import { createSearch } from './datasets/searches.ts'
import { createScheduler } from './dispatch/scheduler.ts'
import { createMetricsStore } from './metrics/store.ts'
import { createBudget } from './query/budget.ts'
import { createQueryService } from './query/run.ts'
import { createSummaries } from './query/summaries.ts'
import { ensureSample } from './sample.ts'
import { closeServer, createServer } from './server.ts'
import { createEngines } from './sql/engines.ts'

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

const WORKER = new URL('../workers/worker.ts', import.meta.url)

/** Builds the service from its settings and listens. Tests of faults give a worker entry of their own. */
export async function startService(config: Config, logger: Logger, worker: URL = WORKER): Promise<Service> {
  if (config.ownsDatasets && (await ensureSample(config.datasetsDir)))
    logger.info({ datasets: config.datasetsDir }, 'made a sample data set')
  await mkdir(config.tmpDir, { recursive: true })
  const datasets = await openDatasetRoot(config.datasetsDir)
  const catalog = openCatalog(join(config.tablesDir, 'catalog.db'))
  const metrics = createMetricsStore(catalog, {
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
    defaultTable: config.defaultTable,
    resolveFiles: createSearch(datasets),
  })
  const answers = createAnswers(queries, config.cacheBytes * (1 - COLUMNS_SHARE))
  const server = await createServer({
    config,
    logger,
    authenticate: createAuthenticate(config),
    tables: createTables(config),
    datasets,
    queries,
    answers,
    caches: () => ({ footers: summaries.figures(), columns: scheduler.columns, ...answers.figures() }),
  })
  const address = await listen(server, config)
  // A worker that starts DuckDB is away for a second: with only one, statements wait and JSON does not.
  if (config.enableSql && config.workers > 1) engines.warmUp()
  return {
    address,
    async close() {
      await closeServer(server, config.shutdownSecs * 1000)
      metrics.close()
      await scheduler.close()
      catalog.close()
    },
  }
}

async function listen(server: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await server.listen({ host, port })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new ServiceError('internal', `Cannot listen on ${host}:${port} (${code}).`, { cause })
  }
}
