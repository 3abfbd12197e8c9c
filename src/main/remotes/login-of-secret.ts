import { ServiceError } from '../../plan/errors.ts'
import { SERVICE_TYPE } from '../secrets/secret-type.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { readDatabaseHost, readPort, readSslMode } from './databases/database-options.ts'
import type { DatabaseLogin, RemoteAddress, RemoteLogin } from './remote-client.ts'

/**
 * The login at another service, or at a database, that a secret has now. Null names none: it is asked without a login. Throws what reading
 * the secret throws, and `invalid_sql` for a secret of another type, or with a value that none of its keys has.
 */
export function loginOfSecret(
  secrets: Pick<Secrets, 'read'>,
  name: string | null,
  kind: RemoteAddress['kind'] = 'service',
): RemoteLogin {
  if (name === null) return 'anonymous'
  const { type, values } = secrets.read(name)
  const wanted = secretTypeOf(kind)
  if (type !== wanted)
    throw new ServiceError(
      'invalid_sql',
      `The secret ${JSON.stringify(name)} is of type ${type}, and not a login at another ${kind === 'service' ? 'service' : 'database'} (TYPE ${wanted}).`,
    )
  if (kind !== 'service') return databaseLogin(name, values)
  const { token, username = '', password = '' } = values
  return Object.freeze(token === undefined ? { user: username, password } : { token })
}

/** The type of secrets that are logins at remotes of a kind. */
export function secretTypeOf(kind: RemoteAddress['kind']): string {
  return kind === 'service' ? SERVICE_TYPE : kind
}

function databaseLogin(name: string, values: Readonly<Record<string, string>>): DatabaseLogin {
  const refuse = (what: string): never => {
    throw new ServiceError('invalid_sql', `The secret ${JSON.stringify(name)}: ${what}.`)
  }
  const { user, password, database, host, port, sslmode } = values
  const sslMode = readSslMode(sslmode, refuse)
  return Object.freeze({
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    ...(host !== undefined && { host: readDatabaseHost(host, refuse) }),
    ...(port !== undefined && { port: readPort(port, refuse) }),
    ...(sslMode !== undefined && { sslMode }),
  })
}
