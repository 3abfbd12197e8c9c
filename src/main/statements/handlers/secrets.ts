import { alternatives } from '../../../plan/alternatives.ts'
import { ServiceError } from '../../../plan/errors.ts'
import {
  SECRET_TYPES,
  SERVICE_TYPE,
  type SecretType,
  secretKey,
  secretType,
} from '../../secrets/secret-type.ts'
import type { CreateSecret, DropSecret, ShowSecrets } from '../../sql/grammar/node.ts'
import { MASK } from '../../sql/grammar/texts.ts'
import type { RunCommand, StatementContext, WriteQuery } from '../context.ts'
import { type WrittenColumn, writeRows } from '../write/write-rows.ts'
import { requireText } from './require-text.ts'

/** The longest name of a secret or of a key, the longest scope, and the longest value, in bytes of UTF-8. */
const NAME_BYTES = 255
const SCOPE_BYTES = 4096
const VALUE_BYTES = 65_536

/** The most values of a secret, and the most secrets. */
const MOST_VALUES = 64
const MOST_SECRETS = 1000

/** CREATE SECRET: keeps the values encrypted, in memory or on the disk. No message quotes anything of the statement. */
export const createSecret: RunCommand<CreateSecret> = async (node, { secrets, hidden, catalog, signal }) => {
  const { name, isPersistent, keepsExisting, scope, options } = node
  requireText('The name of a secret', name, NAME_BYTES)
  if (scope !== null) requireText('The scope of a secret', scope, SCOPE_BYTES)
  const type = secretType(node.type, catalog.name)
  if (type === null)
    throw refusal(`TYPE is ${alternatives(SECRET_TYPES.map(({ words }) => words[0] ?? ''))}.`)
  const keys = options.map(({ key }) => requiredKey(type, key))
  requireValues(type, keys, hidden)
  const listed = secrets.list()
  if (listed.length >= MOST_SECRETS && !listed.some((each) => each.name === name))
    throw refusal(`There are ${MOST_SECRETS} secrets, which are as many as there may be; DROP one first.`)
  await secrets.put(
    { name, type: type.name, scope, keys, values: hidden, isPersistent, keepsExisting },
    signal,
  )
}

function requiredKey(type: SecretType, word: string): string {
  requireText('A key', word, NAME_BYTES)
  const key = secretKey(type, word)
  if (key !== null) return key
  const keys = Object.keys(type.keys ?? {}).map((each) => each.toUpperCase())
  throw refusal(`A key of a secret of this type is ${alternatives(keys)}; this one has another.`)
}

function requireValues(type: SecretType, keys: readonly string[], values: readonly string[]): void {
  if (values.length === 0 || values.length > MOST_VALUES)
    throw refusal(`A secret has 1 to ${MOST_VALUES} values.`)
  if (new Set(keys).size < keys.length) throw refusal('A key is given twice, under two of its names.')
  for (const value of values) {
    requireText('A value', value, VALUE_BYTES)
    if (value === MASK)
      throw refusal(`A value is not '${MASK}', which stands in place of values where a statement is printed.`)
  }
  if (type.name === SERVICE_TYPE) requireLogin(keys, values)
  if (type.keys !== null) requirePort(values[keys.indexOf('port')])
}

/** A login is a token, or a name with a password. */
function requireLogin(keys: readonly string[], values: readonly string[]): void {
  const login = keys.toSorted().join(' ')
  if (login !== 'token' && login !== 'password username')
    throw refusal('A secret of this type has TOKEN alone, or USERNAME and PASSWORD.')
  const valueAt = (key: string): string => values[keys.indexOf(key)] ?? ''
  if (login === 'token' && !/^[!-~]+$/.test(valueAt('token')))
    throw refusal('A token has no blanks and no characters beyond ASCII.')
  if (/[:\p{Cc}]/u.test(valueAt('username')) || /\p{Cc}/u.test(valueAt('password')))
    throw refusal('A user name has no colon, and neither it nor a password has control characters.')
}

function requirePort(port: string | undefined): void {
  if (port === undefined) return
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    throw refusal('PORT is a whole number from 1 to 65535.')
}

function refusal(message: string): ServiceError {
  return new ServiceError('invalid_sql', message, { quotesNothing: true })
}

/** DROP SECRET: deletes a secret, also one that cannot be decrypted. Connections that are open go on. */
export const dropSecret: RunCommand<DropSecret> = ({ name, isIfExists }, { secrets, signal }) =>
  secrets.drop(name, isIfExists, signal)

const SECRETS_COLUMNS: readonly WrittenColumn[] = [
  { name: 'name', type: 'VARCHAR' },
  { name: 'type', type: 'VARCHAR' },
  { name: 'scope', type: 'VARCHAR' },
  { name: 'option_keys', type: 'VARCHAR' },
  { name: 'persistent', type: 'BOOLEAN' },
]

/** SHOW SECRETS: a row for each secret, with the keys of its values. Nothing gives the values. */
export const showSecrets: WriteQuery<ShowSecrets> = async (_, { secrets, catalog }: StatementContext) =>
  writeRows(
    SECRETS_COLUMNS,
    secrets
      .list()
      .map(({ name, type, scope, keys, isPersistent }) => [
        name,
        type === SERVICE_TYPE ? catalog.name : type,
        scope,
        keys.join(','),
        isPersistent,
      ]),
  )
