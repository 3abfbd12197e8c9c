import { type Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isServiceError } from '../../plan/errors.ts'
import { type AllowedHosts, isLoopback } from './allowed-hosts.ts'
import type { RemoteAddress } from './remote-client.ts'
import type { RemoteErrors } from './remote-errors.ts'

/** How long a remote may take. Milliseconds. */
export interface RemoteTimes {
  readonly connectMs: number
  /** Without a byte, from the request to the answer and within the answer. */
  readonly silenceMs: number
}

/** A request to a remote. */
export interface RemoteRequest {
  readonly address: RemoteAddress
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Null: it has none. */
  readonly body: string | null
}

/** What requests are sent with. */
export interface Sending {
  /** The agents that hold connections: of HTTP, and of HTTP in TLS. */
  readonly agents: Readonly<{ plain: Agent; tls: Agent }>
  readonly hosts: AllowedHosts
  readonly times: RemoteTimes
  readonly errors: RemoteErrors
}

/**
 * Sends a request, and resolves with the head of its answer. A connection that fails before that is tried once more. Rejects with
 * `remote_unavailable`, `remote_refused`, `permission_denied`, and the reason of the signal.
 */
export async function sendRequest(
  request: RemoteRequest,
  sending: Sending,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  sending.hosts.require(request.address.host, request.address.port)
  try {
    return await sendOnce(request, sending, signal)
  } catch (error) {
    if (!isConnectionFault(error) || signal.aborted) throw faultOf(error, sending.errors, signal)
  }
  try {
    return await sendOnce(request, sending, signal)
  } catch (error) {
    throw faultOf(error, sending.errors, signal)
  }
}

function sendOnce(
  { address, method, path, headers, body }: RemoteRequest,
  { agents, hosts, times, errors }: Sending,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { host, port, tls } = address
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const options = {
    host,
    port,
    method,
    path,
    signal,
    lookup: hosts.lookup,
    headers: {
      ...headers,
      // A compressed answer could be of any size.
      'accept-encoding': 'identity',
      ...(body !== null && { 'content-length': Buffer.byteLength(body) }),
    },
  }
  const sent = tls
    ? requestHttps({ ...options, agent: agents.tls, rejectUnauthorized: !isLoopback(host) })
    : requestHttp({ ...options, agent: agents.plain })
  const silence = setTimeout(
    () => sent.destroy(errors.unavailable(`has not answered for ${times.silenceMs / 1000} s`)),
    times.silenceMs,
  )
  limitConnecting(sent, tls, times.connectMs, errors)
  sent.once('response', (response) => {
    clearTimeout(silence)
    // What becomes of the connection from here on is an error of whoever reads the answer.
    sent.on('error', () => {})
    resolve(response)
  })
  sent.once('error', (error) => {
    clearTimeout(silence)
    reject(error)
  })
  sent.end(body ?? undefined)
  return promise
}

function limitConnecting(sent: ClientRequest, tls: boolean, connectMs: number, errors: RemoteErrors): void {
  sent.once('socket', (socket) => {
    if (!socket.connecting) return
    const timer = setTimeout(
      () => sent.destroy(errors.unavailable(`cannot be reached within ${connectMs / 1000} s`)),
      connectMs,
    )
    const stop = (): void => clearTimeout(timer)
    socket.once(tls ? 'secureConnect' : 'connect', stop)
    sent.once('close', stop)
  })
}

/**
 * The bytes of an answer as they come. Rejects with `remote_unavailable` if it is cut short, or silent. Closing the generator closes the
 * connection, unless the answer has ended.
 */
export async function* bytesOf(
  response: IncomingMessage,
  { times, errors }: Pick<Sending, 'times' | 'errors'>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const chunks = response[Symbol.asyncIterator]()
  let isWaiting = false
  // One timer for all chunks: there are thousands of them in a second.
  const silence = setTimeout(() => {
    if (isWaiting) response.destroy(errors.unavailable(`has sent nothing for ${times.silenceMs / 1000} s`))
  }, times.silenceMs)
  try {
    for (;;) {
      isWaiting = true
      silence.refresh()
      const next = await chunks.next()
      isWaiting = false
      if (next.done === true) return
      yield next.value as Buffer
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (isServiceError(error)) throw error
    throw errors.unavailable('has broken off its answer', error)
  } finally {
    clearTimeout(silence)
    if (!response.complete) response.destroy()
  }
}

/** Whether a connection was refused or reset, as one is that had been open for a while. */
function isConnectionFault(error: unknown): boolean {
  return ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(codeOf(error))
}

function faultOf(error: unknown, errors: RemoteErrors, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (isServiceError(error)) return error
  const code = codeOf(error)
  if (code === 'HPE_HEADER_OVERFLOW')
    return errors.refused('has answered headers that are too large', '', error)
  if (code.startsWith('HPE_'))
    return errors.refused(
      'does not answer HTTP/1.1; give the port on which the service answers HTTP',
      '',
      error,
    )
  if (CERTIFICATE.test(code))
    return errors.unavailable(`has a certificate that is not trusted (${code})`, error)
  return errors.unavailable(`cannot be reached (${code})`, error)
}

/** Codes of certificates that are not trusted. */
export const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/

/** The code of an error of the system. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}
