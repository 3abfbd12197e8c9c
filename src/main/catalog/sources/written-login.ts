import { ServiceError } from '../../../plan/errors.ts'
import { readConnectionString } from '../../remotes/databases/connection-string.ts'
import { secretTypeOf } from '../../remotes/login-of-secret.ts'
import { isHiddenKey } from '../../sql/grammar/families/options.ts'
import type { CreateExternalTable } from '../../sql/grammar/node.ts'
import { MASK } from '../../sql/grammar/texts.ts'
import type { RemoteSource } from '../catalog.ts'
import { maskedOption } from './remote-clauses.ts'

/** A login in the options of a table, as the values of a secret. */
export interface WrittenLogin {
  /** The type of such a secret. */
  readonly type: string
  readonly values: Readonly<Record<string, string>>
}

/** Options that `connection_string` has in it. */
const IN_CONNECTION_STRING = [
  'host',
  'port',
  'user',
  'username',
  'database',
  'dbname',
  'sslmode',
  'password',
  'pass',
]

/**
 * The login that the options of a table have. `hidden`: the values of the statement that are secrets, in their order. Null: they have none.
 * Throws `invalid_sql`, with none of the values, for a login that is not whole, or is given twice.
 */
export function writtenLogin(
  { options }: Pick<CreateExternalTable, 'options'>,
  hidden: readonly string[],
  { secret, address }: RemoteSource,
): WrittenLogin | null {
  const values = withHidden(options, hidden)
  const { kind } = address
  const login = kind === 'service' ? serviceLogin(values) : databaseLogin(values)
  if (login === null) return null
  if (secret !== null) throw refusal('a secret has the login: give the secret, or a login, not both')
  return { type: secretTypeOf(kind), values: login }
}

function withHidden(
  options: CreateExternalTable['options'],
  hidden: readonly string[],
): ReadonlyMap<string, string> {
  const rest = hidden.values()
  const values = options.map(({ key, value }) => {
    if (!isHiddenKey(key)) return [key, value] as const
    const text = rest.next().value ?? MASK
    if (text === MASK) throw maskedOption()
    if (text === '') throw refusal(`"${key}" is empty`)
    return [key, text] as const
  })
  return new Map(values)
}

function serviceLogin(values: ReadonlyMap<string, string>): WrittenLogin['values'] | null {
  const username = oneOf(values, 'username', 'user')
  const password = oneOf(values, 'password', 'pass')
  const token = values.get('token')
  if (token !== undefined && (username ?? password) !== undefined)
    throw refusal('a login is a token, or a username with a password, not both')
  if (token !== undefined) return { token }
  if (username === undefined && password === undefined) return null
  if (username === undefined || password === undefined) throw refusal('a login is a username with a password')
  return { username, password }
}

function databaseLogin(values: ReadonlyMap<string, string>): WrittenLogin['values'] | null {
  const text = values.get('connection_string')
  if (text === undefined) {
    const password = oneOf(values, 'password', 'pass')
    return password === undefined ? null : { password }
  }
  const other = IN_CONNECTION_STRING.find((key) => values.has(key))
  if (other !== undefined) throw refusal(`"connection_string" has "${other}" in it; leave one of them out`)
  return readConnectionString(text, (what) => {
    throw refusal(what)
  })
}

function oneOf(values: ReadonlyMap<string, string>, key: string, other: string): string | undefined {
  if (values.has(key) && values.has(other)) throw refusal(`"${key}" and "${other}" are the same option`)
  return values.get(key) ?? values.get(other)
}

function refusal(what: string): ServiceError {
  return new ServiceError('invalid_sql', `OPTIONS: ${what}.`, { quotesNothing: true })
}
