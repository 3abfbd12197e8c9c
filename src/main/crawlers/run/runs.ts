import { randomUUID } from 'node:crypto'
import { ServiceError, toErrorData } from '../../../plan/errors.ts'
import type { CrawlerRun } from '../../history/crawler-runs.ts'
import type { Crawler } from '../crawler.ts'
import { type CrawlOptions, crawl } from './crawl.ts'
import { type RunReport, reportRecord } from './report.ts'

/** The runs of all crawlers. Those of one crawler never overlap, except dry ones. */
export interface Runs {
  /**
   * Runs a crawler. While it runs already, this is that run, and its report. It goes on whether or not anybody waits for it. Rejects with
   * `unknown_crawler` if it is ended, and with the error of the walk.
   */
  start(crawler: Crawler, isDry: boolean, trigger: CrawlerRun['trigger']): Promise<RunReport>
  isRunning(name: string): boolean
  /** Ends the runs of a crawler after the tables at hand. `why` ends the sentence "The crawler … while it ran". */
  end(name: string, why: string): void
  /** What is under way, as it is now. */
  underWay(): readonly CrawlerRun[]
  /** Ends all runs, and resolves when they have ended. */
  close(): Promise<void>
}

export interface RunsOptions extends CrawlOptions {
  /** Stores a run: when it begins, and again when it has ended. Resolves when it is committed or lost. */
  readonly record: (run: CrawlerRun) => Promise<void>
  readonly now: () => number
}

interface Run {
  readonly crawler: Crawler
  readonly report: Promise<RunReport>
  readonly ending: AbortController
  state: CrawlerRun
}

export function createRuns(options: RunsOptions): Runs {
  const stopping = new AbortController()
  /** By name and kind. */
  const runs = new Map<string, Run>()
  const keyOf = (name: string, isDry: boolean): string => `${isDry ? 'dry' : 'run'} ${name}`

  /** Begins a run when the one before it has ended. */
  function begin(
    crawler: Crawler,
    isDry: boolean,
    trigger: CrawlerRun['trigger'],
    before: Promise<unknown>,
  ): Run {
    const ending = new AbortController()
    const run: Run = {
      crawler,
      ending,
      report: before.then(() => perform()),
      state: {
        id: randomUUID(),
        crawler: crawler.name,
        trigger,
        isDry,
        startedAt: options.now(),
        endedAt: null,
        state: 'running',
        folders: 0,
        files: 0,
        tables: 0,
        report: null,
        error: null,
      },
    }
    const end = (outcome: Pick<CrawlerRun, 'state' | 'report' | 'error'>): void => {
      run.state = { ...run.state, ...outcome, endedAt: options.now() }
      void options.record(run.state)
    }
    const perform = async (): Promise<RunReport> => {
      run.state = { ...run.state, startedAt: options.now() }
      // Before it changes anything: of a service that is killed the next start tells that this run was interrupted.
      await options.record(run.state)
      const signals = { ending: ending.signal, stopping: stopping.signal }
      try {
        const report = await crawl(crawler, isDry, options, signals, (progress) => {
          run.state = { ...run.state, ...progress }
        })
        end({ state: 'done', report: JSON.stringify(reportRecord(report)), error: null })
        return report
      } catch (error) {
        const { code, message } = toErrorData(error)
        const isInternal = code === 'internal' && !stopping.signal.aborted
        if (isInternal) options.log.error({ err: error, crawler: crawler.name }, 'a crawler failed')
        end({
          state: 'failed',
          report: null,
          error: isInternal ? 'Internal error; the log of the service has the details.' : message,
        })
        throw error
      }
    }
    return run
  }

  return {
    start(crawler, isDry, trigger) {
      const key = keyOf(crawler.name, isDry)
      const present = runs.get(key)
      if (present?.crawler === crawler && !present.ending.signal.aborted) return present.report
      const run = begin(crawler, isDry, trigger, Promise.allSettled([present?.report]))
      runs.set(key, run)
      const leave = (): void => {
        if (runs.get(key) === run) runs.delete(key)
      }
      run.report.then(leave, leave)
      return run.report
    },
    isRunning: (name) => runs.has(keyOf(name, false)),
    end(name, why) {
      for (const isDry of [false, true])
        runs.get(keyOf(name, isDry))?.ending.abort(
          new ServiceError('unknown_crawler', `The crawler ${JSON.stringify(name)} ${why} while it ran.`, {
            about: name,
          }),
        )
    },
    underWay: () => [...runs.values()].map(({ state }) => state),
    async close() {
      stopping.abort(new ServiceError('cancelled', 'The service was stopped while the crawler ran.'))
      await Promise.allSettled([...runs.values()].map(({ report }) => report))
    },
  }
}
