import type { FastifyInstance } from 'fastify'
import { printDefinition } from '../../catalog/definition.ts'
import { fullNameOf } from '../../catalog/written-name.ts'
import { clientSignal } from '../requests/client-signal.ts'
import { namedTable, TABLE_PARAMETERS } from '../requests/named-table.ts'
import type { Services } from '../services.ts'
import { ADMIN_ROUTE, routeFor } from './route.ts'

/** Routes for the super-user only (docs/reference/http.md). */
export function addAdminRoutes(app: FastifyInstance, services: Services): void {
  const { catalog } = services
  app.get(
    '/api/admin/check',
    routeFor(ADMIN_ROUTE, 'admin', 'checkAdmin', 'Whether the credentials are those of the super-user'),
    async () => ({ is_admin: true }),
  )

  app.get(
    '/api/admin/table-config',
    routeFor(ADMIN_ROUTE, 'admin', 'getTableConfig', 'Answers a notice only', { deprecated: true }),
    async () => ({ message: 'Table configuration is no longer supported; tables are defined in SQL.' }),
  )

  app.get(
    '/api/admin/table-definition',
    routeFor(ADMIN_ROUTE, 'admin', 'getTableDefinition', 'The statement that has created a table or a view', {
      querystring: TABLE_PARAMETERS,
    }),
    async (request, reply) => {
      const signal = clientSignal(reply)
      const table = await namedTable(request, '/api/admin/table-definition', services, signal)
      const full = fullNameOf(table, catalog.name)
      return {
        table_catalog: full.catalog,
        table_schema: full.schema,
        table_name: full.name,
        definition: table.definition && printDefinition(table.definition),
      }
    },
  )
}
