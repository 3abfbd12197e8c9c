import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type ErrorCode, type ErrorKind, isServiceError, ServiceError } from '../../plan/errors.ts'
import { BODY_BYTES } from '../../plan/limits.ts'
import { mentionsPassword } from '../sql/text/mentions-password.ts'
import { unsupportedMediaType } from './requests/json-body.ts'

/**
 * Answers with an error: as one JSON string if it was found before a handler, or by a handler of the query family, as JSON-RPC on the
 * route of that, and else as plain text (docs/reference/http.md).
 */
export function createErrorHandler(logger: Logger) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { code, kind, message } = shownError(thrown, request, logger)
    if (kind.retrySecs !== undefined) reply.header('retry-after', String(kind.retrySecs))
    reply.code(kind.status)
    const { errors } = request.routeOptions.config
    if (errors === 'json-rpc') return reply.type('application/json').send(rpcError(code, message))
    return kind.isBeforeHandler === true || errors === 'json-string'
      ? reply.type('application/json').send(JSON.stringify(message))
      : reply.type('text/plain; charset=utf-8').send(message)
  }
}

/** An error as the sender of a request may see it. */
export interface ShownError {
  readonly code: ErrorCode
  readonly kind: ErrorKind
  readonly message: string
}

/** What is shown of anything thrown. The message of an internal error is only logged, and what may be a password or a secret is nowhere. */
export function shownError(thrown: unknown, request: FastifyRequest, logger: Logger): ShownError {
  const isSecret = mentionsPassword(textOf(request))
  const error = isSecret ? withoutQuotes(toServiceError(thrown, request)) : toServiceError(thrown, request)
  const { code, kind, message } = error
  if (code !== 'internal') return { code, kind, message }
  const url = isSecret ? request.url.replace(/\?.*$/s, '') : request.url
  logger.error({ err: thrown, method: request.method, url }, 'request failed')
  return { code, kind, message: 'Internal error; the log of the service has the details.' }
}

/** Codes of JSON-RPC 2.0 for errors about the message itself. All others are of the server: -32000. */
const RPC_CODES: Partial<Record<ErrorCode, number>> = { malformed_body: -32_700, wrong_shape: -32_600 }

/** An error as a response of JSON-RPC to a message whose id is not known. */
function rpcError(code: ErrorCode, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', error: { code: RPC_CODES[code] ?? -32_000, message }, id: null })
}

/** The `ServiceError` for anything thrown. Requests that Fastify itself refuses have a status of 4xx. */
function toServiceError(thrown: unknown, { url, headers }: FastifyRequest): ServiceError {
  if (isServiceError(thrown)) return thrown
  const {
    statusCode = 500,
    code,
    message = '',
  } = thrown as Partial<Record<'code' | 'message', string>> & {
    readonly statusCode?: number
  }
  const refused = (as: 'body_too_large' | 'malformed_request', what: string): ServiceError =>
    new ServiceError(as, what, { cause: thrown })
  if (statusCode === 413)
    return refused(
      'body_too_large',
      `The body has more than ${BODY_BYTES} bytes, the most that a request may have.`,
    )
  if (statusCode === 415) return unsupportedMediaType(headers['content-type'] ?? '')
  if (code === 'FST_ERR_BAD_URL')
    return refused(
      'malformed_request',
      `The path ${JSON.stringify(url.slice(0, SHOWN))} cannot be decoded: "%" is written as %25, and text as UTF-8.`,
    )
  if (statusCode >= 400 && statusCode < 500) return refused('malformed_request', message)
  return new ServiceError('internal', message, { cause: thrown })
}

/** What was sent, as far as it may have the text of a statement. */
function textOf({ body, url }: FastifyRequest): string {
  return `${decode(url)} ${Buffer.isBuffer(body) ? body.toString() : ''}`
}

/** The text of a URL, in which `+` is a space. One that cannot be decoded is as it is. */
function decode(url: string): string {
  const text = url.replaceAll('+', ' ')
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * The error without what it quotes of a request that may have a password. Errors of the service itself and those that say no more than who
 * may do what stay as they are.
 */
function withoutQuotes(error: ServiceError): ServiceError {
  const { code, status, quotesNothing, message } = error
  if (quotesNothing || status >= 499 || code === 'permission_denied' || code === 'sql_disabled') return error
  const [place = ''] = /^sql, line \d+, column \d+: /.exec(message) ?? []
  return new ServiceError(
    code,
    `${place}the request is not as it has to be; what it has is not shown here, because it may have a password or a secret. A user is made by POST /api/query with {"sql": "CREATE USER name WITH PASSWORD 'text'"}, a secret with {"sql": "CREATE SECRET name (TYPE type, KEY 'text')"}, and nothing else in it`,
  )
}

/** The most characters of a path that a message quotes. */
const SHOWN = 200
