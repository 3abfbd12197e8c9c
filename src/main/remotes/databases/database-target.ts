import { ServiceError } from '../../../plan/errors.ts'
import { isLoopback } from '../allowed-hosts.ts'
import type { DatabaseLogin, RemoteAddress, RemoteLogin, SslMode } from '../remote-client.ts'
import type { DatabaseKind } from './database-kinds.ts'

/** A database, and who asks it. */
export interface DatabaseTarget {
  readonly host: string
  readonly port: number
  /** '': none. */
  readonly database: string
  readonly user: string
  /** '': there is none. */
  readonly password: string
  readonly sslMode: SslMode
}

/**
 * What an address and a login say together. The address has the word, and the secret fills in what it leaves out. Throws
 * `invalid_sql` if that is not enough.
 */
export function databaseTarget(
  address: RemoteAddress,
  login: RemoteLogin,
  { port, hasDatabaseOfUser }: Pick<DatabaseKind, 'port' | 'hasDatabaseOfUser'>,
): DatabaseTarget {
  const given: DatabaseLogin = typeof login === 'string' || 'token' in login ? {} : login
  const host = address.host || given.host || ''
  const user = address.user ?? given.user ?? ''
  const database = address.database || given.database || (hasDatabaseOfUser ? user : '')
  if (host === '') throw missing('host')
  if (user === '') throw missing('user')
  return Object.freeze({
    host,
    port: address.port || given.port || port,
    database,
    user,
    password: given.password ?? '',
    // On this machine nobody else can answer.
    sslMode: address.sslMode ?? given.sslMode ?? (isLoopback(host) ? 'disable' : 'verify-full'),
  })
}

function missing(what: string): ServiceError {
  return new ServiceError(
    'invalid_sql',
    `It is not said which ${what} of the database is meant: give it as an option, or in the secret.`,
    { quotesNothing: true },
  )
}
