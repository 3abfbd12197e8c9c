import { isServiceError, type ServiceError } from '../../../plan/errors.ts'
import type { RemoteErrors } from '../remote-errors.ts'
import { CERTIFICATE, codeOf } from '../send-request.ts'
import { readBody } from './packet.ts'
import { BROKEN_OFF } from './packet-stream.ts'

/**
 * Numbers of a server that cannot answer now (MySQL, "Server Error Message Reference"; MariaDB, "Error Codes"): too many connections, it
 * shuts down, a connection was lost, a limit of the user, a lock, a deadlock, interrupted or killed.
 */
const UNAVAILABLE: ReadonlySet<number> = new Set([
  ...[1040, 1053, 1077, 1079, 1152, 1158, 1159, 1160, 1161],
  ...[1203, 1205, 1213, 1226, 1317, 1927],
])

/** The error that a packet of the server tells. `what`: what the server has done by it. */
export function serverError(body: Buffer, errors: RemoteErrors, what: string): ServiceError {
  const reader = readBody(body.subarray(1))
  const number = reader.uint(2)
  const text = reader.bytes(reader.remaining).toString()
  if (UNAVAILABLE.has(number)) return errors.unavailable(`cannot answer now (${number})`)
  return errors.refused(what, text.replace(/^#.{5}/s, ''))
}

/** Whether a connection was refused or reset before anything came of it. */
export function isConnectionFault(error: unknown): boolean {
  return ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', BROKEN_OFF].includes(codeOf(error))
}

/** What goes wrong on a connection as an error for the caller. */
export function faultOf(error: unknown, errors: RemoteErrors, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (isServiceError(error)) return error
  if (error instanceof RangeError) return errors.refused('has sent what is no packet of MySQL', '', error)
  const code = codeOf(error)
  if ([BROKEN_OFF, 'ECONNRESET', 'EPIPE'].includes(code))
    return errors.unavailable('has broken off the connection', error)
  if (CERTIFICATE.test(code))
    return errors.unavailable(`has a certificate that is not trusted (${code})`, error)
  if (code.startsWith('ERR_OSSL') || code.startsWith('ERR_SSL') || code === 'EPROTO')
    return errors.refused('does not encrypt as TLS does', '', error)
  return errors.unavailable(`cannot be reached (${code})`, error)
}
