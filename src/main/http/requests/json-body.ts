import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import { BODY_BYTES } from '../../../plan/limits.ts'
import { isExactNumber, parseJson } from '../../json/json.ts'

export type JsonObject = Readonly<Record<string, unknown>>

const JSON_MEDIA_TYPE = /^application\/(?:json|[^\s;/]+\+json)\s*(?:;|$)/i

/** The most characters of a media type that a message quotes. */
const SHOWN = 100

/** Has handlers get every body as a buffer, whatever its media type. A body beyond the limit is refused. */
export function addBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_BYTES }, (_request, body, done) => {
    done(null, body)
  })
}

/** The text of a request's body. Throws `unsupported_media_type`, or `malformed_body` (docs/reference/http.md). */
export function jsonBody({ headers, body }: FastifyRequest): string {
  const type = headers['content-type'] ?? ''
  if (!JSON_MEDIA_TYPE.test(type)) throw unsupportedMediaType(type)
  const coding = headers['content-encoding'] ?? 'identity'
  if (coding.toLowerCase() !== 'identity')
    throw new ServiceError(
      'unsupported_media_type',
      `A query is sent as it is, not compressed; found "Content-Encoding: ${coding.slice(0, SHOWN)}".`,
    )
  if (!(body instanceof Buffer)) return ''
  if (isUtf8(body)) return body.toString()
  throw new ServiceError('malformed_body', 'The query is not valid JSON: it is not UTF-8 text.')
}

/** The error for a body of another media type. Empty: the request names none. */
export function unsupportedMediaType(type: string): ServiceError {
  const typeText = type === '' ? 'the request has no type' : `found ${JSON.stringify(type.slice(0, SHOWN))}`
  return new ServiceError(
    'unsupported_media_type',
    `A query is sent as JSON, with the header "Content-Type: application/json"; ${typeText}.`,
  )
}

/**
 * The JSON object of a text, its integers exact. Throws `malformed_body` or `wrong_shape` (docs/reference/http.md). `expected` says what
 * it is and gives an example.
 */
export function jsonObject(
  text: string,
  expected = 'A query is a JSON object, such as {"sql": "SELECT 1"}',
): JsonObject {
  const value = parse(text)
  const kind = kindOf(value)
  if (kind !== 'an object') throw new ServiceError('wrong_shape', `${expected}, not ${kind}.`)
  return value as JsonObject
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (isServiceError(error)) throw new ServiceError('malformed_body', error.message, { cause: error })
    throw error
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return isExactNumber(value) ? 'a number' : 'an object'
  return `a ${typeof value}`
}
