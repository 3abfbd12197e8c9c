import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../settings/config.ts'

const PREFLIGHT_VARY = 'origin, access-control-request-method, access-control-request-headers'

/**
 * A hook that adds cross-origin headers to every answer, and answers every preflight before the gate
 * (docs/reference/http.md). The OpenAPI document and its explorers are left out.
 */
export function createCors(config: Config) {
  const anyOrigin = config.corsAllowedOrigins.includes('*')
  const origins = new Set(config.corsAllowedOrigins)
  const methods = config.corsAllowedMethods.join(',')
  const allowedHeaders = config.corsAllowedHeaders.join(',')
  const exposed = config.corsExposeHeaders.join(',')
  const isExempt = (url: string) =>
    url.startsWith(`${config.basePath}/swagger`) || url.startsWith(`${config.basePath}/openapi.json`)

  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    if (isExempt(request.url)) {
      done()
      return
    }
    const { origin } = request.headers
    if (anyOrigin) reply.header('access-control-allow-origin', '*')
    else {
      reply.header('vary', 'origin')
      if (origin !== undefined && origins.has(origin)) reply.header('access-control-allow-origin', origin)
    }
    if (config.corsAllowedCredentials) reply.header('access-control-allow-credentials', 'true')
    if (request.method !== 'OPTIONS') {
      reply.header('access-control-expose-headers', exposed)
      done()
      return
    }
    reply.header('vary', PREFLIGHT_VARY)
    reply.header('access-control-allow-methods', methods)
    reply.header('access-control-allow-headers', allowedHeaders)
    reply.header('access-control-max-age', String(config.corsMaxAge))
    reply.code(200).send()
  }
}
