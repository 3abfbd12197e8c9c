import type { RoleOfUser } from '../../../sql/statements/node.ts'
import type { RunCommand } from '../../context.ts'
import { roleNamed, storedUser } from './account-names.ts'

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
