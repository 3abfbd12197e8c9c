import type { KeyObject } from 'node:crypto'
import { isServiceError, ServiceError } from '../../plan/errors.ts'
import { type CreatedSecrets, createSecrets } from './create-secrets.ts'
import type { LoginChange, SecretChange } from './secret.ts'
import { type StoredSecretRow, secretOfRow } from './stored-secrets.ts'

interface LoginStore {
  commit(changes: readonly LoginChange[], signal: AbortSignal): Promise<void>
}

interface LoginOptions {
  /** As for secrets. */
  readonly secretsKey: readonly KeyObject[]
  readonly log: { error(details: object, message: string): void }
}

/**
 * Opens the logins of tables that are stored. `used` has those that definitions name; others are left of a statement that was cut off,
 * and are deleted. Those that no key decrypts are logged.
 */
export async function openLogins(
  rows: readonly StoredSecretRow[],
  used: ReadonlySet<string>,
  { commit }: LoginStore,
  { secretsKey, log }: LoginOptions,
): Promise<CreatedSecrets> {
  const logins = createSecrets({
    keys: secretsKey,
    stored: rows.map(secretOfRow),
    commit: (changes, signal) => commit(changes.map(loginChange), signal),
  })
  const never = new AbortController().signal
  for (const { name } of logins.list())
    if (!used.has(name))
      await logins
        .drop(name, true, never)
        .catch((err: unknown) => log.error({ err }, 'the login of a table that is gone stays stored'))
  const { length } = logins.unreadable()
  if (length > 0)
    log.error(
      { logins: length },
      'logins of tables cannot be decrypted: SERVICE_SECRETS_KEY lacks their key, or they were changed',
    )
  await logins
    .rotate(never)
    .catch((err: unknown) =>
      log.error({ err }, 'logins of tables could not be encrypted under the first key'),
    )
  return {
    ...logins,
    read(name) {
      try {
        return logins.read(name)
      } catch (error) {
        throw isServiceError(error) ? noLogin(error) : error
      }
    },
  }
}

function loginChange(change: SecretChange): LoginChange {
  return change.kind === 'put_secret'
    ? { kind: 'put_login', login: change.secret }
    : { kind: 'drop_login', name: change.name }
}

/** Its name is told nobody. */
function noLogin(cause: ServiceError): ServiceError {
  return new ServiceError(
    'unreadable_secret',
    'The login in the options of the table cannot be decrypted: SERVICE_SECRETS_KEY does not have the key under which it was stored, or what is stored has been changed. Add that key behind the first one and start the service again, or CREATE OR REPLACE the table.',
    { cause },
  )
}
