import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../settings/config.ts'

/** The headers with which any page may read an answer to a request that has no origin, as one that could not be parsed. */
export function corsOfAnyOrigin({ corsAllowedOrigins }: Config): Readonly<Record<string, string>> {
  return corsAllowedOrigins.includes('*') ? { 'access-control-allow-origin': '*' } : {}
}

/** A function that tells whether pages of an origin may call the service. */
export function createOriginTest({ corsAllowedOrigins }: Pick<Config, 'corsAllowedOrigins'>) {
  const origins = new Set(corsAllowedOrigins)
  return (origin: string): boolean => origins.has('*') || origins.has(origin)
}

const PREFLIGHT_VARY = 'origin, access-control-request-method, access-control-request-headers'

/**
 * A hook that adds cross-origin headers to every answer, and answers every preflight before the gate
 * (docs/reference/http.md). The pages of the explorers are left out: no other page reads them.
 */
export function createCors(config: Config) {
  const anyOrigin = config.corsAllowedOrigins.includes('*')
  const isAllowed = createOriginTest(config)
  const methods = config.corsAllowedMethods.join(',')
  const allowedHeaders = config.corsAllowedHeaders.join(',')
  const exposed = config.corsExposeHeaders.join(',')
  const swagger = `${config.basePath}/swagger`

  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    if (request.url.startsWith(swagger)) {
      done()
      return
    }
    const { origin } = request.headers
    if (anyOrigin) reply.header('access-control-allow-origin', '*')
    else {
      reply.header('vary', 'origin')
      if (origin !== undefined && isAllowed(origin)) reply.header('access-control-allow-origin', origin)
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
