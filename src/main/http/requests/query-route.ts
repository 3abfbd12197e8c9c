/** The configuration that all routes of the query family share (docs/reference/http.md). */
export const QUERY_ROUTE = { access: 'client', errors: 'json-string' } as const

/** The OpenAPI schema of a route that takes a query as its body. */
export function querySchema(summary: string, answer: string) {
  return { tags: ['query'], summary, body: { $ref: 'Query#' }, response: responses(answer) }
}

export function responses(answer: string) {
  return {
    200: { description: answer },
    400: { description: 'The query cannot run; a JSON string says why' },
  }
}
