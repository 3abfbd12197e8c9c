import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { alternatives } from '../../plan/alternatives.ts'
import { ServiceError } from '../../plan/errors.ts'
import { nearestName } from '../../plan/nearest-name.ts'

/** The routes of one path. */
interface Path {
  readonly url: string
  readonly pattern: RegExp
  readonly methods: Set<string>
}

/**
 * Refuses a request without a route before its body is read: 405 with `Allow` if the path has routes for other methods, and
 * else 404 with the nearest route (docs/reference/http.md). It knows only routes that are added after it.
 */
export function addNotFound(app: FastifyInstance, basePath: string): void {
  const paths = new Map<string, Path>()
  app.addHook('onRoute', ({ url, method }: RouteOptions) => {
    const entry = paths.get(url) ?? { url, pattern: patternOf(url), methods: new Set() }
    for (const each of [method].flat()) entry.methods.add(each)
    paths.set(url, entry)
  })
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    if (!request.is404) return
    const { method } = request
    const path = pathOf(request.url)
    const match = [...paths.values()].find(({ pattern }) => pattern.test(path))
    if (match === undefined)
      throw new ServiceError(
        'unknown_route',
        `There is no ${method} ${show(request)}.${suggestion(path, [...paths.values()])} ${basePath}/openapi.json lists all routes.`,
      )
    reply.header('allow', [...match.methods].join(','))
    throw new ServiceError('method_not_allowed', `${show(request)} takes ${methodsOf(match)}, not ${method}.`)
  })
}

/** Suggests the path that is nearest as a whole, or else by what its last segment is called elsewhere, or by that segment. Empty if none is near. */
function suggestion(path: string, routes: readonly Path[]): string {
  const urls = routes.map(({ url }) => url).filter((url) => !/[:*]/.test(url))
  const near = nearestName(path, urls) ?? otherName(path, urls) ?? nearestByEnd(path, urls)
  const meant = routes.find(({ url }) => url === near)
  return meant === undefined ? '' : ` Did you mean ${methodsOf(meant)} ${meant.url}?`
}

/** The first of the paths whose last segment is nearest to that of `path`: clients leave out `/api`, or add a version. */
function nearestByEnd(path: string, urls: readonly string[]): string | null {
  const ends = new Map(urls.toReversed().map((url) => [endOf(url), url]))
  ends.delete('')
  const near = nearestName(endOf(path), [...ends.keys()])
  return near === null ? null : (ends.get(near) ?? null)
}

/** Last segments of the paths of other services, and how those begin here that they mean. */
const OTHER_NAMES: readonly (readonly [end: RegExp, segment: string])[] = [
  [/^(?:queries|run|search|select|sql)$/i, 'query'],
  [/^(?:api-docs|openapi|swagger)(?:\.(?:json|ya?ml))?$/i, 'openapi.json'],
  [/^(?:catalog|files|list|ls)$/i, 'list-datasets'],
  [/^(?:columns|describe|schemas?)$/i, 'dataset-schema'],
  [/^(?:readyz)$/i, 'ready'],
  [/^(?:live|livez|liveness|ping|status)$/i, 'health'],
  [/^version$/i, 'info'],
]

/** The path that another service calls by another name. Null: none is known. */
function otherName(path: string, urls: readonly string[]): string | null {
  const segment = OTHER_NAMES.find(([end]) => end.test(endOf(path)))?.[1]
  return urls.find((url) => endOf(url) === segment) ?? null
}

/** The last segment of a path. */
function endOf(path: string): string {
  return path.split('/').findLast((segment) => segment !== '') ?? ''
}

/** The methods of a path as a message lists them. HEAD is left out, because it is there wherever GET is. */
function methodsOf({ methods }: Path): string {
  return alternatives([...methods].filter((method) => method !== 'HEAD'))
}

/** The most characters of a path that a message quotes. */
const SHOWN = 200

/** The path as the client wrote it, shortened. */
function show({ originalUrl }: FastifyRequest): string {
  const path = pathOf(originalUrl)
  return path.length <= SHOWN ? path : `${path.slice(0, SHOWN)}…`
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}

/** The pattern of a route's path. Segments are literal, except `:name` and a last `*`. */
function patternOf(url: string): RegExp {
  const segments = url.split('/').map((segment) => {
    if (segment === '*') return '.*'
    return segment.startsWith(':') ? '[^/]+' : segment.replace(/[.+^$()|[\]{}\\]/g, '\\$&')
  })
  return new RegExp(`^${segments.join('/')}$`)
}
