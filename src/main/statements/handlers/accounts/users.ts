import { ServiceError } from '../../../../plan/errors.ts'
import { hashPassword } from '../../../auth/passwords/hash-password.ts'
import { ANONYMOUS_NAME } from '../../../auth/principal.ts'
import type { CreateUser, DropUser, RoleOfUser } from '../../../sql/grammar/node.ts'
import type { RunCommand, StatementContext } from '../../context.ts'
import { requireText } from '../require-text.ts'
import { requireAccountName, roleNamed, storedUser } from './account-names.ts'

/** The longest password, in bytes of UTF-8: it fits into the header of a request. */
const PASSWORD_BYTES = 4096

/** CREATE USER: stores a user without roles, and the hash of the password. No message quotes anything of the statement. */
export const createUser: RunCommand<CreateUser> = async ({ name }, context) => {
  const { directory, hashes, signal } = context
  const [password = ''] = context.hidden
  requireAccountName(name, 'user')
  requireText('A password', password, PASSWORD_BYTES)
  requireNew(name, context)
  const hash = await hashPassword(password, hashes, signal)
  await directory.change(() => {
    requireNew(name, context)
    const user = Object.freeze({ name, password: hash, roles: Object.freeze([]) })
    return [{ kind: 'put_user', user }]
  }, signal)
}

function requireNew(name: string, { config, directory }: StatementContext): void {
  const fault =
    name === config.adminUsername
      ? 'This is the name of the super-user, which no other user may have.'
      : name === ANONYMOUS_NAME
        ? 'This is the name of callers without credentials, which no other user may have.'
        : directory.isUnreadable(name)
          ? 'A user of this name is stored that cannot be read; the log has the reason. DROP it before you create it again.'
          : directory.snapshot().users.has(name)
            ? 'There is a user of this name already; to change the password, DROP it and create it again.'
            : null
  if (fault !== null) throw new ServiceError('account_exists', fault, { quotesNothing: true })
}

/** DROP USER: deletes a user, also one that is stored and cannot be read. */
export const dropUser: RunCommand<DropUser> = async ({ name }, context) => {
  const { config, directory, signal } = context
  const isNeeded = name === ANONYMOUS_NAME && config.authAnonymousEnabled
  await directory.change(() => {
    if (isNeeded && !directory.isUnreadable(name))
      throw new ServiceError(
        'invalid_sql',
        'The user anonymous is needed while SERVICE_AUTH_ANONYMOUS_ENABLED is true; REVOKE its roles, or switch anonymous access off.',
      )
    if (!directory.isUnreadable(name)) storedUser(name, context)
    return [{ kind: 'drop_user', name }]
  }, signal)
}

/** GRANT ROLE and REVOKE ROLE. To give a role that the user has, or to take one that it does not have, changes nothing. */
export const changeRoleOfUser: RunCommand<RoleOfUser> = async (node, context) => {
  const { directory, signal } = context
  const isGrant = node.kind === 'grant_role'
  await directory.change(() => {
    const user = storedUser(node.user, context)
    const { name } = roleNamed(node.role, directory.snapshot())
    if (user.roles.includes(name) === isGrant) return []
    const roles = isGrant ? [...user.roles, name].toSorted() : user.roles.filter((role) => role !== name)
    return [{ kind: 'put_user', user: Object.freeze({ ...user, roles: Object.freeze(roles) }) }]
  }, signal)
}
