import { VERSION } from '../../../settings/version.ts'
import {
  ADMIN_ERRORS,
  answer,
  CLIENT_ERRORS,
  jsonAnswer,
  listOf,
  OBJECT,
  type Operation,
  TEXT,
} from './operation.ts'

const PLAIN = { plain: { summary: 'No parameters' } }

const LIST = listOf(OBJECT)

/** The operations about the service itself. `name` is `SERVICE_NAME`. */
export function systemOperations(name: string): Readonly<Record<string, Operation>> {
  const notReady = answer('It is starting or stopping, or no worker runs', 'text/plain', TEXT)
  return {
    getHealth: {
      requests: PLAIN,
      answers: { 200: answer('The process answers', 'text/plain', TEXT, { plain: 'Ok' }) },
    },
    getReadiness: {
      requests: PLAIN,
      answers: {
        200: answer('It can run queries', 'text/plain', TEXT, { plain: 'Ready' }),
        503: notReady,
      },
    },
    getInfo: {
      requests: PLAIN,
      answers: {
        200: jsonAnswer('Version, settings, caches', OBJECT, {
          plain: { [`${name}_version`]: VERSION, system_info: null, table_count: 1 },
        }),
        ...CLIENT_ERRORS,
      },
    },
    checkAdmin: {
      requests: PLAIN,
      answers: { 200: jsonAnswer('Yes', OBJECT, { plain: { is_admin: true } }), ...ADMIN_ERRORS },
    },
    listUsers: {
      requests: PLAIN,
      answers: {
        200: jsonAnswer('The super-user, then the others by name', LIST, {
          plain: [
            { username: 'service-admin', roles: [], is_super_user: true, is_anonymous: false },
            { username: 'anonymous', roles: [], is_super_user: false, is_anonymous: true },
          ],
        }),
        ...ADMIN_ERRORS,
      },
    },
    listRoles: {
      requests: PLAIN,
      answers: { 200: jsonAnswer('The roles by name', LIST, { plain: [] }), ...ADMIN_ERRORS },
    },
    getTableConfig: {
      requests: PLAIN,
      answers: {
        200: jsonAnswer('A notice', OBJECT, {
          plain: { message: 'Table configuration is no longer supported; tables are defined in SQL.' },
        }),
        ...ADMIN_ERRORS,
      },
    },
  }
}
