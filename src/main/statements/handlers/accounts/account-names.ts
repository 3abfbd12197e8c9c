import { ServiceError } from '../../../../plan/errors.ts'
import { didYouMean } from '../../../../plan/nearest-name.ts'
import type { DirectorySnapshot, Role, StoredUser } from '../../../auth/directory/directory.ts'
import type { StatementContext } from '../../context.ts'

/** The longest name of a user or a role, in bytes of UTF-8. */
const NAME_BYTES = 255

/**
 * Throws `invalid_sql` for a name that no user or role may have. The message quotes nothing, because the statement may have a password.
 */
export function requireAccountName(name: string, what: 'user' | 'role'): void {
  const fault = !name.isWellFormed()
    ? 'has no half of a surrogate pair, which is no character'
    : Buffer.byteLength(name) > NAME_BYTES
      ? `has at most ${NAME_BYTES} bytes`
      : /\p{Cc}/u.test(name)
        ? 'has no control characters'
        : what === 'user' && name.includes(':')
          ? 'has no colon: in the header of a request, a colon ends the name'
          : null
  if (fault !== null)
    throw new ServiceError('invalid_sql', `The name of a ${what} ${fault}.`, { quotesNothing: true })
}

/** The user of this name. Throws `unknown_account` if none is stored. */
export function storedUser(name: string, { config, directory }: StatementContext): StoredUser {
  const { users } = directory.snapshot()
  const user = users.get(name)
  if (user !== undefined) return user
  if (name === config.adminUsername)
    throw new ServiceError(
      'unknown_account',
      `${JSON.stringify(name)} is the super-user, who is not stored, has no roles and may read everything.`,
    )
  throw unknownAccount('user', name, users)
}

/** The role of this name. Throws `unknown_account` if there is none. */
export function roleNamed(name: string, { roles }: DirectorySnapshot): Role {
  const role = roles.get(name)
  if (role !== undefined) return role
  throw unknownAccount('role', name, roles)
}

function unknownAccount(
  what: 'user' | 'role',
  name: string,
  byName: ReadonlyMap<string, unknown>,
): ServiceError {
  const hint = didYouMean(name, [...byName.keys()])
  const shown = JSON.stringify(name.slice(0, NAME_BYTES))
  return new ServiceError('unknown_account', `There is no ${what} ${shown}${hint || '.'}`, { about: name })
}
