import type { Logger } from 'pino'
import type { Formats } from '../../plan/format/create-formats.ts'
import type { Answers } from '../answers/answers.ts'
import type { Authenticator } from '../auth/authenticate.ts'
import type { Directory } from '../auth/directory/directory.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { DatasetRoot } from '../datasets/root.ts'
import type { CacheFigures } from '../history/cache-figures.ts'
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
  readonly formats: Formats
  readonly queries: QueryService
  readonly answers: Answers
  readonly statements: StatementService
  /** Why no query can run now, in one sentence. Null: queries can run. */
  notReady(): string | null
  /** The figures of each cache, by its name. */
  caches(): Readonly<Record<string, Partial<CacheFigures>>>
}
