import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../../plan/errors.ts'
import { queryIdHeader } from '../../config.ts'
import { parseRequest } from '../../query/request.ts'
import type { ReceivedQuery } from '../../query/service.ts'
import { mayCache } from '../cache-control.ts'
import { clientSignal } from '../client-signal.ts'
import { jsonBody } from '../json-body.ts'
import type { Services } from '../services.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const QUERY_ROUTE = { access: 'client', errors: 'json-string' } as const

/** Running, checking and explaining queries (http-api.md §3, §5). */
export function addQueryRoutes(app: FastifyInstance, { config, queries }: Services): void {
  const idHeader = queryIdHeader(config.name)

  /** SQL may be switched off, for the super-user too; it can still be parsed and explained (http-api.md §3.5). */
  function runnable(request: FastifyRequest): ReceivedQuery {
    const query = received(request)
    if (query.request.kind === 'sql' && !config.enableSql)
      throw new ServiceError('sql_disabled', 'SQL queries are not enabled')
    return query
  }

  app.post(
    '/api/query',
    {
      config: QUERY_ROUTE,
      schema: querySchema('Run a query', 'An Arrow IPC stream, or the file that `output` names'),
    },
    async (request, reply) => {
      const signal = clientSignal(reply)
      const running = await queries.run(runnable(request), request.caller, signal)
      reply.header(idHeader, running.id).type(running.contentType)
      if (running.fileName !== null)
        reply.header('content-disposition', `attachment; filename="${running.fileName}"`)
      return reply.send(running.body)
    },
  )

  app.post(
    '/api/parse-query',
    {
      config: QUERY_ROUTE,
      schema: querySchema('Check the structure of a query', 'The query is well formed'),
    },
    async (request, reply) => {
      received(request)
      return reply.send()
    },
  )

  app.post(
    '/api/explain-query',
    { config: QUERY_ROUTE, schema: querySchema('The plan of a query, which is not run', 'The plan') },
    async (request, reply) => {
      const plan = await queries.explain(received(request), request.caller, clientSignal(reply))
      return reply.type('application/json').send(JSON.stringify(plan, null, 2))
    },
  )

  app.post(
    '/api/explain-analyze-query',
    {
      config: QUERY_ROUTE,
      schema: querySchema('Run a query and give its plan with measurements', 'The plan'),
    },
    async (request, reply) => {
      const plan = await queries.explainAnalyze(runnable(request), request.caller, clientSignal(reply))
      return reply.type('application/json').send(JSON.stringify(plan))
    },
  )

  app.get<{ Params: { query_id: string } }>(
    '/api/query/metrics/:query_id',
    {
      config: QUERY_ROUTE,
      schema: {
        tags: ['query'],
        summary: 'Timing and counts of a finished query, for the one who ran it and the super-user',
        params: { type: 'object', properties: { query_id: { type: 'string', format: 'uuid' } } },
      },
    },
    async (request, reply) => {
      const id = request.params.query_id
      if (!UUID.test(id)) throw new ServiceError('invalid_query_id', 'Invalid UUID format')
      const record = queries.metrics(id.toLowerCase(), request.caller)
      if (record === null) throw new ServiceError('unknown_query', 'Query ID not found')
      return reply.type('application/json').send(record)
    },
  )
}

function received(request: FastifyRequest): ReceivedQuery {
  const json = jsonBody(request)
  return { json, request: parseRequest(json), caching: mayCache(request) }
}

function querySchema(summary: string, answer: string) {
  return {
    tags: ['query'],
    summary,
    body: { $ref: 'Query#' },
    response: {
      200: { description: answer },
      400: { description: 'The query cannot run; a JSON string says why' },
    },
  }
}
