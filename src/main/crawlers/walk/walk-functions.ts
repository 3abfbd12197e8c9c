import type { CrawlReport, CrawlRequest } from './crawl-request.ts'

/** What the thread of a walk does. */
export interface WalkFunctions {
  walk(request: CrawlRequest): Promise<CrawlReport>
  /** Ends the walk, which rejects. */
  end(argument: null): void
}
