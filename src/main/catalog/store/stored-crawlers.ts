import type { SqliteDatabase } from '../../sqlite/open-database.ts'

/** A crawler as it is stored. */
export interface StoredCrawler {
  readonly name: string
  /** Its CREATE CRAWLER as it is printed. */
  readonly statement: string
}

/** A change of the crawlers. */
export type CrawlerChange =
  | { readonly kind: 'put_crawler'; readonly crawler: StoredCrawler }
  | { readonly kind: 'drop_crawler'; readonly name: string }

/** The crawlers on the disk. */
export interface CrawlerStore {
  /** Those that were stored when the catalog was opened, also those that cannot be read. */
  readonly stored: readonly StoredCrawler[]
  /** Makes changes durable, all of them or none. Rejects as a statement that changes the catalog does. */
  commit(changes: readonly CrawlerChange[], signal: AbortSignal): Promise<void>
}

export function readCrawlers(database: SqliteDatabase): readonly StoredCrawler[] {
  return database.prepare<[], StoredCrawler>('SELECT name, statement FROM crawlers').all()
}

/** Prepares a function that makes one change in the present transaction. */
export function prepareCrawlerChanges(database: SqliteDatabase): (change: CrawlerChange) => void {
  const put = database.prepare<[StoredCrawler]>(
    'INSERT OR REPLACE INTO crawlers (name, statement) VALUES (@name, @statement)',
  )
  const drop = database.prepare<[string]>('DELETE FROM crawlers WHERE name = ?')
  return (change) => {
    if (change.kind === 'drop_crawler') drop.run(change.name)
    else put.run(change.crawler)
  }
}
