import type { FastifyInstance } from 'fastify'
import { listRoles, listUsers } from '../../../catalog/listed-accounts.ts'
import type { Services } from '../../services.ts'
import { ADMIN_ROUTE, routeFor } from '../route.ts'

/** Routes that list users and roles, for the super-user (docs/reference/http.md). Statements change them. */
export function addAccountRoutes(app: FastifyInstance, { config, directory }: Services): void {
  app.get(
    '/api/admin/auth/users',
    routeFor(ADMIN_ROUTE, 'admin', 'listUsers', 'The users and their roles'),
    async () => listUsers(directory.snapshot(), config.adminUsername),
  )

  app.get(
    '/api/admin/auth/roles',
    routeFor(ADMIN_ROUTE, 'admin', 'listRoles', 'The roles and their rules'),
    async () => listRoles(directory.snapshot()),
  )
}
