import { getCACertificates } from 'node:tls'
import { ServiceError } from '../../../plan/errors.ts'
import { createThread, type Thread, ThreadEnded } from '../../threads/thread.ts'
import { isLoopback } from '../allowed-hosts.ts'
import type { RelayedBatch, RelayedRows, RemoteCaller, RemoteClient } from '../remote-client.ts'
import { createRemoteVersions } from '../services/remote-versions.ts'
import { createReceived, type Received } from './received.ts'
import type { SentPart, WireData, WireEvent, WireFunctions, WireRemote } from './wire-functions.ts'

/** Asks remotes in a thread, which owns the connections and follows the protocols. */
export interface Wire {
  /** A client of a remote for one caller. Nothing is sent yet. */
  open(remote: WireRemote, caller: RemoteCaller): RemoteClient
  /** Closes the connections that no statement uses, and the others to databases after their statements. */
  closeUnused(): void
  /** Ends what runs, and the thread. */
  close(): Promise<void>
}

export interface WireOptions extends WireData {
  /** The thread ends when it has had no client for so many milliseconds. It is started again by the next one. */
  readonly idleMs: number
  readonly log: { warn(details: object, message: string): void }
}

/** What the thread does, for messages. */
const TASK = 'asks other services'

/** What is asked of a client. */
type Asked = 'check' | 'listTables' | 'columnsOf' | 'rows' | 'relay'

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
  /** Is given what comes of a call. */
  const receiving = new Map<number, (part: SentPart) => void>()
  /** What the thread has been told: it forgets that when it ends. */
  const versions = createRemoteVersions(data.version)

  function start(): Thread<WireFunctions> {
    trusted = null
    const started = createThread<WireFunctions, WireEvent>({
      task: TASK,
      entry: THREAD,
      data: (): WireData => data,
      mostStarts: 1,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
      onEvent(event) {
        if (event.kind === 'version') versions.put(event.address, event.isSame)
        else receiving.get(event.call)?.(event)
      },
      onDeath(error) {
        log.warn({ err: error }, `the thread that ${TASK} died`)
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
    open(remote, caller) {
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
        if (verifiesCertificate(remote)) trust(owner)
        send(owner, 'open', { client, remote, caller })
        return owner
      }

      async function ask<N extends Asked, A extends object>(
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

      /** Asks for what comes in parts, until it has come or `leave` is called. */
      function receive<N extends 'rows' | 'relay', A extends object>(
        name: N,
        argument: A,
        signal: AbortSignal,
        onPart: (part: SentPart) => void,
      ) {
        const leaving = new AbortController()
        const call = ++lastCall
        receiving.set(call, onPart)
        const answer = ask(name, argument, AbortSignal.any([signal, leaving.signal]), call).finally(() =>
          receiving.delete(call),
        )
        return {
          answer,
          taken() {
            if (owner !== null) send(owner, 'taken', { call })
          },
          leave: () => leaving.abort(new ServiceError('cancelled', 'Nobody waits for the rows any more.')),
        }
      }

      async function relay(
        statement: string,
        answer: Parameters<WireFunctions['relay']>[0]['answer'],
        signal: AbortSignal,
      ): Promise<RelayedRows | null> {
        const first = Promise.withResolvers<ArrayBuffer | null>()
        const received = createReceived<RelayedBatch>()
        const relayed = receive('relay', { statement, answer }, signal, (part) => {
          if (part.kind === 'schema') first.resolve(part.schema)
          else if (part.kind === 'batch') received.push(part.batch)
        })
        relayed.answer.then(
          () => {
            first.resolve(null)
            received.end(null)
          },
          (error: unknown) => {
            first.reject(error)
            received.end(error)
          },
        )
        const schema = await first.promise
        if (schema === null) return null
        return { schema, batches: partsOf(received, relayed), close: relayed.leave }
      }

      return {
        check: (signal) => ask('check', {}, signal),
        listTables: (signal) => ask('listTables', {}, signal),
        columnsOf: (table, signal) => ask('columnsOf', { table }, signal),
        async *rowsOf(statement, signal, shape) {
          const received = createReceived<Uint8Array>()
          const rows = receive('rows', { statement, shape }, signal, (part) => {
            if (part.kind === 'bytes') received.push(part.bytes)
          })
          rows.answer.then(() => received.end(null), received.end)
          yield* partsOf(received, rows)
        },
        ...(remote.kind === 'service' && {
          relay,
          mayRelay: () => versions.isSame(remote.address) !== false,
        }),
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

/** Parts in their order. Each is told as taken when the next one is asked for. */
async function* partsOf<T>(
  received: Received<T>,
  { taken, leave }: { taken(): void; leave(): void },
): AsyncGenerator<T, void> {
  try {
    for (let part = await received.next(); part !== null; part = await received.next()) {
      yield part
      taken()
    }
  } finally {
    leave()
  }
}

/** Whether the certificate of a remote is verified. */
function verifiesCertificate(remote: WireRemote): boolean {
  if (remote.kind !== 'service') return remote.target.sslMode.startsWith('verify')
  return remote.address.tls && !isLoopback(remote.address.host)
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
    `The thread that ${TASK} has ended while it was asked; ask again.`,
    { cause },
  )
}
