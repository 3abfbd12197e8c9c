import type { StatementOption } from '../sql/grammar/node.ts'

/** What a crawler looks for, and what its tables are called. Frozen. */
export interface Crawler {
  readonly name: string
  /** The folder below the dataset root where it begins, as it was written. */
  readonly targetPrefix: string
  /** Names of formats, in lower case. Null: all that are crawled without being named. */
  readonly formatFilter: readonly string[] | null
  readonly tableNaming: TableNaming
  /** Whether folders `key=value` become columns. */
  readonly detectsPartitions: boolean
  /** Seconds between two runs. Null: it runs when it is asked to. */
  readonly scheduleSecs: number | null
  /** It is told of no events: it runs by its schedule, which it has in any case then. */
  readonly isEventDriven: boolean
  /** OPTIONS of each of its tables. */
  readonly options: readonly StatementOption[]
}

/** Whether a table is called as its folder, or has the name of the crawler in front. */
export type TableNaming = (typeof TABLE_NAMINGS)[number]

export const TABLE_NAMINGS = Object.freeze(['leaf_prefix', 'crawler_prefixed'] as const)

/** A crawler as routes and SHOW CRAWLERS give it. */
export interface CrawlerRecord {
  readonly name: string
  readonly target_prefix: string
  readonly format_filter: readonly string[] | null
  readonly table_naming: TableNaming
  readonly detect_partitions: boolean
  readonly schedule_secs: number | null
  readonly event_driven: boolean
  readonly options: Readonly<Record<string, string>>
}

export function crawlerRecord(crawler: Crawler): CrawlerRecord {
  return {
    name: crawler.name,
    target_prefix: crawler.targetPrefix,
    format_filter: crawler.formatFilter,
    table_naming: crawler.tableNaming,
    detect_partitions: crawler.detectsPartitions,
    schedule_secs: crawler.scheduleSecs,
    event_driven: crawler.isEventDriven,
    options: Object.fromEntries(crawler.options.map(({ key, value }) => [key, value])),
  }
}
