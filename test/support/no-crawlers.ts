import type { CrawlersOptions } from '../../src/main/crawlers/crawlers.ts'
import { type Crawlers, createCrawlers } from '../../src/main/crawlers/crawlers.ts'
import { createNameOrder } from '../../src/main/statements/name-order.ts'

const REPORT = { groups: [], scannedFiles: 0, folders: 0, skippedFiles: 0, unread: [] }

/** Crawlers of a service in which nobody has defined any, which find nothing and are gone with the process. */
export function inMemoryCrawlers(options: Partial<CrawlersOptions> = {}): Crawlers {
  return createCrawlers({
    store: { stored: [], commit: async () => undefined },
    defaultIntervalSecs: 900,
    isScheduled: false,
    history: { recordRun: async () => undefined, listRuns: () => [] },
    root: '/nowhere',
    hidden: [],
    walk: async () => REPORT,
    tables: {
      ownedBy: () => [],
      standingOf: () => 'free',
      put: async () => 'created',
      begin() {},
      readAhead() {},
      settle: async () => {},
    },
    now: Date.now,
    log: { error: () => undefined },
    ...options,
  })
}

/** Statistics of no files. */
export const NO_STATISTICS = Object.freeze({
  run: async () => ({ discovered: 0, requeued: 0, analyzed: 0, failed: 0, segments: 0, pending: 0 }),
})

/** What statements need of crawlers and of file statistics, where there are none. */
export const CRAWLING = Object.freeze({
  crawlers: inMemoryCrawlers(),
  fileStatistics: NO_STATISTICS,
  order: createNameOrder(),
})
