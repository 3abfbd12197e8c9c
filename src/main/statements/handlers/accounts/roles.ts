import { ServiceError } from '../../../../plan/errors.ts'
import type { CreateRole, DropRole } from '../../../sql/grammar/node.ts'
import type { RunCommand } from '../../context.ts'
import { requireAccountName, roleNamed } from './account-names.ts'

/** CREATE ROLE: stores a role without rules. */
export const createRole: RunCommand<CreateRole> = async ({ name }, { directory, signal }) => {
  requireAccountName(name, 'role')
  await directory.change(() => {
    if (directory.snapshot().roles.has(name))
      throw new ServiceError('account_exists', `There is a role ${JSON.stringify(name)} already.`, {
        about: name,
      })
    const role = Object.freeze({ name, rules: Object.freeze([]) })
    return [{ kind: 'put_role', role }]
  }, signal)
}

/** DROP ROLE: deletes a role and takes it from its users, so that a new role of that name is not theirs. */
export const dropRole: RunCommand<DropRole> = async ({ name }, { directory, signal }) => {
  await directory.change(() => {
    roleNamed(name, directory.snapshot())
    return [{ kind: 'drop_role', name }]
  }, signal)
}
