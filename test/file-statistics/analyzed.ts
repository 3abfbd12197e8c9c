import type { Test } from 'tap'
import { type CrawledService, startCrawledService } from '../crawlers/crawling.ts'
import type { TestServiceOptions } from '../e2e/service.ts'
import { SUPER_USER } from '../http/test-server.ts'

/** What a run of file statistics has answered. */
interface Counts {
  readonly discovered: number
  readonly requeued: number
  readonly analyzed: number
  readonly failed: number
  readonly segments: number
  readonly pending: number
}

export interface AnalyzedService extends CrawledService {
  /** Runs ANALYZE FILES, with what stands behind it. */
  analyze(rest?: string): Promise<Counts>
  /** The states of files by their paths. */
  states(): Promise<Readonly<Record<string, string>>>
  /** The bytes that EXPLAIN ANALYZE says were read of files to prepare a query and to run it, and its plan as text. */
  explained(sql: string): Promise<{ readonly bytes: number; readonly plan: string }>
}

export async function startAnalyzedService(
  t: Test,
  options: TestServiceOptions = {},
): Promise<AnalyzedService> {
  const service = await startCrawledService(t, options)
  return {
    ...service,
    async analyze(rest = '') {
      const rows = await service.state(`ANALYZE FILES ${rest}`)
      if (typeof rows === 'string') throw new Error(rows)
      const [row = {}] = rows
      return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)])) as never
    },
    async states() {
      const rows = await service.state('SELECT path, state FROM service.system.file_stats ORDER BY path')
      if (typeof rows === 'string') throw new Error(rows)
      return Object.fromEntries(rows.map(({ path, state }) => [String(path), String(state)]))
    },
    async explained(sql) {
      const response = await fetch(`${service.url}/api/explain-analyze-query`, {
        method: 'POST',
        headers: { ...SUPER_USER, 'content-type': 'application/json', 'cache-control': 'no-cache' },
        body: JSON.stringify({ sql }),
      })
      const plan = await response.text()
      if (response.status !== 200) throw new Error(plan)
      const bytes = [...plan.matchAll(/"bytes_read":(\d+)/g)].reduce((sum, [, each]) => sum + Number(each), 0)
      return { bytes, plan }
    },
  }
}
