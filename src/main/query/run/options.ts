import type { Logger } from 'pino'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Search } from '../../datasets/fingerprint/searches.ts'
import type { OpenListing } from '../../datasets/list.ts'
import type { Scheduler } from '../../dispatch/scheduler.ts'
import type { MetricsStore } from '../../metrics/store.ts'
import type { ArrowCompression } from '../../output/outputs.ts'
import type { TempFolder } from '../../output/temp-folder.ts'
import type { Preparation } from '../source/query-context.ts'
import type { Budget } from './rows/budget.ts'

/** What queries are run with. */
export interface QueryServiceOptions extends Preparation {
  readonly catalog: Catalog
  readonly search: Search
  readonly openListing: OpenListing
  readonly scheduler: Scheduler
  readonly metrics: MetricsStore
  readonly log: Logger
  /** The folder in which answers that are files are written before they are sent. */
  readonly tempFolder: TempFolder
  /** The most bytes of partials that main holds for a query: no more than a worker can take. */
  readonly partialBytes: number
  /** Limits the bytes of partials of all queries together. */
  readonly partialBudget: Budget
  readonly ipcCompression: ArrowCompression
  /** How long a statement, or an answer that is a file, waits for a client that does not read. */
  readonly cursorIdleMs: number
  /** For how long an error of an answer in text has a status of its own, from the beginning of the query. Milliseconds. */
  readonly textHoldMs: number
}
