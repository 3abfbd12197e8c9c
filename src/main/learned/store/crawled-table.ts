import type { SqliteDatabase } from '../../sqlite/open-database.ts'
import { type CrawledDigest, MOST_CRAWLED } from '../crawled-digests.ts'

/** The digests of tables of crawlers, as the thread has them. Functions throw SQLite's errors. */
export interface CrawledTable {
  /** All digests, those that were written last at the end. */
  readCrawled(argument: null): readonly CrawledDigest[]
  /** Writes digests in one transaction. Beyond the most tables those that were written first are dropped. */
  putCrawled(digests: readonly CrawledDigest[]): void
}

export function createCrawledTable(database: SqliteDatabase, most = MOST_CRAWLED): CrawledTable {
  const all = database.prepare<[], CrawledDigest>('SELECT name, digest FROM crawled ORDER BY id')
  // A row that takes the place of another one has a greater id.
  const put = database.prepare<[CrawledDigest]>(
    'INSERT OR REPLACE INTO crawled (name, digest) VALUES (@name, @digest)',
  )
  const dropFirst = database.prepare<[number]>(
    'DELETE FROM crawled WHERE id IN (SELECT id FROM crawled ORDER BY id DESC LIMIT -1 OFFSET ?)',
  )
  const putAll = database.transaction((digests: readonly CrawledDigest[]) => {
    for (const each of digests) put.run(each)
    dropFirst.run(most)
  })
  return {
    readCrawled: () => all.all(),
    putCrawled: (digests) => putAll.immediate(digests),
  }
}
