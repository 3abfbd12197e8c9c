import { isServiceError, ServiceError } from '../../plan/errors.ts'
import { type SetTimer, setLongTimer } from '../crawlers/schedule/long-timer.ts'
import type { Sequence } from '../crawlers/schedule/sequence.ts'
import type { Scheduler } from '../dispatch/scheduler.ts'
import {
  type RunRequest,
  runStatistics,
  type StatisticsReport,
  type StatisticsRunOptions,
} from './statistics-run.ts'

/** The statistics of the files of the dataset root, which runs bring up to date. */
export interface FileStatistics {
  /**
   * Runs, or waits for the equal run that is under way, which goes on whether or not anybody waits for it. Rejects with `not_supported` if
   * statistics are switched off, with `invalid_path` for a folder that is none, and with `cancelled` if the service stops.
   */
  run(request: RunRequest): Promise<StatisticsReport>
  /** Starts the timer. */
  start(): void
  /** Stops the timer and the run. */
  close(): Promise<void>
}

export interface FileStatisticsOptions extends StatisticsRunOptions {
  readonly isEnabled: boolean
  readonly intervalSecs: number
  readonly runsOnStartup: boolean
  /** What admits runs, in the background of queries. */
  readonly scheduler: Pick<Scheduler, 'admit'>
  /** The scheduled runs, of crawlers too. */
  readonly sequence: Sequence
  readonly log: StatisticsRunOptions['log'] & { error(details: object, message: string): void }
  /** Replaced by tests. */
  readonly setTimer?: SetTimer
}

interface Run {
  readonly key: string
  readonly report: Promise<StatisticsReport>
}

const EVERYTHING: RunRequest = Object.freeze({ prefix: '', isForced: false })

export function createFileStatistics(options: FileStatisticsOptions): FileStatistics {
  const {
    isEnabled,
    intervalSecs,
    runsOnStartup,
    scheduler,
    sequence,
    log,
    setTimer = setLongTimer,
  } = options
  const stopping = new AbortController()
  /** Those that are under way or wait, in their order. */
  const runs: Run[] = []
  let cancelTimer = (): void => undefined
  let isWaiting = false

  async function perform(request: RunRequest): Promise<StatisticsReport> {
    const { signal } = stopping
    signal.throwIfAborted()
    const ticket = scheduler.admit()
    const stop = (): void => ticket.stop()
    signal.addEventListener('abort', stop, { once: true })
    try {
      const report = await runStatistics(request, options, ticket, signal)
      log.info({ ...request, ...report }, 'analyzed files')
      return report
    } catch (error) {
      throw signal.aborted ? signal.reason : error
    } finally {
      signal.removeEventListener('abort', stop)
      ticket.release()
    }
  }

  function run(request: RunRequest): Promise<StatisticsReport> {
    const key = JSON.stringify([request.prefix, request.isForced])
    const equal = runs.find((each) => each.key === key)
    if (equal !== undefined) return equal.report
    const before = runs.at(-1)?.report
    const report = Promise.allSettled([before]).then(() => perform(request))
    const started = { key, report }
    runs.push(started)
    const leave = (): void => void runs.splice(runs.indexOf(started), 1)
    report.then(leave, leave)
    return report
  }

  async function runScheduled(): Promise<void> {
    isWaiting = false
    if (stopping.signal.aborted) return
    try {
      await run(EVERYTHING)
    } catch (error) {
      if (isServiceError(error) && error.code === 'cancelled') return
      log.error({ err: error }, 'a scheduled run of file statistics failed')
    }
  }

  /** A tick at which a run goes on or waits is missed, and not made up. */
  function tick(): void {
    if (isWaiting || runs.length > 0) return
    isWaiting = true
    sequence(runScheduled)
  }

  function arm(): void {
    cancelTimer = setTimer(intervalSecs * 1000, () => {
      arm()
      tick()
    })
  }

  return {
    async run(request) {
      if (!isEnabled)
        throw new ServiceError(
          'not_supported',
          'File statistics are not enabled here; SERVICE_FILE_STATS_ENABLE=true enables them.',
        )
      return run(request)
    },
    start() {
      if (!isEnabled) return
      arm()
      if (runsOnStartup) tick()
    },
    async close() {
      cancelTimer()
      stopping.abort(new ServiceError('cancelled', 'The service was stopped while files were analyzed.'))
      await Promise.allSettled(runs.map(({ report }) => report))
    },
  }
}
