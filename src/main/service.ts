import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { ServiceError } from '../plan/errors.ts'
import { FORMATS, withArrayNan } from '../plan/formats.ts'
import { createAnswers } from './answers/answers.ts'
import { createAuthenticator } from './auth/authenticate.ts'
import { createCallers } from './auth/callers.ts'
import { createHashQueue } from './auth/passwords/hash-queue.ts'
import { answersBytes } from './dispatch/pool-limits.ts'
import { createGauges } from './gauges/gauges.ts'
import { whenIdle } from './jobs/when-idle.ts'
import { createQueries } from './parts/create-queries.ts'
import { createStatements } from './parts/create-statements.ts'
import { openStores, type Stores } from './parts/open-stores.ts'
import type { ServiceParts } from './parts/service-parts.ts'
import { startPool } from './parts/start-pool.ts'
import { closeServer, createServer, prepareServer } from './server.ts'
import type { Config } from './settings/config.ts'
import { isReadable } from './sqlite/open-database.ts'
import { closeAll } from './stop.ts'

/** A running service. */
export interface Service {
  /** The URL of the address that it is bound to, such as `http://0.0.0.0:5001`, with the real port. */
  readonly address: string
  /** Stops accepting requests, lets running answers end within `shutdownSecs`, and stops everything. */
  close(): Promise<void>
}

/** Starts the service. Resolves when it listens; rejects with `ServiceError` when it cannot. */
export async function startService(
  config: Config,
  logger: Logger,
  parts: ServiceParts = {},
): Promise<Service> {
  const formats = withArrayNan(parts.formats ?? FORMATS, config.arrayNan)
  let opened: Stores | null = null
  const isStoreUsable = (): boolean => opened?.stored.isOpen === true && isReadable(opened.database)
  // The thread of the catalog starts first: main waits for it. The workers start while main opens its files and makes the server.
  const opening = openStores(config, logger, formats, parts)
  const pool = startPool(config, logger, parts.worker, isStoreUsable)
  const { readiness, threads } = pool
  const [stores, prepared] = await Promise.all([opening, prepareServer({ config, logger, formats })]).catch(
    async (error: unknown) => {
      await pool.abandon()
      throw error
    },
  )
  opened = stores
  const { stored, directory, catalog, datasets, datasetFiles, database, metrics, clock } = stores
  const queries = createQueries({
    config,
    logger,
    formats,
    pool,
    stores,
    parts,
    crawlerRuns: () => statements.crawlers.runs(null),
  })
  const { scheduler, engines, learned, inflated, summaries, manyFiles, remotes, isUnchanged } = queries
  const answers = createAnswers(queries.service, catalog, answersBytes(config), isUnchanged)
  const callers = createCallers(directory, config)
  const hashes = createHashQueue()
  const statements = createStatements({ config, logger, formats, stores, queries, callers, hashes, parts })
  const { crawlers, fileStatistics } = statements
  // jose is loaded where there is an issuer.
  const tokens = config.oidcEnabled
    ? (await import('./auth/tokens/create-tokens.ts')).createTokens({
        ...config,
        callers,
        directory,
        log: logger,
      })
    : undefined
  const server = await createServer(prepared, {
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
    queries: queries.service,
    answers,
    statements: statements.service,
    crawlers,
    gauges: createGauges({ threads, readiness, summaries, inflated, scheduler, answers }),
  })
  // The first queries do not wait for workers. Two workers on two CPUs take 0.1 to 0.3 s, and longer on a busy machine. A worker that
  // hangs has failed after the time limit of a task.
  await pool.started
  const address = await listen(server, config)
  crawlers.start()
  fileStatistics.start()
  const stopping = new AbortController()
  let planned: Promise<void> | null = null
  const warmUp = (): void => {
    if (config.enableSql) engines.warmUp()
    learned.warmUp()
    if (config.planOnStartup) planned = statements.planLongest(stopping.signal)
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
