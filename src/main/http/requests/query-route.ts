/** The configuration that all routes of the query family share (docs/reference/http.md). */
export const QUERY_ROUTE = { access: 'client', errors: 'json-string' } as const

/** The OpenAPI schema of a route that takes a query as its body. */
export function querySchema(operationId: string, summary: string) {
  return { operationId, tags: ['query'], summary, body: { $ref: 'Query#' } }
}
