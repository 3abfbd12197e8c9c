import type { Formats } from '../../../plan/format/create-formats.ts'
import type { Lru } from '../../../plan/lru.ts'
import type { SourceRequest } from '../../../plan/statement/statement.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Engines } from '../../dispatch/engines/engines.ts'
import type { Ticket } from '../../dispatch/ticket.ts'
import type { SystemRows } from './named/system-rows.ts'
import type { OnNotice } from './notices.ts'
import type { OnAnswer, OnObjects } from './on-answer.ts'
import type { SourceResolution } from './resolve-source.ts'
import type { KeptStructures } from './structure/kept-structures.ts'
import type { Summaries } from './summaries/summaries.ts'

/** What all queries are prepared with. */
export interface Preparation {
  readonly formats: Formats
  readonly catalog: Pick<Catalog, 'name'>
  readonly summaries: Summaries
  readonly engines: Engines
  readonly systemRows: SystemRows
  /** The sources that recent statements named, by the text of the statement. */
  readonly named: Lru<readonly SourceRequest[]>
  readonly structures: KeptStructures
  /** False: rows are not read, as the columns of the answer alone are wanted. Compressed files are then not inflated. Absent: true. */
  readonly areRowsRead?: boolean
  /** False: other services are not asked for rows, as the plan alone is wanted. Absent: they are. */
  readonly areRemotesAsked?: boolean
  /** Whether DuckDB measures the operators of a statement. Absent: it does not. */
  readonly isProfiled?: boolean
  /** Why no statement is run by the core. Absent: the core runs those that it can. */
  readonly whyNotOnCore?: string
  /** False: subqueries are not run, as the plan alone is wanted. Absent: true. */
  readonly areSubqueriesRun?: boolean
}

/** What one query is prepared with. `ticket` runs its tasks. */
export interface QueryContext extends Preparation, SourceResolution {
  readonly ticket: Ticket
  readonly signal: AbortSignal
  readonly onAnswer: OnAnswer
  readonly onObjects: OnObjects
  readonly onNotice: OnNotice
  /** The most rows of the answer that its client wants, as if the query had this limit. Absent: all of them. */
  readonly mostRows?: number
}
