import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../../plan/errors.ts'
import type { ReceivedQuery } from '../../query/run/service.ts'
import { mayCache } from '../answers/cache-control.ts'
import { clientSignal } from '../requests/client-signal.ts'
import { jsonBody } from '../requests/json-body.ts'
import { queryAlone, receivedQuery, runnable } from '../requests/received-query.ts'
import type { Services } from '../services.ts'
import { QUERY_BODY, QUERY_ROUTE, routeFor } from './route.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Routes that check and explain queries, and tell the metrics of finished ones (docs/reference/http.md). */
export function addQueryRoutes(app: FastifyInstance, { config, queries, formats }: Services): void {
  const receivedIn = (request: FastifyRequest): ReceivedQuery =>
    receivedQuery(jsonBody(request), mayCache(request), formats)

  app.post(
    '/api/parse-query',
    routeFor(QUERY_ROUTE, 'query', 'parseQuery', 'Check the structure of a query', QUERY_BODY),
    async (request, reply) => {
      receivedIn(request)
      return reply.send()
    },
  )

  app.post(
    '/api/explain-query',
    routeFor(QUERY_ROUTE, 'query', 'explainQuery', 'The plan of a query, which is not run', QUERY_BODY),
    async (request, reply) => {
      const query = queryAlone(receivedIn(request))
      const plan = await queries.explain(query, request.caller, clientSignal(reply))
      return reply.type('application/json').send(JSON.stringify(plan, null, 2))
    },
  )

  app.post(
    '/api/explain-analyze-query',
    routeFor(
      QUERY_ROUTE,
      'query',
      'explainAnalyzeQuery',
      'Run a query and give its plan with measurements',
      QUERY_BODY,
    ),
    async (request, reply) => {
      const query = queryAlone(runnable(receivedIn(request), config))
      const plan = await queries.explainAnalyze(query, request.caller, clientSignal(reply))
      return reply.type('application/json').send(JSON.stringify(plan))
    },
  )

  app.get<{ Params: { query_id: string } }>(
    '/api/query/metrics/:query_id',
    routeFor(
      QUERY_ROUTE,
      'query',
      'getQueryMetrics',
      'Timing and counts of a finished query, for the one who ran it and the super-user',
      { params: { type: 'object', properties: { query_id: { type: 'string', format: 'uuid' } } } },
    ),
    async (request, reply) => {
      const id = request.params.query_id
      if (!UUID.test(id)) throw new ServiceError('invalid_query_id', 'Invalid UUID format')
      const record = queries.metrics(id.toLowerCase(), request.caller)
      if (record === null) throw new ServiceError('unknown_query', 'Query ID not found')
      return reply.type('application/json').send(record)
    },
  )
}
