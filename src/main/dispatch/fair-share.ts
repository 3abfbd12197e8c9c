/**
 * One query's part in the workers' time. Queries that want it at once get equal parts, and one that comes anew is next:
 * it is as far as the others are, not where it would be if it had waited.
 */
export interface Share {
  /** Milliseconds of workers that its tasks have taken. */
  usedMs: number
  /** How far it is; the least is next. */
  virtualMs: number
  /** When each task began that runs now, by worker; milliseconds. */
  readonly running: Map<number, number>
}

/** Whose turn it is. Times are those of `performance.now()`. */
export interface FairShares {
  /** The query has something to run, after it had nothing. */
  join(share: Share): void
  began(share: Share, worker: number, now: number): void
  /** `isResting`: it has nothing else to run. `part`: of the time since it began, where other queries' tasks ran as well. */
  ended(share: Share, worker: number, now: number, isResting: boolean, part?: number): void
  /** The query is over. */
  left(share: Share, now: number): void
  /** The order in which they are next; sorts. */
  compare(a: Share, b: Share): number
  /** When the query may have one more worker: now, later, or at infinity: when another task has ended. */
  mayRunAt(share: Share, now: number): number
}

/** A query that has used more than this is long. */
const LONG_MS = 50

/** For so long after the last short query long ones leave a worker to the next. */
const SHORT_QUERIES_MS = 1000

export function createShare(): Share {
  return { usedMs: 0, virtualMs: 0, running: new Map() }
}

export function createFairShares(workers: number): FairShares {
  /** Those with tasks queued or running. */
  const present = new Set<Share>()
  /** How far a query is that has had its part of all time so far. */
  let virtualClock = 0
  let shortUntil = Number.NEGATIVE_INFINITY

  function isLong({ usedMs, running }: Share, now: number): boolean {
    let ms = usedMs
    for (const since of running.values()) ms += now - since
    return ms > LONG_MS
  }

  return {
    join(share) {
      if (present.has(share)) return
      present.add(share)
      share.virtualMs = Math.max(share.virtualMs, virtualClock)
    },
    began(share, worker, now) {
      share.running.set(worker, now)
    },
    ended(share, worker, now, isResting, part = 1) {
      const tookMs = part * (now - (share.running.get(worker) ?? now))
      share.running.delete(worker)
      share.usedMs += tookMs
      share.virtualMs += tookMs
      virtualClock += tookMs / Math.max(1, present.size)
      if (isResting) present.delete(share)
    },
    left(share, now) {
      present.delete(share)
      if (share.usedMs > 0 && !isLong(share, now)) shortUntil = now + SHORT_QUERIES_MS
    },
    compare: (a, b) => a.virtualMs - b.virtualMs || a.usedMs - b.usedMs,
    mayRunAt(share, now) {
      if (workers === 1 || now >= shortUntil || !isLong(share, now)) return now
      const taken = new Set<number>()
      for (const each of present) {
        if (isLong(each, now)) for (const worker of each.running.keys()) taken.add(worker)
      }
      return taken.size < workers - 1 ? now : shortUntil
    },
  }
}
