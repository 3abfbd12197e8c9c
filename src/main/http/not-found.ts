import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'

/**
 * Answers a request without a route before its body is read: 405 with `Allow` if the path has routes for other methods, and
 * else 404. Both have no body (docs/reference/http.md). It knows only routes that are added after it.
 */
export function addNotFound(app: FastifyInstance): void {
  const paths = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>()
  app.addHook('onRoute', (route: RouteOptions) => {
    const known = paths.get(route.url) ?? { pattern: patternOf(route.url), methods: new Set() }
    for (const method of [route.method].flat()) known.methods.add(method)
    paths.set(route.url, known)
  })
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    if (!request.is404) return
    const path = request.url.split('?', 1)[0] ?? ''
    const allowed = [...paths.values()].find(({ pattern }) => pattern.test(path))?.methods
    return allowed
      ? reply
          .code(405)
          .header('allow', [...allowed].join(','))
          .send()
      : reply.code(404).send()
  })
}

/** The pattern of a route's path. Segments are literal, except `:name` and a last `*`. */
function patternOf(url: string): RegExp {
  const segments = url.split('/').map((segment) => {
    if (segment === '*') return '.*'
    return segment.startsWith(':') ? '[^/]+' : segment.replace(/[.+^$()|[\]{}\\]/g, '\\$&')
  })
  return new RegExp(`^${segments.join('/')}$`)
}
