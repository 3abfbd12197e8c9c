/** A job that runs in steps: at the start, at intervals, and when it is asked for. */
export interface RepeatedJob {
  /** Runs the next step soon, in place of the one that is due. */
  runSoon(): void
  stop(): void
}

export interface RepeatedJobOptions {
  /** Does some of the work. Returns whether there is more of it. Must not throw. */
  step(): boolean
  /** Milliseconds between two steps of the same work, in which the thread does something else. */
  readonly pauseMs: number
  /** Milliseconds until the next step when all work is done. */
  readonly intervalMs: number
}

/** Starts a job in this thread. Steps never overlap. It does not keep the process running. */
export function startRepeatedJob({ step, pauseMs, intervalMs }: RepeatedJobOptions): RepeatedJob {
  let timer: NodeJS.Timeout | undefined
  const schedule = (ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => schedule(step() ? pauseMs : intervalMs), ms).unref()
  }
  schedule(pauseMs)
  return { runSoon: () => schedule(pauseMs), stop: () => clearTimeout(timer) }
}
