import type { FastifyInstance } from 'fastify'
import { shownSettings } from '../../settings/config.ts'
import { VERSION } from '../../settings/version.ts'
import { clientSignal } from '../requests/client-signal.ts'
import type { Services } from '../services.ts'

/** Routes that tell whether the service runs, and its version and configuration (docs/reference/http.md). */
export function addSystemRoutes(app: FastifyInstance, { config, catalog, queries, gauges }: Services): void {
  app.get(
    '/api/health',
    { schema: { operationId: 'getHealth', tags: ['system'], summary: 'Whether the process answers' } },
    async (_request, reply) => reply.type('text/plain').send('Ok'),
  )

  app.get(
    '/api/ready',
    { schema: { operationId: 'getReadiness', tags: ['system'], summary: 'Whether it can run queries' } },
    async (_request, reply) => {
      const missing = gauges.notReady()
      if (missing !== null) reply.code(503)
      return reply.type('text/plain').send(missing ?? 'Ready')
    },
  )

  app.get(
    '/api/info',
    {
      config: { access: 'client' },
      schema: {
        operationId: 'getInfo',
        tags: ['system'],
        summary: 'Version, configuration without secrets, number of tables, hit rates of the caches',
      },
    },
    async ({ caller }, reply) => ({
      [`${config.name}_version`]: VERSION,
      system_info: null,
      config: shownSettings(config, caller.isSuperUser),
      table_count: (await queries.readableOf(catalog.snapshot().all(caller), caller, clientSignal(reply)))
        .length,
      caches: gauges.caches(),
    }),
  )
}
