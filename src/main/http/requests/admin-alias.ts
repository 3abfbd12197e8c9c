import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

/**
 * `/admin/api/…` is `/api/…` for the super-user (docs/reference/http.md). The path is rewritten before routing, so the alias
 * needs no routes of its own. The gate recognizes it because the original URL differs.
 */
export function createAliasRewrite(basePath: string) {
  const alias = `${basePath}/admin/api/`
  return (request: IncomingMessage): string => {
    const url = request.url ?? '/'
    return url.startsWith(alias) ? `${basePath}/api/${url.slice(alias.length)}` : url
  }
}

export function isAliased(request: FastifyRequest): boolean {
  return request.originalUrl !== request.url
}
