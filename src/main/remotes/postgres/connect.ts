import { Socket } from 'node:net'
import { isServiceError } from '../../../plan/errors.ts'
import type { AllowedHosts } from '../allowed-hosts.ts'
import { type Connecting, connectTwice } from '../databases/connecting.ts'
import type { ReusableConnection, Using } from '../databases/idle-connections.ts'
import { tlsOptions } from '../databases/tls-options.ts'
import { type CancelKey, sendCancel } from './cancel-request.ts'
import type { TextRow } from './catalog-queries.ts'
import { createCopyOut, type WireConnection } from './copy-out.ts'
import { faultOf, isConnectionFault } from './faults.ts'
import { createWholeMessages } from './whole-messages.ts'

/**
 * A connection to a database, on which one statement runs at a time. All of it rejects with `remote_unavailable`, `remote_refused`, and
 * the reason of the signal of the statement that uses it: at first the one that it was made for.
 */
export interface PostgresConnection extends ReusableConnection {
  /** The rows of the last statement of a text, each value as text. With values it is a single statement. */
  query(text: string, values?: readonly string[]): Promise<readonly TextRow[]>
  /** The bytes of `COPY … TO STDOUT`. Leaving it early closes the connection. */
  copy(text: string): AsyncGenerator<Uint8Array, void>
}

/** The most bytes that come from a server besides rows of COPY. */
const MOST_BYTES = 64 << 20

/** How often it is looked whether a server is silent. Milliseconds. */
const LOOK_MS = 1_000

/** Ends the transaction, and then whatever views there may have left in the session. The latter is refused within a transaction. */
const RESET = ['ROLLBACK', 'DISCARD ALL']

/** As `connectTwice`. */
export function connectPostgres(options: Connecting, signal: AbortSignal): Promise<PostgresConnection> {
  return connectTwice(options, connectOnce, { isConnectionFault, faultOf }, signal)
}

