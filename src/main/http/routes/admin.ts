import type { FastifyInstance } from 'fastify'

const ADMIN_ROUTE = { access: 'admin' } as const

/** Routes for the super-user only (docs/reference/http.md). */
export function addAdminRoutes(app: FastifyInstance): void {
  app.get(
    '/api/admin/check',
    {
      config: ADMIN_ROUTE,
      schema: {
        operationId: 'checkAdmin',
        tags: ['admin'],
        summary: 'Whether the credentials are those of the super-user',
      },
    },
    async () => ({ is_admin: true }),
  )

  app.get(
    '/api/admin/table-config',
    {
      config: ADMIN_ROUTE,
      schema: {
        operationId: 'getTableConfig',
        tags: ['admin'],
        deprecated: true,
        summary: 'Answers a notice only',
      },
    },
    async () => ({ message: 'Table configuration is no longer supported; tables are defined in SQL.' }),
  )
}
