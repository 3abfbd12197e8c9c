import { toErrorData } from '../../../plan/errors.ts'
import { createOption } from '../../sql/grammar/families/options.ts'
import type { CreateExternalTable } from '../../sql/grammar/node.ts'
import type { Crawler } from '../crawler.ts'
import { folderOf } from '../read-crawler.ts'
import type { CrawledGroup, CrawlReport, CrawlRequest } from '../walk/crawl-request.ts'
import type { RunReport } from './report.ts'
import { nameTables, type OwnedTable, vanishedTables } from './table-names.ts'

/** Walks through the folder of a crawler, and groups its files. Rejects with the signal's reason if that is aborted. */
export type WalkFolder = (
  request: CrawlRequest,
  progress: (at: Readonly<{ folders: number; files: number }>) => void,
  signal: AbortSignal,
) => Promise<CrawlReport>

/** The tables of the catalog, as crawlers see and make them. */
export interface CrawledTables {
  /** Begins a run: what is remembered of tables is read while the folder is walked. */
  begin(): void
  /** The tables that this crawler has made, and no statement has replaced. */
  ownedBy(crawler: string): readonly OwnedTable[]
  /** What a name is to a crawler: nothing has it, its own table has it, or something else has. */
  standingOf(name: string, crawler: string): Standing
  /**
   * Makes a table, or brings its own one up to date. `skipped`: something else has got the name meanwhile. Rejects with the error for
   * which there is no such table; what was there stays. A table that is as it was made from these versions of files is not made again.
   */
  put(
    statement: CreateExternalTable,
    versions: string | null,
    crawler: string,
    signal: AbortSignal,
  ): Promise<PutOutcome>
  /**
   * Begins to read the columns for a table that is put later, unless it is as it was made from these versions. What was read is dropped if
   * the signal is aborted first.
   */
  readAhead(
    statement: CreateExternalTable,
    versions: string | null,
    crawler: string,
    signal: AbortSignal,
  ): void
  /** Ends a run: stores what tables were made of, so that it is known after a restart. Never rejects. */
  settle(): Promise<void>
}

export type Standing = 'free' | 'owned' | 'taken'

export type PutOutcome = 'created' | 'updated' | 'skipped'

/** How far a run has come. */
export interface RunProgress {
  readonly folders: number
  readonly files: number
  readonly tables: number
}

export interface CrawlOptions {
  readonly root: string
  readonly hidden: readonly string[]
  readonly walk: WalkFolder
  readonly tables: CrawledTables
  readonly log: { error(details: object, message: string): void }
}

export interface CrawlSignals {
  /** Aborted when the run shall end after the table at hand. */
  readonly ending: AbortSignal
  /** Aborted when the service stops: nothing is waited for. */
  readonly stopping: AbortSignal
}

/**
 * Runs a crawler once. A table that fails is a line of the report, and the rest goes on. Rejects with the reason of a signal, or with the
 * error of the walk.
 */
export async function crawl(
  crawler: Crawler,
  isDry: boolean,
  { root, hidden, walk, tables, log }: CrawlOptions,
  { ending, stopping }: CrawlSignals,
  onProgress: (progress: RunProgress) => void,
): Promise<RunReport> {
  let progress: RunProgress = { folders: 0, files: 0, tables: 0 }
  if (!isDry) tables.begin()
  const walked = await walkOf(crawler, root, hidden, walk, AbortSignal.any([ending, stopping]), (at) => {
    progress = { ...progress, ...at }
    onProgress(progress)
  })
  const owned = tables.ownedBy(crawler.name)
  const outcomes: Outcomes = { created: [], updated: [], skipped: [], failed: [] }
  const wanted = nameTables(walked.groups, crawler, owned).map(({ group, name }) => ({
    name,
    statement: () => tableStatement(name, group, crawler),
    versions: group.versions ?? null,
  }))
  const over = new AbortController()
  const reading = AbortSignal.any([stopping, over.signal])
  let ahead = 0
  try {
    for (const [nth, { name, statement, versions }] of wanted.entries()) {
      ending.throwIfAborted()
      stopping.throwIfAborted()
      for (ahead = Math.max(ahead, nth + 1); !isDry && ahead <= nth + READ_AHEAD; ahead++) {
        const next = wanted[ahead]
        if (next !== undefined) tables.readAhead(next.statement(), next.versions, crawler.name, reading)
      }
      try {
        const outcome = isDry
          ? OUTCOMES[tables.standingOf(name, crawler.name)]
          : await tables.put(statement(), versions, crawler.name, stopping)
        outcomes[outcome].push(name)
      } catch (error) {
        stopping.throwIfAborted()
        outcomes.failed.push([name, failureOf(error, name, log)])
      }
      progress = { ...progress, tables: progress.tables + 1 }
      onProgress(progress)
    }
  } finally {
    over.abort()
    if (!isDry) await tables.settle()
  }
  return Object.freeze({
    crawler: crawler.name,
    isDry,
    discovered: walked.groups.length,
    ...outcomes,
    skippedFiles: walked.skippedFiles,
    vanished: vanishedTables(walked.groups, owned).map(({ name }) => name),
    unread: walked.unread,
  })
}

/** The tables whose columns are read before their turn: files of one are listed while workers inspect those of another. */
const READ_AHEAD = 2

/** What has become of tables, by their names. */
interface Outcomes extends Readonly<Record<PutOutcome, string[]>> {
  readonly failed: (readonly [table: string, message: string])[]
}

/** What a run would do about a name. */
const OUTCOMES: Readonly<Record<Standing, PutOutcome>> = {
  free: 'created',
  owned: 'updated',
  taken: 'skipped',
}

const NOTHING: CrawlReport = Object.freeze({
  groups: [],
  scannedFiles: 0,
  folders: 0,
  skippedFiles: 0,
  unread: [],
})

async function walkOf(
  { targetPrefix, formatFilter, detectsPartitions }: Crawler,
  root: string,
  hidden: readonly string[],
  walk: WalkFolder,
  signal: AbortSignal,
  onProgress: (at: Readonly<{ folders: number; files: number }>) => void,
): Promise<CrawlReport> {
  // A filter without names matches nothing. For a walk, no names are those that are crawled without being named.
  if (formatFilter?.length === 0) return NOTHING
  return walk(
    { root, prefix: folderOf(targetPrefix), formats: formatFilter ?? [], hidden, detectsPartitions },
    onProgress,
    signal,
  )
}

/** The statement that makes the table of a group. Options of the crawler go before those that the group needs. */
function tableStatement(name: string, group: CrawledGroup, crawler: Crawler): CreateExternalTable {
  const options = new Map(Object.entries(group.options))
  for (const { key, value } of crawler.options) options.set(key, value)
  return Object.freeze({
    kind: 'create_external_table',
    name: Object.freeze({ catalog: null, schema: null, name }),
    ifExists: 'replace',
    columns: null,
    format: group.format.toUpperCase(),
    partitions: Object.freeze(group.partitions.map((key) => Object.freeze({ name: key, type: null }))),
    order: Object.freeze([]),
    location: group.location,
    options: Object.freeze([...options].map(([key, value]) => createOption(key, value))),
  })
}

/** The message of a table that could not be made. What only the log may have is not in it. */
function failureOf(error: unknown, table: string, log: CrawlOptions['log']): string {
  const { code, message } = toErrorData(error)
  if (code !== 'internal') return message
  log.error({ err: error, table }, 'a crawler could not make a table')
  return 'Internal error; the log of the service has the details.'
}
