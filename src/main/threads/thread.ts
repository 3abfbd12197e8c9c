import { type ResourceLimits, Worker } from 'node:worker_threads'
import { fromErrorData, ServiceError } from '../../plan/errors.ts'
import { fileOf } from './built-files.ts'
import { type FromThread, type Functions, OPENING, type ToThread } from './serve.ts'

/** A thread beside main (serve.ts). It keeps the process running only while it opens, has calls to answer, or stops. */
export interface Thread<F> {
  /** Whether it runs and has opened what it serves. */
  readonly isOpen: boolean
  /** Starts it if it does not run. Resolves when it is open. Rejects with the error for which it cannot be opened. */
  open(): Promise<void>
  /**
   * Calls a function of the thread, which is started if it does not run. Calls begin in their order. Rejects with the function's error, as
   * a `ServiceError`, or with `ThreadEnded`. If the signal is aborted, rejects with its reason, and the result is dropped.
   */
  call<N extends keyof F & string>(
    name: N,
    argument: Argument<F[N]>,
    signal?: AbortSignal,
  ): Promise<Result<F[N]>>
  /** Ends it for good, once it has answered all calls. Later ones are refused. */
  stop(): Promise<void>
}

type Argument<C> = C extends (argument: infer A) => unknown ? A : never
type Result<C> = C extends (argument: never) => infer R ? Awaited<R> : never

export interface ThreadOptions<E> {
  /** What it does, for messages: "The thread that … died." */
  readonly task: string
  /** Its module, which calls `serve`. */
  readonly entry: URL
  /** Its `workerData`. */
  data(isFirstStart: boolean): unknown
  readonly resourceLimits?: ResourceLimits
  /** How often it is started. Absent: whenever it is called and does not run. */
  readonly mostStarts?: number
  onEvent?(event: E): void
  /** Is called when it has ended without being stopped, before its calls reject. May open it again. */
  onDeath(error: Error, wasOpen: boolean): void
}

/** The thread has ended before it has answered: whether it has done what it was called for is not known. Or it may not start any more. */
export class ThreadEnded extends ServiceError {}

export function createThread<F extends Functions<F>, E = never>(options: ThreadOptions<E>): Thread<F> {
  const { task, entry, data, resourceLimits = {}, mostStarts = Number.POSITIVE_INFINITY } = options
  /** Those that have no answer yet, by their ids. */
  const calls = new Map<number, PromiseWithResolvers<unknown>>()
  let worker: Worker | null = null
  let opening = Promise.withResolvers<unknown>()
  let isOpen = false
  let isStopped = false
  let starts = 0
  let lastId = OPENING

  function start(): Worker {
    if (worker !== null && !isStopped) return worker
    if (isStopped || starts === mostStarts)
      throw new ThreadEnded('internal', `The thread that ${task} is not started any more.`)
    const started = new Worker(fileOf(entry), { workerData: data(++starts === 1), resourceLimits })
    let failure: Error | null = null
    opening = Promise.withResolvers()
    calls.set(OPENING, opening)
    // Nobody may wait for it: calls that fail with it reject by themselves.
    opening.promise.catch(() => undefined)
    started.on('message', (message: FromThread<E>) => {
      if ('event' in message) {
        options.onEvent?.(message.event)
        return
      }
      const call = calls.get(message.id)
      calls.delete(message.id)
      if (calls.size === 0) started.unref()
      if ('error' in message) {
        const error = fromErrorData(message.error)
        if (call === opening) failure = error
        call?.reject(error)
      } else {
        isOpen = true
        call?.resolve(message.result)
      }
    })
    started.on('error', (error: Error) => {
      failure = error
    })
    started.once('exit', () => {
      const [cause, wasOpen] = [failure ?? new Error('The thread has ended.'), isOpen]
      const unanswered = [...calls.values()]
      calls.clear()
      worker = null
      isOpen = false
      if (failure !== null || !isStopped) options.onDeath(cause, wasOpen)
      for (const { reject } of unanswered)
        reject(new ThreadEnded('internal', `The thread that ${task} died.`, { cause }))
    })
    worker = started
    return started
  }

  return {
    get isOpen() {
      return isOpen
    },
    async open() {
      start()
      await opening.promise
    },
    async call(name, argument, signal) {
      signal?.throwIfAborted()
      const id = ++lastId
      const started = start()
      started.postMessage({ id, name, argument } satisfies ToThread)
      started.ref()
      const call = Promise.withResolvers<unknown>()
      calls.set(id, call)
      const aborted = Promise.withResolvers<never>()
      const abort = (): void => aborted.reject(signal?.reason)
      signal?.addEventListener('abort', abort, { once: true })
      try {
        return (await Promise.race([call.promise, aborted.promise])) as Result<F[typeof name]>
      } finally {
        signal?.removeEventListener('abort', abort)
      }
    },
    async stop() {
      isStopped = true
      await Promise.allSettled(Array.from(calls.values(), ({ promise }) => promise))
      const last = worker
      if (last === null) return
      const exited = new Promise((resolve) => last.once('exit', resolve))
      last.ref()
      last.postMessage(null satisfies ToThread)
      await exited
    },
  }
}
