/**
 * One query's share of the workers' time. Queries with tasks at the same time get equal parts of it, by virtual time, as in
 * weighted fair queueing: the query with the least virtual time runs next.
 */
export interface Share {
  /** Milliseconds that workers have spent on its tasks. */
  usedMs: number
  /**
   * `usedMs`, and beyond that what it is advanced by when the query joins: to the virtual time of the others, so that it is
   * not given the time in which it had nothing to run.
   */
  virtualMs: number
  /** When the task that runs now began, by worker. Milliseconds. */
  readonly running: Map<number, number>
  /** Whether its tasks are work of the service that nobody should notice. Queries are measured without them. */
  readonly isBackground: boolean
}

/**
 * Decides which query runs next, and how many workers it may have. Those in the background have one worker together; the scheduler asks
 * for them only when no other task waits. Times are those of `performance.now()`.
 */
export interface FairShares {
  /** The query has tasks again after it had none. */
  join(share: Share): void
  began(share: Share, worker: number, now: number): void
  /**
   * A task of the query has ended. `isIdle`: the query has no other task. `fraction`: how much of the worker's time since
   * the beginning was the query's, where the worker ran tasks of other queries as well.
   */
  ended(share: Share, worker: number, now: number, isIdle: boolean, fraction?: number): void
  /** The query is over. */
  leave(share: Share, now: number): void
  /** Sorts shares, the one to run next first. */
  compare(a: Share, b: Share): number
  /** When the query may use one more worker: now or later. Infinity: not before another task has ended. */
  mayRunAt(share: Share, now: number): number
}

/** A query that has used more milliseconds than this is long. */
const LONG_MS = 50

/** For so many milliseconds after the last short query, long queries leave one worker free for the next short one. */
const SHORT_QUERIES_MS = 1000

export function createShare(isBackground = false): Share {
  return { usedMs: 0, virtualMs: 0, running: new Map(), isBackground }
}

export function createFairShares(workers: number): FairShares {
  /** Queries with tasks queued or running. */
  const present = new Set<Share>()
  /** The one in the background that has a task on a worker. */
  let runningBehind: Share | null = null
  /** The virtual time of a query that has had exactly its equal part so far. Milliseconds. */
  let virtualClock = 0
  let shortUntil = Number.NEGATIVE_INFINITY

  function isLong({ usedMs, running }: Share, now: number): boolean {
    let ms = usedMs
    for (const since of running.values()) ms += now - since
    return ms > LONG_MS
  }

  return {
    join(share) {
      if (share.isBackground || present.has(share)) return
      present.add(share)
      share.virtualMs = Math.max(share.virtualMs, virtualClock)
    },
    began(share, worker, now) {
      share.running.set(worker, now)
      if (share.isBackground) runningBehind = share
    },
    ended(share, worker, now, isIdle, fraction = 1) {
      const tookMs = fraction * (now - (share.running.get(worker) ?? now))
      share.running.delete(worker)
      share.usedMs += tookMs
      share.virtualMs += tookMs
      if (share === runningBehind && share.running.size === 0) runningBehind = null
      if (share.isBackground) return
      virtualClock += tookMs / Math.max(1, present.size)
      if (isIdle) present.delete(share)
    },
    leave(share, now) {
      if (share.isBackground) return
      present.delete(share)
      if (share.usedMs > 0 && !isLong(share, now)) shortUntil = now + SHORT_QUERIES_MS
    },
    compare: (a, b) => a.virtualMs - b.virtualMs || a.usedMs - b.usedMs,
    mayRunAt(share, now) {
      if (share.isBackground) return runningBehind === null ? now : Number.POSITIVE_INFINITY
      if (workers === 1 || now >= shortUntil || !isLong(share, now)) return now
      const usedByLong = new Set<number>()
      for (const each of present) {
        if (isLong(each, now)) for (const worker of each.running.keys()) usedByLong.add(worker)
      }
      return usedByLong.size < workers - 1 ? now : shortUntil
    },
  }
}
