import type { Logger } from 'pino'
import type { Formats } from '../../plan/format/create-formats.ts'
import { createLru } from '../../plan/lru.ts'
import { createChunkTable } from '../../plan/source/chunk-table.ts'
import { printOmitted } from '../../plan/source/omitted.ts'
import type { Fingerprint } from '../datasets/fingerprint/fingerprint.ts'
import { createLocationSearch } from '../datasets/fingerprint/location-searches.ts'
import { createSharedChecks } from '../datasets/fingerprint/shared-checks.ts'
import { createListing } from '../datasets/list.ts'
import { createSearch } from '../datasets/search.ts'
import { type CompiledDuck, createEngines, type Engines } from '../dispatch/engines/engines.ts'
import { withRefusals } from '../dispatch/refusals.ts'
import type { Scheduler } from '../dispatch/scheduler.ts'
import type { CrawlerRun } from '../history/crawler-runs.ts'
import type { LearnedFiles } from '../learned/learned-files.ts'
import { LEARNED_LIMITS } from '../learned/store/learned-limits.ts'
import { createLearnedStore } from '../learned/store/learned-store.ts'
import { createGatherBudget } from '../output/files/gather-budget.ts'
import { createViewTrees } from '../query/core/views/view-trees.ts'
import { createQueryService } from '../query/run/create-query-service.ts'
import type { QueryServiceOptions } from '../query/run/options.ts'
import { createBudget } from '../query/run/rows/budget.ts'
import type { QueryService } from '../query/run/service.ts'
import { createInflatedFiles, type InflatedFiles } from '../query/source/inflated/inflated-files.ts'
import { withInflatedFiles } from '../query/source/inflated/with-inflated-files.ts'
import { createManyFiles, type ManyFiles } from '../query/source/many/many-files.ts'
import { createSystemRows } from '../query/source/named/system-rows.ts'
import { createKeptStructures } from '../query/source/structure/kept-structures.ts'
import { withDerivedGrids } from '../query/source/summaries/derived-grids.ts'
import { createSummaries, type Summaries } from '../query/source/summaries/summaries.ts'
import type { Survey } from '../query/source/summaries/survey.ts'
import { loginOfSecret } from '../remotes/login-of-secret.ts'
import { createRemotes, type Remotes } from '../remotes/remotes.ts'
import { type Config, shownSettings } from '../settings/config.ts'
import { VERSION } from '../settings/version.ts'
import { ANY_ATTACHED } from '../sql/gate/check-names.ts'
import type { Stores } from './open-stores.ts'
import type { ServiceParts } from './service-parts.ts'
import type { Pool } from './start-pool.ts'

/** What runs queries, and what it keeps between them. */
export interface Queries {
  readonly service: QueryService
  /** What it was made with, for services of queries that differ in some of it. */
  readonly options: QueryServiceOptions
  /** Sends no task to a worker for a file that is refused. */
  readonly scheduler: Scheduler
  readonly engines: Engines
  readonly learned: LearnedFiles
  readonly inflated: InflatedFiles
  readonly summaries: Summaries
  /** Asks workers for what is known of files, for their statistics. */
  readonly survey: Survey
  readonly manyFiles: ManyFiles
  readonly remotes: Remotes
  /** Whether all files and folders of a fingerprint are as they were. */
  readonly isUnchanged: (fingerprint: Fingerprint) => Promise<boolean>
}

export interface QueriesOptions {
  readonly config: Config
  readonly logger: Logger
  readonly formats: Formats
  readonly pool: Pool
  readonly stores: Stores
  readonly parts: ServiceParts
  /** The last runs of crawlers, which exist later than queries. */
  readonly crawlerRuns: () => readonly CrawlerRun[]
}

const MIB = 1 << 20

/** For how long an error of an answer in text has a status of its own. Milliseconds. */
const TEXT_HOLD_MS = 1000

/** SQL statements whose sources are remembered. */
const STATEMENTS = 256

/** It is of the process: services that start one after the other in it, as in tests, have it compiled once. */
const COMPILED: CompiledDuck = { module: null }

export function createQueries({
  config,
  logger,
  formats,
  pool,
  stores,
  parts,
  crawlerRuns,
}: QueriesOptions): Queries {
  const { paths, stored, directory, attached, catalog, tempFolder, datasets, hidden, metrics, clock } = stores
  const { limits, chunkTable } = pool
  const scheduler = withRefusals(pool.scheduler, datasets.files.refusal)
  const engines = createEngines(scheduler, {
    engines: config.sqlEngines,
    limits,
    compiled: COMPILED,
    trimMs: config.trimIdleSecs * 1000,
    onFailure: (engine, error) => logger.error({ err: error, engine }, 'DuckDB failed'),
  })
  const isUnchanged = createSharedChecks(datasets.files)
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
  const options: QueryServiceOptions = {
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
      crawlerRuns,
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
    views: createViewTrees({ formats, catalog: catalog.name, isAttached: ANY_ATTACHED }),
    search: createSearch(datasets, formats.markers),
    searchLocation: createLocationSearch(datasets, formats.markers),
    manyFiles,
    openListing: createListing(datasets, formats),
  }
  return {
    service: createQueryService(options),
    options,
    scheduler,
    engines,
    learned,
    inflated,
    summaries,
    survey: inspected.survey,
    manyFiles,
    remotes,
    isUnchanged,
  }
}
