import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { collectGarbage } from '../plan/collect-garbage.ts'
import { ServiceError } from '../plan/errors.ts'
import type { Formats } from '../plan/format/create-formats.ts'
import { FORMATS, withArrayNan } from '../plan/formats.ts'
import { createLru } from '../plan/lru.ts'
import { CHUNK_TABLE_BYTES, createChunkTable } from '../plan/source/chunk-table.ts'
import { printOmitted } from '../plan/source/omitted.ts'
import { createAnswers } from './answers/answers.ts'
import { createAuthenticator } from './auth/authenticate.ts'
import { createCallers } from './auth/callers.ts'
import type { Directory } from './auth/directory/directory.ts'
import { createHashQueue } from './auth/passwords/hash-queue.ts'
import { createAttachedCatalogs } from './catalog/attached/attached-catalogs.ts'
import { withAttached } from './catalog/attached/with-attached.ts'
import type { Catalog } from './catalog/catalog.ts'
import { openStoredCatalog, type StoredCatalogOptions } from './catalog/store/open-stored-catalog.ts'
import { storePaths } from './catalog/store/paths.ts'
import { createCrawlers } from './crawlers/crawlers.ts'
import type { WalkFolder } from './crawlers/run/crawl.ts'
import { createSequence } from './crawlers/schedule/sequence.ts'
import { walkFolder } from './crawlers/walk/walk-folder.ts'
import { type DatasetFileOptions, openDatasetFileService } from './dataset-files/dataset-files.ts'
import { stagingName } from './dataset-files/file-path.ts'
import { openChangeClock } from './datasets/change-clock.ts'
import type { DatasetFilesOptions } from './datasets/file-system/dataset-files.ts'
import { createLocationSearch } from './datasets/fingerprint/location-searches.ts'
import { createSharedChecks } from './datasets/fingerprint/shared-checks.ts'
import { createListing } from './datasets/list.ts'
import { openDatasetRoot } from './datasets/root.ts'
import { createSearch } from './datasets/search.ts'
import { type CompiledDuck, createEngines } from './dispatch/engines/engines.ts'
import { inBackground } from './dispatch/in-background.ts'
import { answersBytes, poolLimits } from './dispatch/pool-limits.ts'
import { withRefusals } from './dispatch/refusals.ts'
import { createScheduler } from './dispatch/scheduler.ts'
import { createFileStatistics } from './file-statistics/file-statistics.ts'
import { walkInThread } from './file-statistics/walk/walk.ts'
import { createGauges } from './gauges/gauges.ts'
import { createReadiness } from './gauges/readiness.ts'
import { watchThreads } from './gauges/threads.ts'
import { endInterruptedRuns } from './history/crawler-runs.ts'
import { openMetricsDatabase } from './history/open-metrics.ts'
import { createMetricsStore } from './history/store.ts'
import { whenIdle } from './jobs/when-idle.ts'
import { LEARNED_LIMITS } from './learned/store/learned-limits.ts'
import { createLearnedStore } from './learned/store/learned-store.ts'
import { createGatherBudget } from './output/files/gather-budget.ts'
import { createTempFolder, sweepTempFolder, type TempFolder } from './output/temp/temp-folder.ts'
import { planLongestQueries } from './plan-longest-queries.ts'
import { createViewTrees } from './query/core/views/view-trees.ts'
import { createQueryService } from './query/run/create-query-service.ts'
import type { QueryServiceOptions } from './query/run/options.ts'
import { createBudget } from './query/run/rows/budget.ts'
import { createInflatedFiles } from './query/source/inflated/inflated-files.ts'
import { withInflatedFiles } from './query/source/inflated/with-inflated-files.ts'
import { createListedLocations } from './query/source/listed/listed-locations.ts'
import { createManyFiles } from './query/source/many/many-files.ts'
import { createSystemRows } from './query/source/named/system-rows.ts'
import { createKeptStructures } from './query/source/structure/kept-structures.ts'
import { withDerivedGrids } from './query/source/summaries/derived-grids.ts'
import { createSummaries } from './query/source/summaries/summaries.ts'
import { loginOfSecret } from './remotes/login-of-secret.ts'
import { createRemotes, type RemotesOptions } from './remotes/remotes.ts'
import { ensureSample } from './sample.ts'
import { closeServer, createServer } from './server.ts'
import { type Config, shownSettings } from './settings/config.ts'
import { VERSION } from './settings/version.ts'
import { ANY_ATTACHED } from './sql/gate/check-names.ts'
import { createNamesIn } from './sql/gate/names-in.ts'
import { isReadable } from './sqlite/open-database.ts'
import { createQueryCheck } from './statements/check-query.ts'
import { createCrawledTables } from './statements/crawled-tables.ts'
import { createNameOrder } from './statements/name-order.ts'
import { createStatementService } from './statements/statement-service.ts'
import { closeAll } from './stop.ts'

