import { maxHeaderSize, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ServiceError } from '../../plan/errors.ts'

/** A connection with the answer that Node.js is writing to it. */
interface AnsweredSocket extends Socket {
  readonly _httpMessage?: { readonly headersSent: boolean } | null
}

/**
 * Answers requests that Node.js could not read, which have no route and no reply: it writes one JSON string, as
 * `createErrorHandler` does, and closes the connection. An answer to an earlier request that is under way is broken off.
 * `headers` are those of every such answer. The time limit of requests does not hold for those by sockets that are `isUntimed`.
 */
export function createClientErrorHandler(
  headers: Readonly<Record<string, string>>,
  isUntimed: (socket: Socket) => boolean,
) {
  const fixed = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return (cause: NodeJS.ErrnoException, socket: AnsweredSocket): void => {
    if (cause.code === 'ECONNRESET' || socket.destroyed) return
    if (cause.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isUntimed(socket)) return
    const { status, message } = toServiceError(cause)
    const body = JSON.stringify(message)
    // As Node.js itself: the client would take this answer for a part of the other one.
    const isAnswered = socket._httpMessage?.headersSent === true
    if (socket.writable && !isAnswered)
      socket.write(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fixed.join('')}content-type: application/json; charset=utf-8\r\n` +
          `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      )
    socket.destroy(cause)
  }
}

function toServiceError(cause: NodeJS.ErrnoException): ServiceError {
  switch (cause.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError(
        'headers_too_large',
        `The URL and the headers have more than ${maxHeaderSize} bytes; send a long query as the body of POST /api/query.`,
        { cause },
      )
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('request_timeout', 'The request did not arrive whole in time; send it again.', {
        cause,
      })
    default:
      return new ServiceError(
        'malformed_request',
        `The request is not HTTP/1.1 (${cause.code})${adviceOn(cause.code)}.`,
        { cause },
      )
  }
}

/** What to write instead, by the codes of llhttp. Empty: nothing follows from the code. */
function adviceOn(code: string | undefined): string {
  switch (code) {
    // A handshake of TLS begins with bytes that are no method.
    case 'HPE_INVALID_METHOD':
      return '; the service has no TLS of its own, so its URL begins with http://'
    case 'HPE_INVALID_URL':
    case 'HPE_INVALID_CONSTANT':
    case 'HPE_INVALID_VERSION':
      return '; spaces, quotes and other signs in a URL are percent-encoded, as curl -G --data-urlencode does'
    default:
      return ''
  }
}
