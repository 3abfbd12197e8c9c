import type { FastifyContextConfig, FastifySchema } from 'fastify'

export const OPEN_ROUTE: FastifyContextConfig = {}

export const CLIENT_ROUTE: FastifyContextConfig = { access: 'client' }

export const ADMIN_ROUTE: FastifyContextConfig = { access: 'admin' }

/** All routes of the query family (docs/reference/http.md). */
export const QUERY_ROUTE: FastifyContextConfig = { access: 'client', errors: 'json-string' }

/** The body of a route that takes a query, for the OpenAPI document. */
export const QUERY_BODY: FastifySchema = { body: { $ref: 'Query#' } }

/** A route as Fastify takes it: who may call it, and what the OpenAPI document says of it. `more`: its parameters or its body. */
export function routeFor(
  config: FastifyContextConfig,
  tag: string,
  operationId: string,
  summary: string,
  more: FastifySchema = {},
) {
  return { config, schema: { operationId, tags: [tag], summary, ...more } }
}
