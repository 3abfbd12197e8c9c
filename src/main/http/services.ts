import type { Logger } from 'pino'
import type { Formats } from '../../plan/format/create-formats.ts'
import type { Answers } from '../answers/answers.ts'
import type { Authenticator } from '../auth/authenticate.ts'
import type { Directory } from '../auth/directory/directory.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Crawlers } from '../crawlers/crawlers.ts'
import type { DatasetFileService } from '../dataset-files/dataset-files.ts'
import type { DatasetRoot } from '../datasets/root.ts'
import type { Gauges } from '../gauges/gauges.ts'
import type { QueryService } from '../query/run/service.ts'
import type { Config } from '../settings/config.ts'
import type { StatementService } from '../statements/statement-service.ts'

/** The parts of the service that the routes use. */
export interface Services {
  readonly config: Config
  readonly logger: Logger
  readonly authenticator: Authenticator
  readonly directory: Directory
  readonly catalog: Catalog
  readonly datasets: DatasetRoot
  readonly datasetFiles: DatasetFileService
  readonly formats: Formats
  readonly queries: QueryService
  readonly answers: Answers
  readonly statements: StatementService
  readonly crawlers: Crawlers
  readonly gauges: Gauges
}
