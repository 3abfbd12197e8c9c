import { isServiceError } from '../../../plan/errors.ts'
import type { Crawler } from '../crawler.ts'
import type { Runs } from '../run/runs.ts'
import { type SetTimer, setLongTimer } from './long-timer.ts'
import { createSequence, type Sequence } from './sequence.ts'

/** Runs crawlers by their schedules. */
export interface Schedule {
  /** Starts the timer of a crawler, in place of that of its name. The first run is one interval from now. */
  put(crawler: Crawler): void
  drop(name: string): void
  close(): void
}

export interface ScheduleOptions {
  readonly log: { error(details: object, message: string): void }
  /** The scheduled runs, of other work of the service too. Absent: of crawlers alone. */
  readonly sequence?: Sequence
  /** Replaced by tests. */
  readonly setTimer?: SetTimer
}

/** The shortest time between two ticks, in milliseconds. */
const LEAST_MS = 1000

/** A crawler with a timer. */
interface Timed {
  readonly crawler: Crawler
  /** Whether a run of it waits for the scheduled run of another crawler. */
  isWaiting: boolean
  cancel(): void
}

/**
 * One scheduled run at a time goes on, over all crawlers, in the order of their ticks. A tick is missed while the crawler runs or its run
 * waits, and is not made up.
 */
export function createSchedule(
  runs: Pick<Runs, 'start' | 'isRunning'>,
  { log, sequence = createSequence(), setTimer = setLongTimer }: ScheduleOptions,
): Schedule {
  const byName = new Map<string, Timed>()

  function drop(name: string): void {
    byName.get(name)?.cancel()
    byName.delete(name)
  }

  function arm(timed: Timed, ms: number): void {
    timed.cancel = setTimer(ms, () => {
      arm(timed, ms)
      tick(timed)
    })
  }

  function tick(timed: Timed): void {
    if (timed.isWaiting || runs.isRunning(timed.crawler.name)) return
    timed.isWaiting = true
    sequence(() => run(timed))
  }

  async function run(timed: Timed): Promise<void> {
    timed.isWaiting = false
    const { crawler } = timed
    // It may have been dropped, replaced or run while it waited.
    if (byName.get(crawler.name) !== timed || runs.isRunning(crawler.name)) return
    try {
      await runs.start(crawler, false, 'schedule')
    } catch (error) {
      // That it was dropped, or that the service stops, is no failure.
      if (isServiceError(error) && (error.code === 'unknown_crawler' || error.code === 'cancelled')) return
      log.error({ err: error, crawler: crawler.name }, 'a scheduled run of a crawler failed')
    }
  }

  return {
    put(crawler) {
      drop(crawler.name)
      if (crawler.scheduleSecs === null) return
      const timed: Timed = { crawler, isWaiting: false, cancel: () => undefined }
      byName.set(crawler.name, timed)
      arm(timed, Math.max(LEAST_MS, crawler.scheduleSecs * 1000))
    },
    drop,
    close() {
      for (const name of [...byName.keys()]) drop(name)
    },
  }
}
