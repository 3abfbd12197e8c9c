import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { ServiceError } from '../../../plan/errors.ts'
import { POLICIES, PRODUCT } from '../pages/frame.ts'

/** Folders of the explorers, below the base path. */
export const EXPLORERS = { scalar: '/scalar', swagger: '/swagger' } as const

/**
 * Serves the explorers of the OpenAPI document at `documentUrl`. They run in a second Fastify instance, which is created for
 * the first request: loading them takes 0.3 s and 30 MB, and most services never need them.
 */
export function createExplorers(basePath: string, documentUrl: string) {
  let explorers: Promise<FastifyInstance> | undefined
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    explorers ??= makeExplorers(basePath, documentUrl)
    const answer = await (await explorers).inject({ method: 'GET', url: request.url })
    // As on all other paths, and not with the body of their own server.
    if (answer.statusCode === 404)
      throw new ServiceError('unknown_route', `There is no ${request.url.split('?', 1)[0]}.`)
    return reply
      .code(answer.statusCode)
      .type(answer.headers['content-type'] ?? 'text/plain')
      .header('content-security-policy', POLICIES.explorer)
      .send(answer.rawPayload)
  }
}

async function makeExplorers(basePath: string, documentUrl: string): Promise<FastifyInstance> {
  const [scalar, swagger, swaggerUi] = await Promise.all([
    import('@scalar/fastify-api-reference'),
    import('@fastify/swagger'),
    import('@fastify/swagger-ui'),
  ])
  const app = fastify()
  // Both pages send requests to this service only: no fonts, usage data, validator, hosted client, or Scalar's own services. Where
  // an option were missing, the browser still refuses by the policy of the page.
  await app.register(scalar.default, {
    routePrefix: `${basePath}${EXPLORERS.scalar}` as `/${string}`,
    configuration: {
      url: documentUrl,
      pageTitle: `${PRODUCT}: Scalar`,
      favicon: `${basePath}/favicon.svg`,
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
    },
  })
  await app.register(swagger.default, { openapi: {} })
  await app.register(swaggerUi.default, {
    routePrefix: `${basePath}${EXPLORERS.swagger}`,
    uiConfig: { urls: [{ name: 'Docs', url: documentUrl }], validatorUrl: null },
  })
  await app.ready()
  return app
}
