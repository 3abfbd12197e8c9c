import { ServiceError } from '../../plan/errors.ts'
import { SERVICE_TYPE } from '../secrets/secret-type.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { RemoteLogin } from './remote-client.ts'

/**
 * The login at another service that a secret has now. Null names none: the service is asked without a login. Throws what reading the secret
 * throws, and `invalid_sql` for a secret of another type.
 */
export function loginOfSecret(secrets: Pick<Secrets, 'read'>, name: string | null): RemoteLogin {
  if (name === null) return 'anonymous'
  const { type, values } = secrets.read(name)
  if (type !== SERVICE_TYPE)
    throw new ServiceError(
      'invalid_sql',
      `The secret ${JSON.stringify(name)} is of type ${type}, and not a login at another service (TYPE service).`,
    )
  const { token, username = '', password = '' } = values
  return Object.freeze(token === undefined ? { user: username, password } : { token })
}
