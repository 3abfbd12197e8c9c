import type { FastifyInstance } from 'fastify'
import { listRoles, listUsers } from '../../catalog/listed-accounts.ts'
import type { Services } from '../services.ts'

const ADMIN_ROUTE = { access: 'admin' } as const

/** Routes that list users and roles, for the super-user (docs/reference/http.md). Statements change them. */
export function addAccountRoutes(app: FastifyInstance, { config, directory }: Services): void {
  app.get(
    '/api/admin/auth/users',
    {
      config: ADMIN_ROUTE,
      schema: { operationId: 'listUsers', tags: ['admin'], summary: 'The users and their roles' },
    },
    async () => listUsers(directory.snapshot(), config.adminUsername),
  )

  app.get(
    '/api/admin/auth/roles',
    {
      config: ADMIN_ROUTE,
      schema: { operationId: 'listRoles', tags: ['admin'], summary: 'The roles and their rules' },
    },
    async () => listRoles(directory.snapshot()),
  )
}