async function connectOnce(
  { target, hosts, times, errors: firstErrors }: Connecting,
  firstSignal: AbortSignal,
): Promise<PostgresConnection> {
  let { errors, signal }: Using = { errors: firstErrors, signal: firstSignal }
  // Loaded where it is needed: few services have such tables.
  const { default: pg } = await import('pg')
  signal.throwIfAborted()
  const { sslMode, password, ...place } = target
  let refusal: Error | null = null
  const client = new pg.Client({
    ...place,
    application_name: 'halocline',
    ssl: sslMode === 'disable' ? false : tlsOptions(sslMode),
    // A function: otherwise files in the home of the service's user would be asked for it.
    password() {
      if (refusal !== null) throw refusal
      return password
    },
    types: { getTypeParser: () => (value: unknown) => value },
    stream: () => openSocket(hosts),
  })
  const connection = client.connection as unknown as WireConnection
  let killed: unknown = null
  let isClosed = false
  let restartCount = (): void => {}
  let key: CancelKey | null = null
  /** Rejects when the connection is no more: `pg` never tells of it to what is asked after that. */
  const dead = Promise.withResolvers<never>()
  dead.promise.catch(() => {})
  connection.on('end', () => {
    isClosed = true
    dead.reject(new Error('Connection terminated'))
  })

  // An error of the connection is told to whoever waits for it.
  client.on('error', () => {})
  connection.on('backendKeyData', (message: CancelKey) => {
    key = message
  })
  if (sslMode === 'disable')
    for (const event of ['authenticationCleartextPassword', 'authenticationMD5Password'])
      connection.prependListener(event, () => {
        refusal = errors.refused(
          'asks for the password in a form that others could read or use: have it ask for SCRAM (scram-sha-256), or use TLS (sslmode)',
        )
      })

  /** Errors of the protocol end the connection, not the service, and what comes besides rows has a limit. */
  function guard(): void {
    const { stream } = connection
    const [given] = stream.listeners('data') as ((chunk: Buffer) => void)[]
    if (given === undefined) return
    const { take, restart } = createWholeMessages(given, MOST_BYTES, (what) => {
      throw errors.refused(what)
    })
    restartCount = restart
    stream.removeListener('data', given)
    stream.on('data', (chunk: Buffer) => {
      try {
        take(chunk)
      } catch (error) {
        stream.destroy(
          isServiceError(error)
            ? error
            : errors.refused('has sent what is no message of PostgreSQL', '', error),
        )
      }
    })
  }

  function kill(reason: unknown): void {
    if (killed !== null) return
    killed = reason
    isClosed = true
    dead.reject(reason)
    if (key !== null) sendCancel(target, hosts, times.connectMs, key)
    connection.stream.destroy()
  }

  /** Closes the connection when the signal is aborted, and when the server is silent, until the result is called. */
  function watch(): () => void {
    const { stream } = connection
    const { aborted } = signal
    const listened = signal
    let heardAt = Date.now()
    const hear = (): void => {
      heardAt = Date.now()
    }
    const look = (): void => {
      if (stream.isPaused()) hear()
      else if (Date.now() - heardAt >= times.silenceMs)
        kill(errors.unavailable(`has sent nothing for ${times.silenceMs / 1000} s`))
    }
    const timer = setInterval(look, Math.min(LOOK_MS, times.silenceMs))
    const abort = (): void => kill(listened.reason)
    if (aborted) abort()
    listened.addEventListener('abort', abort, { once: true })
    stream.on('data', hear)
    return () => {
      clearInterval(timer)
      listened.removeEventListener('abort', abort)
      stream.removeListener('data', hear)
    }
  }

  const abort = (): void => kill(signal.reason)
  const timer = setTimeout(
    () => kill(errors.unavailable(`cannot be reached within ${times.connectMs / 1000} s`)),
    times.connectMs,
  )
  signal.addEventListener('abort', abort, { once: true })
  try {
    connection.on('sslconnect', guard)
    const connected = client.connect()
    if (sslMode === 'disable') guard()
    await Promise.race([connected, dead.promise])
  } catch (error) {
    connection.stream.destroy()
    throw killed ?? error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }

  async function query(text: string, values?: readonly string[]): Promise<readonly TextRow[]> {
    const stop = watch()
    try {
      const asked = client.query({
        text,
        ...(values !== undefined && { values: [...values] }),
        rowMode: 'array',
      })
      const answer: unknown = await Promise.race([asked, dead.promise])
      const last: unknown = Array.isArray(answer) ? answer.at(-1) : answer
      return (last as { readonly rows: readonly TextRow[] }).rows
    } catch (error) {
      throw faultOf(killed ?? error, errors, signal)
    } finally {
      stop()
    }
  }

  return {
    query,
    use(using) {
      errors = using.errors
      signal = using.signal
      restartCount()
    },
    async reset() {
      for (const statement of RESET) await query(statement)
    },
    get isClosed() {
      return isClosed
    },
    async *copy(text) {
      const stop = watch()
      const out = createCopyOut(text, (what) => errors.refused(what))
      let isOver = false
      dead.promise.catch(out.fail)
      try {
        client.query(out.query as unknown as string)
        yield* out.chunks()
        isOver = true
      } catch (error) {
        throw faultOf(killed ?? error, errors, signal)
      } finally {
        stop()
        if (!isOver) kill(errors.unavailable('is not read from any more'))
      }
    },
    end() {
      if (isClosed) return
      isClosed = true
      client.end().catch(() => {})
      // A server that does not close its side keeps no thread running.
      ;(connection.stream as Socket).unref()
    },
  }
}

/** A socket that connects to addresses that may be asked alone. */
function openSocket({ lookup }: Pick<AllowedHosts, 'lookup'>): Socket {
  const socket = new Socket()
  const connect = socket.connect.bind(socket)
  return Object.assign(socket, {
    connect: (port: number, host: string): Socket => connect({ port, host, lookup }),
  })
}
