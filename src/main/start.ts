import { pino } from 'pino'
import { ServiceError } from '../plan/errors.ts'
import { createAuthenticate } from './auth/authenticate.ts'
import { createCatalog } from './catalog/catalog.ts'
import { readConfig } from './config.ts'
import { openDatasetRoot } from './datasets/root.ts'
import type { QueryService } from './query/service.ts'
import { createServer } from './server.ts'
import { VERSION } from './version.ts'

const { config, warnings } = readConfig(process.env)
const logger = pino({ level: config.logLevel === 'off' ? 'silent' : config.logLevel })
for (const warning of warnings) logger.warn(warning)

const refuse = async (): Promise<never> => {
  throw new ServiceError('not_supported', 'This build does not run queries yet.')
}
const queries: QueryService = {
  run: refuse,
  explain: refuse,
  explainAnalyze: refuse,
  metrics: () => null,
  schema: refuse,
}
const server = await createServer({
  config,
  logger,
  authenticate: createAuthenticate(config),
  catalog: createCatalog(config),
  datasets: await openDatasetRoot(config.datasetsDir),
  queries,
})
const address = await server.listen({ host: config.host, port: config.port })
logger.info({ address, version: VERSION, workers: config.workers, datasets: config.datasetsDir }, 'ready')
