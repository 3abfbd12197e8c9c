import type { Logger } from 'pino'
import type { Formats } from '../../plan/format/create-formats.ts'
import type { Caller } from '../auth/caller.ts'
import type { Directory } from '../auth/directory/directory.ts'
import type { HashQueue } from '../auth/passwords/hash-queue.ts'
import type { AttachedCatalogs } from '../catalog/attached/attached-catalogs.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Crawlers } from '../crawlers/crawlers.ts'
import type { FileStatistics } from '../file-statistics/file-statistics.ts'
import type { MetricsStore } from '../history/store.ts'
import type { QueryService } from '../query/run/service.ts'
import type { Remotes } from '../remotes/remotes.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Config } from '../settings/config.ts'
import type { NameOrder } from './name-order.ts'

/** The parts of the service with which statements are run. */
export interface StatementOptions {
  readonly config: Pick<Config, 'adminUsername' | 'authAnonymousEnabled'>
  readonly catalog: Catalog
  readonly directory: Directory
  readonly secrets: Secrets
  /** The logins in the options of tables. */
  readonly logins: Secrets
  readonly attached: AttachedCatalogs
  readonly remotes: Pick<Remotes, 'open' | 'closeUnused'>
  /** The most milliseconds in which ATTACH is answered by the other service. Absent: 10 s. */
  readonly attachMs?: number | undefined
  readonly hashes: HashQueue
  readonly formats: Formats
  readonly queries: Pick<
    QueryService,
    'run' | 'schema' | 'columnsOf' | 'answerColumns' | 'functions' | 'readableOf'
  >
  readonly crawlers: Crawlers
  readonly fileStatistics: Pick<FileStatistics, 'run'>
  /** The order of commands on a name, and of what crawlers do with it. */
  readonly order: NameOrder
  readonly metrics: Pick<MetricsStore, 'record'>
  readonly log: Logger
}

/** What definitions are made and stored with. */
export type DefiningContext = Pick<
  StatementContext,
  'catalog' | 'formats' | 'queries' | 'caller' | 'signal' | 'log'
>

/** What the handler of one statement gets besides its node. */
export interface StatementContext extends StatementOptions {
  readonly caller: Caller
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal
  /**
   * The query in the statement, behind as many spaces as there are characters before it in the request: errors in it have
   * their place in the request. Null: there is no query in it, or it was not sent as text.
   */
  readonly queryInPlace: string | null
  /** Notices of a command: what looks as if something else was meant. */
  readonly notices: Set<string>
  /** Passwords and values of secrets in the statement, in their order. Its node has `MASK` in their place. */
  readonly hidden: readonly string[]
}

/** Runs a statement whose answer has no rows and no columns. */
export type RunCommand<Node> = (node: Node, context: StatementContext) => Promise<void>

/** Writes a statement whose answer has rows as the query that makes them. It is run on behalf of the same caller. */
export type WriteQuery<Node> = (node: Node, context: StatementContext) => Promise<string>