/** A running service. */
export interface Service {
  /** The URL of the address that it is bound to, such as `http://0.0.0.0:5001`, with the real port. */
  readonly address: string
  /** Stops accepting requests, lets running answers end within `shutdownSecs`, and stops everything. */
  close(): Promise<void>
}

const MIB = 1 << 20

/** For how long an error of an answer in text has a status of its own. Milliseconds. */
const TEXT_HOLD_MS = 1000

/** SQL statements whose sources are remembered. */
const STATEMENTS = 256

/** It is of the process: services that start one after the other in it, as in tests, have it compiled once. */
const COMPILED: CompiledDuck = { module: null }

const WORKER = new URL('../workers/worker.ts', import.meta.url)

/** Parts of the service that a test may replace. */
export interface ServiceParts {
  /** The module that each worker thread runs. */
  readonly worker?: URL
  readonly catalog?: Catalog
  readonly directory?: Directory
  /** How the catalog is stored. See `StoredCatalogOptions`. */
  readonly store?: Pick<StoredCatalogOptions, 'entry' | 'atStep'>
  /** The formats of requests and listings. The workers' module has its own table, which must have the same formats. */
  readonly formats?: Formats
  /** See `QueryServiceOptions`. */
  readonly textHoldMs?: number
  /** The file system calls for the dataset root. */
  readonly files?: Partial<DatasetFilesOptions>
  /** How long other services may take, and how long the thread that asks them waits for more. */
  readonly remotes?: Pick<RemotesOptions, 'times' | 'idleMs' | 'reuseMs' | 'version'>
  /** See `StatementOptions`. */
  readonly attachMs?: number
  /** The system calls of uploads. */
  readonly writingSystem?: DatasetFileOptions['system']
  /** See `ManyFilesOptions`. */
  readonly mostListedFiles?: number
  /** How crawlers find files. */
  readonly walk?: WalkFolder
  /** Whether an engine and the thread of what is learned start, and the last queries are planned, before a query needs them. Default: true. */
  readonly isWarmedUp?: boolean
}

