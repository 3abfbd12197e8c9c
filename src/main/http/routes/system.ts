import type { FastifyInstance } from 'fastify'
import { createSystemInfo } from '../../gauges/system-info.ts'
import { shownSettings } from '../../settings/config.ts'
import { VERSION } from '../../settings/version.ts'
import { clientSignal } from '../requests/client-signal.ts'
import type { Services } from '../services.ts'
import { CLIENT_ROUTE, OPEN_ROUTE, routeFor } from './route.ts'

/** Routes that tell whether the service runs, and its version and configuration (docs/reference/http.md). */
export function addSystemRoutes(
  app: FastifyInstance,
  { config, catalog, crawlers, queries, gauges }: Services,
): void {
  const findSystemInfo = createSystemInfo()

  app.get(
    '/api/health',
    routeFor(OPEN_ROUTE, 'system', 'getHealth', 'Whether the process answers'),
    async (_request, reply) => reply.type('text/plain').send('Ok'),
  )

  app.get(
    '/api/ready',
    routeFor(OPEN_ROUTE, 'system', 'getReadiness', 'Whether it can run queries'),
    async (_request, reply) => {
      const missing = gauges.notReady()
      if (missing !== null) reply.code(503)
      return reply.type('text/plain').send(missing ?? 'Ready')
    },
  )

  app.get(
    '/api/info',
    routeFor(
      CLIENT_ROUTE,
      'system',
      'getInfo',
      'Version, configuration without secrets, number of tables, hit rates of the caches',
    ),
    async ({ caller }, reply) => ({
      [`${config.name}_version`]: VERSION,
      system_info: config.enableSysInfo ? await findSystemInfo(caller.isSuperUser) : null,
      config: shownSettings(config, caller.isSuperUser),
      table_count: (await queries.readableOf(catalog.snapshot().all(caller), caller, clientSignal(reply)))
        .length,
      ...(caller.isSuperUser && { crawler_count: crawlers.list().length }),
      caches: gauges.caches(),
      ...(caller.isSuperUser && { memory: await gauges.memory() }),
    }),
  )
}
