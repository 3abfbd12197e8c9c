import type { Logger } from 'pino'
import type { Plan } from '../../../plan/plan.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { SearchLocation } from '../../datasets/fingerprint/location-searches.ts'
import type { OpenListing } from '../../datasets/list.ts'
import type { Search } from '../../datasets/search.ts'
import type { Scheduler } from '../../dispatch/scheduler.ts'
import type { MetricsStore } from '../../history/store.ts'
import type { GatherBudget } from '../../output/files/gather-budget.ts'
import type { ArrowCompression, OutputSettings } from '../../output/output-format.ts'
import type { TempFolder } from '../../output/temp/temp-folder.ts'
import type { ViewTrees } from '../core/views/view-trees.ts'
import type { PreparedStatement } from '../duckdb/prepare-statement.ts'
import type { PreparedScan } from '../plan/prepare-scan.ts'
import type { ManyFiles } from '../source/many/many-files.ts'
import type { Preparation } from '../source/query-context.ts'
import type { Fetching } from '../source/remote/remote-rows.ts'
import type { Budget } from './rows/budget.ts'

/** What queries are run with. */
export interface QueryServiceOptions extends Preparation, Fetching {
  readonly catalog: Catalog
  readonly views: ViewTrees
  readonly search: Search
  readonly searchLocation: SearchLocation
  readonly manyFiles: ManyFiles
  readonly openListing: OpenListing
  readonly scheduler: Scheduler
  readonly metrics: MetricsStore
  /** Called with the records of chunks whose statistics a worker has found. */
  readonly onChunkRecords: (records: Uint8Array) => void
  readonly log: Logger
  /** The folder in which answers that are files are written before they are sent. */
  readonly tempFolder: TempFolder
  /** Bounds what all queries together gather for files. */
  readonly gathering: GatherBudget
  /** The most bytes of fragments that main holds for a query: no more than a worker can take. */
  readonly heldBytes: number
  /** Limits the bytes of fragments of all queries together. */
  readonly heldBudget: Budget
  readonly ipcCompression: ArrowCompression
  /** The most bytes of the values of a gridded file. */
  readonly maxGridBytes: number
  /** How long a statement, or an answer that is a file, waits for a client that does not read. */
  readonly cursorIdleMs: number
  /** For how long an error of an answer in text has a status of its own, from the beginning of the query. Milliseconds. */
  readonly textHoldMs: number
}

/** What all answers are made with. */
export function outputSettings({
  ipcCompression: compression,
  maxGridBytes,
}: Pick<QueryServiceOptions, 'ipcCompression' | 'maxGridBytes'>): OutputSettings {
  return { compression, maxGridBytes }
}

/** A plan, and the units of its sources that have to be read. */
export type PreparedQuery = PreparedScan | PreparedStatement

/** The plan of a query that has run, with what has come of rows that were passed on. */
export function planAsRun(prepared: PreparedQuery): Plan {
  if ('lease' in prepared || prepared.relay === undefined) return prepared.plan
  const { plan, relay } = prepared
  if (plan.remote === undefined) return plan
  return { ...plan, remote: { ...plan.remote, received: { ...relay.received } } }
}
