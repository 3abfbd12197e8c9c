import type { Logger } from 'pino'
import type { Formats } from '../../plan/format/create-formats.ts'
import type { Callers } from '../auth/callers.ts'
import type { HashQueue } from '../auth/passwords/hash-queue.ts'
import { type Crawlers, createCrawlers } from '../crawlers/crawlers.ts'
import { createSequence } from '../crawlers/schedule/sequence.ts'
import { walkFolder } from '../crawlers/walk/walk-folder.ts'
import { inBackground } from '../dispatch/in-background.ts'
import { createFileStatistics, type FileStatistics } from '../file-statistics/file-statistics.ts'
import { walkInThread } from '../file-statistics/walk/walk.ts'
import { planLongestQueries } from '../plan-longest-queries.ts'
import { createQueryService } from '../query/run/create-query-service.ts'
import { createListedLocations } from '../query/source/listed/listed-locations.ts'
import type { Config } from '../settings/config.ts'
import { createCrawledTables } from '../statements/crawled-tables.ts'
import { createNameOrder } from '../statements/name-order.ts'
import { createStatementService, type StatementService } from '../statements/statement-service.ts'
import type { Queries } from './create-queries.ts'
import type { Stores } from './open-stores.ts'
import type { ServiceParts } from './service-parts.ts'

/** What statements that are no queries are run by, and what the service does by itself. */
export interface Statements {
  readonly service: StatementService
  readonly crawlers: Crawlers
  readonly fileStatistics: FileStatistics
  /** See `planLongestQueries`. */
  planLongest(signal: AbortSignal): Promise<void>
}

export interface StatementsOptions {
  readonly config: Config
  readonly logger: Logger
  readonly formats: Formats
  readonly stores: Stores
  readonly queries: Queries
  readonly callers: Callers
  readonly hashes: HashQueue
  readonly parts: ServiceParts
}

export function createStatements({
  config,
  logger,
  formats,
  stores,
  queries,
  callers,
  hashes,
  parts,
}: StatementsOptions): Statements {
  const { stored, directory, attached, catalog, datasets, datasetsDir, hidden, database, metrics } = stores
  const { learned, remotes, survey, options: queryOptions } = queries
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
    queries: queries.service,
    order: createNameOrder(),
    metrics,
    log: logger,
  }
  const background = inBackground(queries.scheduler)
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
    survey,
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
  return {
    service: createStatementService({ ...statementOptions, crawlers, fileStatistics }),
    crawlers,
    fileStatistics,
    planLongest: (signal) =>
      planLongestQueries(
        {
          database,
          formats,
          queries: createQueryService({ ...queryOptions, scheduler: background }),
          caller: callers.superUser,
          isBusy: () => queries.scheduler.active > 0,
          log: logger,
        },
        signal,
      ),
  }
}
