import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type ErrorCode, isServiceError, ServiceError } from '../../plan/errors.ts'

const BEFORE_HANDLER: ReadonlySet<ErrorCode> = new Set([
  'malformed_body',
  'wrong_shape',
  'body_too_large',
  'unsupported_media_type',
  'invalid_parameter',
])

/** Fastify's own refusals, by status. */
const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'malformed_body',
  413: 'body_too_large',
  415: 'unsupported_media_type',
}

/**
 * Writes a thrown value: one JSON string on the routes of the query family, plain text elsewhere and for whatever was
 * found before the handler ran. The text of an internal error is for the log alone.
 */
export function createErrorHandler(logger: Logger) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const error = toServiceError(thrown)
    if (error.status >= 500)
      logger.error({ err: thrown, method: request.method, url: request.url }, 'request failed')
    const message =
      error.code === 'internal' ? 'Internal error; the log of the service has the details.' : error.message
    if (error.code === 'overloaded') reply.header('retry-after', '1')
    reply.code(error.status)
    const asJson = request.routeOptions.config.errors === 'json-string' && !BEFORE_HANDLER.has(error.code)
    return asJson
      ? reply.type('application/json').send(JSON.stringify(message))
      : reply.type('text/plain; charset=utf-8').send(message)
  }
}

function toServiceError(thrown: unknown): ServiceError {
  if (isServiceError(thrown)) return thrown
  const { statusCode, message = '' } = thrown as { statusCode?: number; message?: string }
  return new ServiceError(BY_STATUS[statusCode ?? 500] ?? 'internal', message, { cause: thrown })
}
