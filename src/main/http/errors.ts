import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type ErrorCode, isServiceError, ServiceError } from '../../plan/errors.ts'
import { BODY_BYTES } from '../../plan/limits.ts'

/** Errors found before a route's handler runs. They are plain text on every route. */
const BEFORE_HANDLER: ReadonlySet<ErrorCode> = new Set([
  'malformed_body',
  'wrong_shape',
  'body_too_large',
  'unsupported_media_type',
  'invalid_parameter',
])

/** `Retry-After` in seconds. A query ends soon. Disk space is freed when a file has been sent, and a hung server takes longer. */
const RETRY_SECS: Partial<Record<ErrorCode, number>> = {
  overloaded: 1,
  no_space: 10,
  path_unavailable: 10,
}

/**
 * Answers with an error: as one JSON string on the routes of the query family if their handler threw it, and else as plain
 * text. The message of an internal error is only logged.
 */
export function createErrorHandler(logger: Logger) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const error = toServiceError(thrown)
    if (error.code === 'internal')
      logger.error({ err: thrown, method: request.method, url: request.url }, 'request failed')
    const message =
      error.code === 'internal' ? 'Internal error; the log of the service has the details.' : error.message
    const retrySecs = RETRY_SECS[error.code]
    if (retrySecs !== undefined) reply.header('retry-after', String(retrySecs))
    reply.code(error.status)
    const asJson = request.routeOptions.config.errors === 'json-string' && !BEFORE_HANDLER.has(error.code)
    return asJson
      ? reply.type('application/json').send(JSON.stringify(message))
      : reply.type('text/plain; charset=utf-8').send(message)
  }
}

/** The `ServiceError` for anything thrown. Requests that Fastify itself refuses have a status of 4xx. */
function toServiceError(thrown: unknown): ServiceError {
  if (isServiceError(thrown)) return thrown
  const { statusCode = 500, message = '' } = thrown as { statusCode?: number; message?: string }
  const text = statusCode === 413 ? `The body is larger than ${BODY_BYTES} bytes.` : message
  return new ServiceError(codeOf(statusCode), text, { cause: thrown })
}

function codeOf(status: number): ErrorCode {
  if (status === 413) return 'body_too_large'
  if (status === 415) return 'unsupported_media_type'
  return status >= 400 && status < 500 ? 'malformed_body' : 'internal'
}