/** Starts the service. Resolves when it listens; rejects with `ServiceError` when it cannot. */
export async function startService(
  config: Config,
  logger: Logger,
  parts: ServiceParts = {},
): Promise<Service> {
  const { worker = WORKER, files = {} } = parts
  const formats = withArrayNan(parts.formats ?? FORMATS, config.arrayNan)
  const paths = storePaths(config.tablesDir)
  const names = { formats, catalog: config.name, isAttached: ANY_ATTACHED }
  const limits = poolLimits(config)
  const chunkTable = config.cacheBytes === 0 ? null : new SharedArrayBuffer(CHUNK_TABLE_BYTES)
  const threads = watchThreads()
  const pool = createScheduler({
    ...(chunkTable !== null && { chunkTable }),
    workers: config.workers,
    entry: worker,
    product: { name: config.name, version: VERSION },
    limits,
    maximumQueries: config.maxQueries,
    trimMs: config.trimIdleSecs * 1000,
    onAllTrimmed() {
      // A query that is open may be planned by main, which would wait for 100 ms or more. It has workers that are trimmed again after it.
      if (pool.active === 0) collectGarbage()
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
    (worker) => pool.runInternal({ kind: 'empty', types: [] }, worker),
    () => stored.isOpen && isReadable(database),
  )
  // The workers start while main opens its files and makes the server.
  const started = readiness.started()
  // Before anything is written: another service that uses the folder must not be disturbed.
  const stored = await openStoredCatalog({
    ...config,
    formats,
    namesIn: createNamesIn(names),
    checkQuery: createQueryCheck(names),
    paths,
    log: logger,
    ...parts.store,
  }).catch(async (error: unknown) => {
    readiness.stop()
    await started
    await pool.close()
    threads[Symbol.dispose]()
    throw error
  })
  const { directory = stored.directory } = parts
  const attached = createAttachedCatalogs({
    formats,
    name: config.name,
    store: stored.attachedStore,
    onUnreadable: (name, err) =>
      logger.error({ err, name }, 'a stored attached catalog cannot be read, and is left out'),
    ...parts.store,
  })
  const catalog = withAttached(parts.catalog ?? stored, attached)
  if (config.makesSample && (await ensureSample(config.datasetsDir)))
    logger.info({ datasets: config.datasetsDir }, 'made a sample data set')
  if (config.ownsDatasets) await mkdir(config.datasetsDir, { recursive: true })
  const tempFolder = await openTempFolder(config, logger)
  // If the root holds them: the catalog would lose its lock if a query read its file, and answers are for those who asked.
  const ownFolders = await Promise.all([config.tablesDir, config.tmpDir].map((folder) => realpath(folder)))
  // A root that cannot be opened is reported when it is.
  const datasetsDir = await realpath(config.datasetsDir).catch(() => config.datasetsDir)
  const hidden = [...ownFolders, join(datasetsDir, stagingName(config.name))]
  const datasets = await openDatasetRoot(config.datasetsDir, { ...files, hidden })
  const datasetFiles = await openDatasetFileService({
    ...config,
    root: datasets,
    catalog,
    store: stored.uploads,
    log: logger,
    ...(parts.writingSystem && { system: parts.writingSystem }),
  })
  const database = openMetricsDatabase(paths.metrics)
  endInterruptedRuns(database)
  const metrics = createMetricsStore(database, {
    retentionDays: config.metricsRetentionDays,
    maximumRows: config.metricsMaxQueries,
    maximumBytes: config.metricsMaxBytes,
    log: logger,
  })
  const scheduler = withRefusals(pool, datasets.files.refusal)
  const engines = createEngines(scheduler, {
    engines: config.sqlEngines,
    limits,
    compiled: COMPILED,
    trimMs: config.trimIdleSecs * 1000,
    onFailure: (engine, error) => logger.error({ err: error, engine }, 'DuckDB failed'),
  })
  const isUnchanged = createSharedChecks(datasets.files)
  const clock = await openChangeClock(config.tmpDir)
  const learned = createLearnedStore({
    path: paths.learned,
    serviceVersion: VERSION,
    limits: { ...LEARNED_LIMITS, files: config.fileStatsMaxFiles },
    log: logger,
    isBusy: () => scheduler.active > 0,
  })
  const inflated = createInflatedFiles(tempFolder)
  const inspected = createSummaries(
    config.workers,
    { now: clock.now, isUnchanged },
    ({ path }, omitted) =>
      logger.info({ file: path, omitted: printOmitted(omitted) }, 'of some datasets no column is made'),
    learned,
  )
  const summaries = withInflatedFiles(withDerivedGrids(inspected), inflated, config.workers)
  const manyFiles = createManyFiles({
    root: datasets,
    hidden,
    markers: formats.markers,
    learned: paths.learned,
    serviceVersion: VERSION,
    ...(parts.mostListedFiles !== undefined && {
      most: parts.mostListedFiles,
      keepable: parts.mostListedFiles,
    }),
    log: logger,
  })
  const remotes = createRemotes({ ...config, log: logger, ...parts.remotes })
  const queryOptions: QueryServiceOptions = {
    formats,
    scheduler,
    metrics,
    log: logger,
    tempFolder,
    remotes,
    loginOf({ secret, ownSecrets, hasOwnLogin, address }) {
      const secrets = ownSecrets ?? (hasOwnLogin === true ? stored.logins : stored.secrets)
      return loginOfSecret(secrets, secret, address.kind)
    },
    onRemoteOutcome({ attachment }, error) {
      if (attachment !== undefined) attached.report(attachment, error)
    },
    onUnlisted: async ({ attachment, table }, list) =>
      attachment !== undefined && attached.listAgain(attachment, table, list),
    gathering: createGatherBudget(),
    summaries,
    onChunkRecords: chunkTable === null ? () => {} : createChunkTable(chunkTable).add,
    engines,
    named: createLru(STATEMENTS),
    structures: createKeptStructures(),
    systemRows: createSystemRows({
      adminUsername: config.adminUsername,
      catalog: catalog.name,
      metrics,
      directory,
      attached,
      crawlerRuns: () => crawlers.runs(null),
      registry: learned.registry,
      settings: shownSettings(config, true),
    }),
    heldBytes: config.workerMemoryMb * MIB,
    heldBudget: createBudget(config.workers * config.workerMemoryMb * MIB),
    ipcCompression: config.ipcCompression,
    maxGridBytes: config.maxGridBytes,
    cursorIdleMs: config.cursorIdleSecs * 1000,
    textHoldMs: parts.textHoldMs ?? TEXT_HOLD_MS,
    catalog,
    views: createViewTrees({ ...names, catalog: catalog.name }),
    search: createSearch(datasets, formats.markers),
    searchLocation: createLocationSearch(datasets, formats.markers),
    manyFiles,
    openListing: createListing(datasets, formats),
  }
  const queries = createQueryService(queryOptions)
  const background = inBackground(scheduler)
  const hashes = createHashQueue()
  const answers = createAnswers(queries, catalog, answersBytes(config), isUnchanged)
  const callers = createCallers(directory, config)
  const statementOptions = {
    config,
    catalog,
    directory,
    secrets: stored.secrets,
    logins: stored.logins,
    attached,
    remotes,
    attachMs: parts.attachMs,
    hashes,
    formats,
    queries,
    order: createNameOrder(),
    metrics,
    log: logger,
  }
  const sequence = createSequence()
  const fileStatistics = createFileStatistics({
    isEnabled: config.fileStatsEnable,
    intervalSecs: config.fileStatsIntervalSecs,
    runsOnStartup: config.fileStatsOnStartup,
    scheduler: background,
    sequence,
    root: datasetsDir,
    hidden,
    formats,
    learned,
    survey: inspected.survey,
    walk: walkInThread,
    log: logger,
  })
  const listed = createListedLocations({
    root: datasets,
    hidden,
    markers: formats.markers,
    otherwise: queryOptions.searchLocation,
    log: logger,
  })
  const crawlers = createCrawlers({
    sequence,
    store: stored.crawlers,
    defaultIntervalSecs: config.crawlerDefaultIntervalSecs,
    isScheduled: config.crawlerEnable,
    history: metrics,
    root: datasetsDir,
    hidden,
    walk: parts.walk ?? walkFolder,
    tables: createCrawledTables({
      ...statementOptions,
      queries: createQueryService({ ...queryOptions, scheduler: background, searchLocation: listed.search }),
      superUser: callers.superUser,
      digests: learned.crawled,
      onRunEnd: listed.end,
    }),
    now: Date.now,
    log: logger,
  })
  const statements = createStatementService({ ...statementOptions, crawlers, fileStatistics })
  // jose is loaded where there is an issuer.
  const tokens = config.oidcEnabled
    ? (await import('./auth/tokens/create-tokens.ts')).createTokens({
        ...config,
        callers,
        directory,
        log: logger,
      })
    : undefined
  const server = await createServer({
    config,
    logger,
    authenticator: createAuthenticator({
      ...config,
      callers,
      directory,
      hashes,
      tokens,
    }),
    directory,
    catalog,
    datasets,
    datasetFiles,
    formats,
    queries,
    answers,
    statements,
    crawlers,
    gauges: createGauges({ threads, readiness, summaries, inflated, scheduler, answers }),
  })
  // The first queries do not wait for workers. Two workers on two CPUs take 0.1 to 0.3 s, and longer on a busy machine. A worker that
  // hangs has failed after the time limit of a task.
  await started
  const address = await listen(server, config)
  crawlers.start()
  fileStatistics.start()
  const stopping = new AbortController()
  const planning = {
    database,
    formats,
    queries: createQueryService({ ...queryOptions, scheduler: background }),
    caller: callers.superUser,
    isBusy: () => scheduler.active > 0,
    log: logger,
  }
  let planned: Promise<void> | null = null
  const warmUp = (): void => {
    if (config.enableSql) engines.warmUp()
    learned.warmUp()
    if (config.planOnStartup) planned = planLongestQueries(planning, stopping.signal)
  }
  const cancelWarmUp = parts.isWarmedUp === false ? undefined : whenIdle(() => scheduler.active > 0, warmUp)
  return {
    address,
    async close() {
      readiness.stop()
      cancelWarmUp?.()
      stopping.abort()
      await closeAll([
        () => planned,
        () => closeServer(server, config.shutdownSecs * 1000),
        () => tokens?.close(),
        crawlers.close,
        fileStatistics.close,
        remotes.close,
        datasetFiles.close,
        metrics.close,
        learned.close,
        manyFiles.close,
        scheduler.close,
        inflated.close,
        clock.close,
        () => database.close(),
        stored.close,
        () => threads[Symbol.dispose](),
      ])
    },
  }
}

async function openTempFolder(config: Config, logger: Logger): Promise<TempFolder> {
  const { tmpDir, maxOutputBytes, maxTempBytes, minFreeBytes } = config
  await mkdir(tmpDir, { recursive: true })
  try {
    const swept = await sweepTempFolder(tmpDir)
    if (swept > 0) logger.warn({ swept }, 'deleted temporary files that an earlier process had left')
  } catch (error) {
    logger.warn({ err: error }, 'temporary files of an earlier process could not be deleted')
  }
  const limits = { outputBytes: maxOutputBytes, totalBytes: maxTempBytes, reservedBytes: minFreeBytes }
  return createTempFolder(tmpDir, limits)
}

async function listen(server: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    await server.listen({ host, port })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new ServiceError('internal', `Cannot listen on ${host}:${port} (${code}).`, { cause })
  }
  // Not what `listen` returns: that names one of the machine's addresses in place of 0.0.0.0.
  const bound = server.server.address()
  if (bound === null || typeof bound === 'string')
    throw new ServiceError('internal', `Nothing is bound to ${host}:${port}.`)
  return `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`
}
