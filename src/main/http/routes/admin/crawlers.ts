import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../../../plan/errors.ts'
import { crawlerRecord, TABLE_NAMINGS } from '../../../crawlers/crawler.ts'
import { reportRecord } from '../../../crawlers/run/report.ts'
import { runRecord } from '../../../crawlers/run/run-record.ts'
import { clientSignal } from '../../requests/client-signal.ts'
import { crawlerRequest } from '../../requests/crawler.ts'
import { jsonBody } from '../../requests/json-body.ts'
import { flagParameter, parametersOf } from '../../requests/parameters.ts'
import type { Services } from '../../services.ts'
import { ADMIN_ROUTE, routeFor } from '../route.ts'

/** The body for the OpenAPI document. */
const BODY = {
  type: 'object',
  required: ['name', 'target_prefix'],
  properties: {
    name: { type: 'string' },
    target_prefix: {
      type: 'string',
      description: 'The folder below the dataset root where the crawler begins; empty for all of the root',
    },
    format_filter: {
      type: ['array', 'null'],
      items: { type: 'string' },
      description:
        'Formats that become tables, such as `parquet`. Null: all that are crawled. An empty list: none',
    },
    table_naming: {
      enum: TABLE_NAMINGS,
      default: 'leaf_prefix',
      description: 'Whether a table is called as its folder, or as the crawler and the folder',
    },
    detect_partitions: {
      type: 'boolean',
      default: true,
      description: 'Whether folders `key=value` become columns',
    },
    schedule_secs: {
      type: ['integer', 'null'],
      minimum: 0,
      description: 'Seconds between two runs. Null: it runs when it is asked to',
    },
    event_driven: {
      type: 'boolean',
      default: false,
      description: 'There are no events: without a schedule the crawler gets the default one',
    },
    options: {
      type: 'object',
      additionalProperties: { type: 'string' },
      default: {},
      description: 'OPTIONS of each table',
    },
  },
} as const

const NAME = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } as const

/** Routes that define and run crawlers, for the super-user only (docs/reference/http.md). */
export function addCrawlerRoutes(app: FastifyInstance, { statements, crawlers }: Services): void {
  app.post(
    '/api/admin/crawlers',
    routeFor(
      ADMIN_ROUTE,
      'admin',
      'createCrawler',
      'Define a crawler, or put it in place of that of its name',
      {
        body: BODY,
      },
    ),
    async (request, reply) => {
      const node = crawlerRequest(jsonBody(request))
      await statements.runCommand(node, request.caller, clientSignal(reply))
      return reply.send()
    },
  )

  app.get(
    '/api/admin/crawlers',
    routeFor(ADMIN_ROUTE, 'admin', 'listCrawlers', 'The crawlers by name'),
    async () => crawlers.list().map(crawlerRecord),
  )

  app.get(
    '/api/admin/crawlers/:name',
    routeFor(ADMIN_ROUTE, 'admin', 'getCrawler', 'A crawler', { params: NAME }),
    async (request) => {
      const name = nameOf(request)
      const crawler = crawlers.find(name)
      if (crawler === null) throw notFound(name)
      return crawlerRecord(crawler)
    },
  )

  app.post(
    '/api/admin/crawlers/:name/run',
    routeFor(ADMIN_ROUTE, 'admin', 'runCrawler', 'Run a crawler, and wait for its report', {
      params: NAME,
      querystring: {
        type: 'object',
        properties: {
          dry_run: {
            type: 'boolean',
            default: false,
            description: 'Whether to report only what a run would do',
          },
        },
      },
    }),
    async (request, reply) => {
      const isDry = flagParameter(parametersOf(request), 'dry_run')
      const node = Object.freeze({ kind: 'run_crawler', name: nameOf(request), isDry } as const)
      return reportRecord(await statements.runCrawler(node, request.caller, clientSignal(reply)))
    },
  )

  app.get(
    '/api/admin/crawlers/:name/runs',
    routeFor(ADMIN_ROUTE, 'admin', 'listCrawlerRuns', 'The last runs of a crawler, the latest first', {
      params: NAME,
    }),
    async (request) => {
      const name = nameOf(request)
      const runs = crawlers.runs(name)
      if (runs.length === 0 && crawlers.find(name) === null) throw notFound(name)
      return runs.map(runRecord)
    },
  )

  app.delete(
    '/api/admin/crawlers/:name',
    routeFor(ADMIN_ROUTE, 'admin', 'deleteCrawler', 'Drop a crawler; its tables stay', { params: NAME }),
    async (request, reply) => {
      const node = Object.freeze({ kind: 'drop_crawler', name: nameOf(request) } as const)
      await statements.runCommand(node, request.caller, clientSignal(reply))
      return reply.send()
    },
  )
}

function nameOf({ params }: FastifyRequest): string {
  return (params as { readonly name: string }).name
}

function notFound(name: string): ServiceError {
  return new ServiceError('crawler_not_found', `Crawler ${name} not found`)
}
