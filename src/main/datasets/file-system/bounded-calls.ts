import { ServiceError } from '../../../plan/errors.ts'

/**
 * Calls that may never return, a few at a time: each holds one of the threads that all asynchronous calls of the process
 * share. One that takes too long is no longer waited for, and until it returns its path is refused.
 */
export interface BoundedCalls {
  /**
   * Makes a call when it is its turn; one at a time for each path. Those of the same `question` about the same path that wait
   * together are made once. Rejects with `path_unavailable` when the call takes too long, or others do that leave no room.
   */
  run<T>(question: string, path: string, call: () => Promise<T>): Promise<T>
  /** The error of a path whose call is late; null: none is. */
  lateness(path: string): ServiceError | null
}

export interface BoundedCallsOptions {
  /** Calls made at a time. */
  readonly atOnce: number
  readonly limitMs: number
  /** What a path is called in messages. */
  nameOf(path: string): string
}

interface Waiting {
  readonly path: string
  readonly answer: Promise<unknown>
  begin(): Promise<void>
  reject(error: ServiceError): void
}

export function createBoundedCalls({ atOnce, limitMs, nameOf }: BoundedCallsOptions): BoundedCalls {
  /** Paths of calls that have not returned, and those of them that are late. */
  const running = new Set<string>()
  const late = new Set<string>()
  /** In their order, by what they ask. */
  const waiting = new Map<string, Waiting>()

  function lateness(path: string): ServiceError | null {
    return late.has(path) ? unanswered(nameOf(path), limitMs) : null
  }

  function refusal(path: string): ServiceError | null {
    const isFull = late.size >= atOnce
    return lateness(path) ?? (isFull ? noRoom(nameOf(path), [...late].map(nameOf)) : null)
  }

  function pump(): void {
    for (const [key, call] of waiting) {
      const refused = refusal(call.path)
      if (refused === null && (running.size >= atOnce || running.has(call.path))) continue
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
      pump()
    }
    running.add(path)
    // What has come back meanwhile is heard first: it may be the main thread that is late.
    const timer = setTimeout(() => setImmediate(giveUp), limitMs)
    try {
      return await call()
    } finally {
      isBack = true
      clearTimeout(timer)
      running.delete(path)
      late.delete(path)
      pump()
    }
  }

  return {
    lateness,
    run<T>(question: string, path: string, call: () => Promise<T>): Promise<T> {
      const refused = refusal(path)
      if (refused !== null) return Promise.reject(refused)
      const key = `${question} ${path}`
      const asked = waiting.get(key)
      if (asked !== undefined) return asked.answer as Promise<T>
      const { promise: answer, resolve, reject } = Promise.withResolvers<T>()
      const begin = (): Promise<void> => make(path, call, reject).then(resolve, reject)
      waiting.set(key, { path, answer, begin, reject })
      pump()
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

function noRoom(name: string, others: readonly string[]): ServiceError {
  return new ServiceError(
    'path_unavailable',
    `${name} cannot be looked at: the file system does not answer for ${others.join(' and ')}, and no more is asked of network file systems until it does.`,
  )
}
