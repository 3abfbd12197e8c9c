import { getCACertificates } from 'node:tls'
import { ServiceError } from '../../../plan/errors.ts'
import { createThread, type Thread, ThreadEnded } from '../../threads/thread.ts'
import type { DatabaseKindName } from '../databases/database-kinds.ts'
import type { DatabaseTarget } from '../databases/database-target.ts'
import type { RemoteCaller, RemoteClient } from '../remote-client.ts'
import { createReceivedRows, type ReceivedRows } from './received-rows.ts'
import type { SentRows, WireData, WireFunctions } from './wire-functions.ts'

/** Asks databases in a thread, which owns the connections and follows the protocols. */
export interface Wire {
  /** A client of a database for one caller. Nothing is sent yet. */
  open(kind: DatabaseKindName, target: DatabaseTarget, caller: RemoteCaller): RemoteClient
  /** Closes the connections that no statement uses, and the others after their statements. */
  closeUnused(): void
  /** Ends what runs, and the thread. */
  close(): Promise<void>
}

export interface WireOptions extends WireData {
  /** The thread ends when it has had no client for so many milliseconds. It is started again by the next one. */
  readonly idleMs: number
  readonly log: { warn(details: object, message: string): void }
}

const THREAD = new URL('./wire-thread.ts', import.meta.url)

/** The most bytes of values on the heap of the thread: rows are not there, and a list of tables has 64 MB at most. */
const HEAP_MB = 1024

/** Its young values: most are buffers, whose bytes are elsewhere. */
const YOUNG_MB = 4

export function createWire({ idleMs, log, ...data }: WireOptions): Wire {
  let thread: Thread<WireFunctions> | null = null
  let lastClient = 0
  let lastCall = 0
  /** Clients of the thread that are open. */
  let clients = 0
  /** The authorities that the thread was told to trust. Null: it has been told of none. */
  let trusted: readonly string[] | null = null
  let ending: NodeJS.Timeout | undefined
  /** Ends the calls that run. */
  const running = new Set<() => void>()
  const receiving = new Map<number, ReceivedRows>()

  function start(): Thread<WireFunctions> {
    trusted = null
    const started = createThread<WireFunctions, SentRows>({
      task: 'asks databases',
      entry: THREAD,
      data: (): WireData => data,
      mostStarts: 1,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
      onEvent: ({ call, bytes }) => receiving.get(call)?.push(bytes),
      onDeath(error) {
        log.warn({ err: error }, 'the thread that asks databases died')
        if (thread !== started) return
        thread = null
        clients = 0
      },
    })
    return started
  }

  function end(): Promise<void> {
    const last = thread
    thread = null
    clients = 0
    return last?.stop() ?? Promise.resolve()
  }

  /** The thread trusts whom main trusts. Node has authorities for each thread. */
  function trust(asked: Thread<WireFunctions>): void {
    const authorities = getCACertificates('default')
    if (authorities === trusted) return
    trusted = authorities
    send(asked, 'trust', { authorities })
  }

  /** Ends the thread after a while in which it has no client. */
  function endLater(): void {
    clearTimeout(ending)
    if (clients === 0 && running.size === 0) ending = setTimeout(() => void end(), idleMs).unref()
  }

  return {
    open(kind, target, caller) {
      const client = ++lastClient
      /** The thread that has the client. Null: it has not been used. */
      let owner: Thread<WireFunctions> | null = null
      let isClosed = false

      function ownerThread(): Thread<WireFunctions> {
        if (owner !== null) return owner
        clearTimeout(ending)
        thread ??= start()
        owner = thread
        if (!isClosed) clients++
        if (target.sslMode.startsWith('verify')) trust(owner)
        send(owner, 'open', { client, kind, target, caller })
        return owner
      }

      async function ask<N extends 'check' | 'listTables' | 'columnsOf' | 'rows', A extends object>(
        name: N,
        argument: A,
        signal: AbortSignal,
        call = ++lastCall,
      ): Promise<Awaited<ReturnType<WireFunctions[N]>>> {
        signal.throwIfAborted()
        const asked = ownerThread()
        if (asked !== thread) throw lost()
        const cancel = (): void => send(asked, 'cancel', { call })
        running.add(cancel)
        signal.addEventListener('abort', cancel, { once: true })
        try {
          const answer: unknown = await asked.call(name, { client, call, ...argument } as never, signal)
          return answer as Awaited<ReturnType<WireFunctions[N]>>
        } catch (error) {
          throw error instanceof ThreadEnded ? lost(error) : error
        } finally {
          running.delete(cancel)
          signal.removeEventListener('abort', cancel)
          endLater()
        }
      }

      return {
        check: (signal) => ask('check', {}, signal),
        listTables: (signal) => ask('listTables', {}, signal),
        columnsOf: (table, signal) => ask('columnsOf', { table }, signal),
        async *rowsOf(statement, signal, shape) {
          if (shape === undefined) throw new TypeError('rows of a database need a shape')
          const leaving = new AbortController()
          const call = ++lastCall
          const rows = createReceivedRows()
          receiving.set(call, rows)
          ask('rows', { statement, shape }, AbortSignal.any([signal, leaving.signal]), call).then(
            () => rows.end(null),
            rows.end,
          )
          try {
            for (let bytes = await rows.next(); bytes !== null; bytes = await rows.next()) {
              yield bytes
              if (owner !== null) send(owner, 'taken', { call })
            }
          } finally {
            receiving.delete(call)
            leaving.abort()
          }
        },
        close() {
          if (isClosed) return
          isClosed = true
          if (owner === null || owner !== thread) return
          clients--
          send(owner, 'release', { client })
          endLater()
        },
      }
    },
    closeUnused() {
      if (thread !== null) send(thread, 'closeUnused', {})
    },
    async close() {
      clearTimeout(ending)
      for (const cancel of running) cancel()
      await end()
      clearTimeout(ending)
    },
  }
}

/** Tells the thread something to which nobody waits for an answer. */
function send<N extends 'open' | 'trust' | 'taken' | 'cancel' | 'closeUnused' | 'release'>(
  thread: Thread<WireFunctions>,
  name: N,
  argument: Parameters<WireFunctions[N]>[0],
): void {
  thread.call(name, argument as never).catch(() => {})
}

function lost(cause?: unknown): ServiceError {
  return new ServiceError(
    'remote_unavailable',
    'The thread that asks databases has ended while it was asked; ask again.',
    { cause },
  )
}
