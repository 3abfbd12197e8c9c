import { availableParallelism } from 'node:os'
import { ServiceError } from '../../../plan/errors.ts'

/**
 * Hashes of passwords, few at a time: each keeps a core busy for some 20 ms, in a thread of the pool that file access needs too.
 */
export interface HashQueue {
  /**
   * Runs work when its turn comes. Rejects with `overloaded` if as many wait as may, and with the signal's reason if that is aborted
   * before the turn, which goes to the next one.
   */
  run<T>(work: () => Promise<T>, signal: AbortSignal, lane?: HashLane): Promise<T>
  /** Whether `run` would not be refused now. Asking costs less than being refused. */
  hasRoom(lane: HashLane): boolean
}

/** Those in the lane `trusted` have shown before who they are. They go before all others, whose number cannot keep them out. */
export type HashLane = 'trusted' | 'untrusted'

export interface HashQueueOptions {
  /** Hashes at the same time. */
  readonly running?: number
  /** The most that wait in each lane. */
  readonly waiting?: number
  /** Calls a function after so many milliseconds. Gives what takes the call back. */
  readonly later?: (call: () => void, ms: number) => () => void
}

const WAITING = 64

/** Of libuv's four threads, two are for calls on network file systems. */
const MAX_RUNNING = 2

/** A hash takes longer than that only where it had to wait for a thread or a CPU. */
const MAX_REST_MS = 100

/**
 * A place rests for as long as its hash took before it takes the next one that waits, unless somebody who is known comes: those who
 * guess get half of its time, and queries the other half.
 */
export function createHashQueue({
  running: most = runningOf(availableParallelism()),
  waiting: mostWaiting = WAITING,
  later = afterMs,
}: HashQueueOptions = {}): HashQueue {
  const lanes = { trusted: new Set<() => void>(), untrusted: new Set<() => void>() }
  /** Places that are taken, the resting ones included. */
  let running = 0
  /** For each place that rests, what ends that for the next one who is known, who takes it. */
  const resting = new Set<() => void>()

  function next(): void {
    const lane = lanes.trusted.size > 0 ? lanes.trusted : lanes.untrusted
    const [begin] = lane
    if (begin === undefined) {
      running--
      return
    }
    lane.delete(begin)
    begin()
  }

  function end(tookMs: number): void {
    if (lanes.trusted.size > 0 || lanes.untrusted.size === 0) {
      next()
      return
    }
    const wake = (): void => {
      resting.delete(wake)
      takeBack()
    }
    resting.add(wake)
    const rested = (): void => {
      resting.delete(wake)
      next()
    }
    const takeBack = later(rested, Math.min(tookMs, MAX_REST_MS))
  }

  /** Resolves when it is the caller's turn, who calls `end` at its end. */
  async function turn(name: HashLane, signal: AbortSignal): Promise<void> {
    if (running < most) {
      running++
      return
    }
    const [wake] = resting
    if (name === 'trusted' && wake !== undefined) {
      wake()
      return
    }
    const lane = lanes[name]
    if (lane.size >= mostWaiting)
      throw new ServiceError(
        'overloaded',
        `${mostWaiting} passwords are waiting to be hashed, which are as many as may wait. Try again in a moment.`,
      )
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = (): void => {
      if (lane.delete(resolve)) reject(signal.reason)
    }
    lane.add(resolve)
    signal.addEventListener('abort', leave, { once: true })
    await promise.finally(() => signal.removeEventListener('abort', leave))
  }

  const hasRoom = (lane: HashLane): boolean =>
    running < most || lanes[lane].size < mostWaiting || (lane === 'trusted' && resting.size > 0)

  return {
    hasRoom,
    async run(work, signal, lane = 'untrusted') {
      signal.throwIfAborted()
      await turn(lane, signal)
      const began = performance.now()
      try {
        return await work()
      } finally {
        end(performance.now() - began)
      }
    },
  }
}

function afterMs(call: () => void, ms: number): () => void {
  const timer = setTimeout(call, ms)
  return () => clearTimeout(timer)
}

/** How many hashes run at the same time on so many CPUs. */
function runningOf(cpus: number): number {
  return Math.max(1, Math.min(MAX_RUNNING, Math.floor(cpus / 2)))
}
