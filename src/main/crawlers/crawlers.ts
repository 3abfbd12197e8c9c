import type { CrawlerRun } from '../history/crawler-runs.ts'
import type { CreateCrawler } from '../sql/grammar/node.ts'
import { type CrawlerDefinitions, createCrawlerDefinitions, type DefinitionsOptions } from './definitions.ts'
import type { RunReport } from './run/report.ts'
import { createRuns, type RunsOptions } from './run/runs.ts'
import type { SetTimer } from './schedule/long-timer.ts'
import { createSchedule } from './schedule/schedule.ts'
import type { Sequence } from './schedule/sequence.ts'

/** The crawlers of the service. Each keeps tables over the files of a folder. */
export interface Crawlers extends Pick<CrawlerDefinitions, 'list' | 'find'> {
  /** Stores a crawler in place of that of its name, whose run ends, and starts its timer. Rejects as a change of the catalog does. */
  define(node: CreateCrawler, signal: AbortSignal): Promise<void>
  /** Deletes a crawler, and ends its run. Its tables stay. Rejects with `unknown_crawler` if there is none. */
  drop(name: string, signal: AbortSignal): Promise<void>
  /** Runs a crawler, or waits for the run that is under way. Rejects with `unknown_crawler` if there is none. */
  run(name: string, isDry: boolean): Promise<RunReport>
  /** Runs of crawlers, also of those that are dropped, those that began last first. Null: of all. */
  runs(crawler: string | null): readonly CrawlerRun[]
  /** Starts the timers. */
  start(): void
  /** Stops timers and runs. */
  close(): Promise<void>
}

export interface CrawlersOptions extends DefinitionsOptions, Omit<RunsOptions, 'record'> {
  /** Whether crawlers run by their schedules. */
  readonly isScheduled: boolean
  readonly history: RunHistory
  /** As in `ScheduleOptions`. */
  readonly sequence?: Sequence
  /** Replaced by tests. */
  readonly setTimer?: SetTimer
}

/** The runs that are stored. */
interface RunHistory {
  recordRun(run: CrawlerRun): Promise<void>
  listRuns(crawler: string | null): readonly CrawlerRun[]
}

export function createCrawlers(options: CrawlersOptions): Crawlers {
  const { history, isScheduled } = options
  const definitions = createCrawlerDefinitions(options)
  const runs = createRuns({ ...options, record: history.recordRun })
  const schedule = createSchedule(runs, options)
  return {
    list: definitions.list,
    find: definitions.find,
    async define(node, signal) {
      const crawler = await definitions.put(node, signal)
      runs.end(crawler.name, 'was replaced')
      if (isScheduled) schedule.put(crawler)
    },
    async drop(name, signal) {
      await definitions.drop(name, signal)
      schedule.drop(name)
      runs.end(name, 'was dropped')
    },
    run: async (name, isDry) => runs.start(definitions.named(name), isDry, 'request'),
    runs(crawler) {
      const underWay = new Map(runs.underWay().map((run) => [run.id, run]))
      const stored = history.listRuns(crawler)
      return stored.map((run) => underWay.get(run.id) ?? run)
    },
    start() {
      if (isScheduled) definitions.list().forEach(schedule.put)
    },
    async close() {
      schedule.close()
      await runs.close()
    },
  }
}
