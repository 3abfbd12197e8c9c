import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import type { RemoteErrors } from '../remote-errors.ts'
import { CERTIFICATE, codeOf } from '../send-request.ts'

/** An error that the server has sent. */
interface DatabaseFault {
  readonly message: string
  /** Five characters (PostgreSQL, Appendix A). */
  readonly code: string
}

/** Classes and codes of a server that cannot answer now: no connection, no resources, shutting down, a system error, a standby. */
const UNAVAILABLE = /^(?:08|53|57P|58|40)/

/** No such column or table. Statements name what was there when they were bound. */
const UNDEFINED: ReadonlySet<string> = new Set(['42703', '42P01'])

function databaseFault(error: unknown): DatabaseFault | null {
  return error instanceof Error &&
    'severity' in error &&
    'code' in error &&
    /^[0-9A-Z]{5}$/.test(String(error.code))
    ? { message: error.message, code: String(error.code) }
    : null
}

/** Whether a connection was refused or reset before anything came of it. */
export function isConnectionFault(error: unknown): boolean {
  return ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(codeOf(error)) || isBrokenOff(error)
}

/** What goes wrong on a connection as an error for the caller. */
export function faultOf(error: unknown, errors: RemoteErrors, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (isServiceError(error)) return error
  const fault = databaseFault(error)
  if (fault !== null) {
    const { code, message } = fault
    if (UNDEFINED.has(code)) {
      const { message: refusal } = errors.refused('has refused the statement', message, error)
      return new ServiceError('table_changed', refusal, { cause: error })
    }
    if (UNAVAILABLE.test(code)) return errors.unavailable(`cannot answer now (${code})`, error)
    return errors.refused(
      code.startsWith('28') ? 'has refused the login' : 'has refused the statement',
      message,
      error,
    )
  }
  const code = codeOf(error)
  if (CERTIFICATE.test(code))
    return errors.unavailable(`has a certificate that is not trusted (${code})`, error)
  const text = error instanceof Error ? error.message : ''
  // Messages of pg, which has no codes for them.
  if (/does not support SSL|establishing an SSL/.test(text))
    return errors.refused('offers no TLS; sslmode says whether it may be asked without', '', error)
  if (text.startsWith('SASL')) return errors.refused('cannot be logged in at', text, error)
  if (isBrokenOff(error)) return errors.unavailable('has broken off the connection', error)
  return errors.unavailable(`cannot be reached (${code})`, error)
}

function isBrokenOff(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Connection terminated')
}
