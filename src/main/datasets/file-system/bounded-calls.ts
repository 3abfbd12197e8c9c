import { ServiceError } from '../../../plan/errors.ts'

/**
 * Makes file system calls that may never return. Each occupies a thread of the pool that the whole process shares, so only a
 * few are made at a time. After a time limit the caller gets an error, and the path is refused until the call returns.
 */
export interface BoundedCalls {
  /**
   * Queues a call and makes it in its turn, one at a time for each path. Of calls that wait with the same `question` about the
   * same path only the first is made, and all get its result. Rejects with `path_unavailable` when the call takes too long, or
   * when so many other calls are late that no more may be made.
   */
  run<T>(question: string, path: string, call: () => Promise<T>): Promise<T>
  /** The error for a path whose call is late. Null: none is. */
  lateness(path: string): ServiceError | null
}

export interface BoundedCallsOptions {
  /** The most calls made at the same time. */
  readonly concurrency: number
  readonly limitMs: number
  /** The name of a path in messages. */
  nameOf(path: string): string
}

interface Waiting {
  readonly path: string
  readonly answer: Promise<unknown>
  begin(): Promise<void>
  reject(error: ServiceError): void
}

export function createBoundedCalls({ concurrency, limitMs, nameOf }: BoundedCallsOptions): BoundedCalls {
  /** Paths of calls that have not returned. */
  const running = new Set<string>()
  /** Those of them whose time limit is over. */
  const late = new Set<string>()
  /** Calls in their order, by question and path. */
  const waiting = new Map<string, Waiting>()

  function lateness(path: string): ServiceError | null {
    // Asked for each file of a query, and nearly always nothing is late: an empty set need not hash the path.
    return late.size > 0 && late.has(path) ? unanswered(nameOf(path), limitMs) : null
  }

  function refusal(path: string): ServiceError | null {
    const isFull = late.size >= concurrency
    return lateness(path) ?? (isFull ? allLate(nameOf(path), [...late].map(nameOf)) : null)
  }

  /** Begins the waiting calls that may begin, and rejects those that are refused by now. */
  function proceed(): void {
    for (const [key, call] of waiting) {
      const refused = refusal(call.path)
      if (refused === null && (running.size >= concurrency || running.has(call.path))) continue
      waiting.delete(key)
      if (refused === null) void call.begin()
      else call.reject(refused)
    }
  }

  async function make<T>(
    path: string,
    call: () => Promise<T>,
    refuse: (error: ServiceError) => void,
  ): Promise<T> {
    let isBack = false
    const giveUp = (): void => {
      if (isBack) return
      late.add(path)
      refuse(unanswered(nameOf(path), limitMs))
      proceed()
    }
    running.add(path)
    // If the main thread is late itself, the call may have returned: `setImmediate` has its result handled first.
    const timer = setTimeout(() => setImmediate(giveUp), limitMs)
    try {
      return await call()
    } finally {
      isBack = true
      clearTimeout(timer)
      running.delete(path)
      late.delete(path)
      proceed()
    }
  }

  return {
    lateness,
    run<T>(question: string, path: string, call: () => Promise<T>): Promise<T> {
      const refused = refusal(path)
      if (refused !== null) return Promise.reject(refused)
      const key = `${question} ${path}`
      const same = waiting.get(key)
      if (same !== undefined) return same.answer as Promise<T>
      const { promise: answer, resolve, reject } = Promise.withResolvers<T>()
      const begin = (): Promise<void> => make(path, call, reject).then(resolve, reject)
      waiting.set(key, { path, answer, begin, reject })
      proceed()
      return answer
    },
  }
}

function unanswered(name: string, limitMs: number): ServiceError {
  return new ServiceError(
    'path_unavailable',
    `${name} is on a file system that has not answered for ${limitMs / 1000} s; queries that need it are refused until it does.`,
  )
}

function allLate(name: string, others: readonly string[]): ServiceError {
  return new ServiceError(
    'path_unavailable',
    `${name} cannot be looked at: the file system does not answer for ${others.join(' and ')}, and no more is asked of network file systems until it does.`,
  )
}
