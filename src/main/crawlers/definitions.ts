import { sortedByBytes } from '../../plan/byte-order.ts'
import { ServiceError } from '../../plan/errors.ts'
import { didYouMean } from '../../plan/nearest-name.ts'
import type { CrawlerStore } from '../catalog/store/stored-crawlers.ts'
import type { CreateCrawler } from '../sql/grammar/node.ts'
import { parseStatement } from '../sql/grammar/parse-statement.ts'
import { printStatement } from '../sql/grammar/print-statement.ts'
import type { Crawler } from './crawler.ts'
import { crawlerStatement, readCrawler } from './read-crawler.ts'

/** The crawlers that are defined. Commands on one name must not run at the same time. */
export interface CrawlerDefinitions {
  /** By name, in UTF-8 byte order. */
  list(): readonly Crawler[]
  find(name: string): Crawler | null
  /** The crawler of this name. Throws `unknown_crawler` if there is none. */
  named(name: string): Crawler
  /** Stores a crawler in place of that of its name. Resolves when it is on the disk. */
  put(node: CreateCrawler, signal: AbortSignal): Promise<Crawler>
  /** Deletes a crawler. Rejects with `unknown_crawler` if there is none. */
  drop(name: string, signal: AbortSignal): Promise<void>
}

export interface DefinitionsOptions {
  readonly store: CrawlerStore
  /** The schedule of a crawler that waits for events and has none. */
  readonly defaultIntervalSecs: number
  readonly log: { error(details: object, message: string): void }
}

/** The crawlers of a store. One that cannot be read is logged and left out, and stays stored until it is dropped or replaced. */
export function createCrawlerDefinitions(options: DefinitionsOptions): CrawlerDefinitions {
  const { store, defaultIntervalSecs, log } = options
  const byName = new Map<string, Crawler>()
  const unreadable = new Set<string>()
  for (const { name, statement } of store.stored)
    try {
      byName.set(name, crawlerOf(statement, defaultIntervalSecs))
    } catch (error) {
      unreadable.add(name)
      log.error({ err: error, crawler: name }, 'a stored crawler cannot be read, and is left out')
    }

  const named = (name: string): Crawler => {
    const crawler = byName.get(name)
    if (crawler !== undefined) return crawler
    throw unknownCrawler(name, [...byName.keys()])
  }

  return {
    list: () => sortedByBytes([...byName.keys()]).flatMap((name) => byName.get(name) ?? []),
    find: (name) => byName.get(name) ?? null,
    named,
    async put(node, signal) {
      const crawler = readCrawler(node, defaultIntervalSecs)
      const statement = printStatement(crawlerStatement(crawler))
      await store.commit([{ kind: 'put_crawler', crawler: { name: crawler.name, statement } }], signal)
      unreadable.delete(crawler.name)
      byName.set(crawler.name, crawler)
      return crawler
    },
    async drop(name, signal) {
      if (!unreadable.has(name)) named(name)
      await store.commit([{ kind: 'drop_crawler', name }], signal)
      unreadable.delete(name)
      byName.delete(name)
    },
  }
}

function crawlerOf(statement: string, defaultIntervalSecs: number): Crawler {
  const node = parseStatement(statement, () => undefined)
  if (node.kind === 'create_crawler') return readCrawler(node, defaultIntervalSecs)
  throw new TypeError(`a statement is stored that makes no crawler: ${statement}`)
}

function unknownCrawler(name: string, names: readonly string[]): ServiceError {
  const hint = didYouMean(name, names) || '; SHOW CRAWLERS lists them.'
  return new ServiceError(
    'unknown_crawler',
    `There is no crawler ${JSON.stringify(name.slice(0, 255))}${hint}`,
    {
      about: name,
    },
  )
}
