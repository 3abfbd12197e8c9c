import type { CrawlReport, CrawlRequest } from './crawl-request.ts'

export async function walkFolder(
  _request: CrawlRequest,
  _progress: (at: Readonly<{ folders: number; files: number }>) => void,
  _signal: AbortSignal,
): Promise<CrawlReport> {
  throw new Error('not there yet')
}
