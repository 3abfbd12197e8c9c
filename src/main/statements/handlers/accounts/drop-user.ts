import { ServiceError } from '../../../../plan/errors.ts'
import { ANONYMOUS_NAME } from '../../../auth/principal.ts'
import type { DropUser } from '../../../sql/statements/node.ts'
import type { RunCommand } from '../../context.ts'
import { storedUser } from './account-names.ts'

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
