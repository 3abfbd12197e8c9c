import { maxHeaderSize } from 'node:http'
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { codeTexts } from './http/answers/coded-texts.ts'
import { createClientErrorHandler } from './http/client-errors.ts'
import { corsOfAnyOrigin, createCors } from './http/cors.ts'
import { createErrorHandler } from './http/errors.ts'
import { createGate } from './http/gate.ts'
import { addMcpRoute } from './http/mcp/mcp-route.ts'
import { addNotFound } from './http/not-found.ts'
import { addOpenApi } from './http/openapi/openapi.ts'
import { createAliasRewrite } from './http/requests/admin-alias.ts'
import { addBodyParser } from './http/requests/json-body.ts'
import {
  createStreamedBodies,
  expectsContinue,
  type StreamedBodies,
} from './http/requests/streamed-bodies.ts'
import { addAccountRoutes } from './http/routes/admin/accounts.ts'
import { addCrawlerRoutes } from './http/routes/admin/crawlers.ts'
import { addAdminRoutes } from './http/routes/admin.ts'
import { addAnswerRoutes } from './http/routes/answers.ts'
import { addDatasetFileRoutes } from './http/routes/dataset-files.ts'
import { addDatasetRoutes } from './http/routes/datasets.ts'
import { addDocumentRoutes } from './http/routes/docs.ts'
import { addExternalTableRoutes } from './http/routes/external-tables.ts'
import { addFunctionRoutes } from './http/routes/functions.ts'
import { addOpenApiRoute } from './http/routes/openapi.ts'
import { addQueryRoutes } from './http/routes/query.ts'
import { addSystemRoutes } from './http/routes/system.ts'
import { addTableExtensionRoutes } from './http/routes/table-extensions.ts'
import { addTableRoutes } from './http/routes/tables.ts'
import { addUploadRoutes } from './http/routes/uploads.ts'
import type { Services } from './http/services.ts'
import { tellVersion } from './http/tell-version.ts'

/** The most milliseconds in which a whole request has to arrive, but for files. An answer has no such limit. */
const REQUEST_TIMEOUT_MS = 300_000

/** While the server closes, idle connections are closed every so many milliseconds. */
const IDLE_CHECK_MS = 50

/** A server that has no routes yet. */
export interface PreparedServer {
  readonly app: FastifyInstance
  readonly bodies: StreamedBodies
}

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>

/**
 * Schemas are only for the OpenAPI document. Handlers check requests themselves, with messages as in docs/reference/http.md. Without these
 * fastify loads Ajv and its compiler of serializers, whose functions have more properties than are used.
 */
const COMPILERS = Object.freeze({
  buildValidator: () => () => () => true,
  buildSerializer: () => () => (value: unknown) => JSON.stringify(value),
}) as unknown as Compilers

/**
 * Prepares an HTTP server, which takes as long as opening the catalog in its thread: most of the time packages are loaded. A request passes CORS,
 * the gate, its route or 404, and the handler.
 */
export async function prepareServer({
  config,
  logger,
  formats,
}: Pick<Services, 'config' | 'logger' | 'formats'>): Promise<PreparedServer> {
  const onError = createErrorHandler(logger)
  const cors = createCors(config)
  const bodies = createStreamedBodies()
  const app = fastify({
    // The query side writes one line per query. A child logger per request would be made for nothing.
    logger: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Path parameters may be as long as any URL, so that the error for a bad one is the handler's.
    routerOptions: { maxParamLength: maxHeaderSize },
    rewriteUrl: createAliasRewrite(config.basePath),
    // No hook runs for a path that cannot be decoded.
    frameworkErrors: (error, request, reply) => cors(request, reply, () => onError(error, request, reply)),
    clientErrorHandler: createClientErrorHandler(corsOfAnyOrigin(config), bodies.isArriving),
    schemaController: { compilersFactory: COMPILERS },
  })
  app.decorateRequest('caller')
  app.setErrorHandler(onError)
  addBodyParser(app)
  answerBeforeBodies(app)
  app.addHook('onRequest', cors)
  app.addHook('onRequest', tellVersion)
  await addOpenApi(app, config, formats)
  return { app, bodies }
}

/** Adds the routes to a server, which does not listen yet. */
export async function createServer(
  { app, bodies }: PreparedServer,
  services: Services,
): Promise<FastifyInstance> {
  const { config } = services
  app.addHook('onRequest', createGate(services.authenticator))
  app.addHook('onSend', codeTexts)
  addNotFound(app, config.basePath)
  await app.register(
    async (scope) => {
      addDocumentRoutes(scope, config, services.formats)
      addOpenApiRoute(scope, services)
      addAnswerRoutes(scope, services)
      addQueryRoutes(scope, services)
      addDatasetRoutes(scope, services)
      addTableRoutes(scope, services)
      addFunctionRoutes(scope, services)
      addSystemRoutes(scope, services)
      addAdminRoutes(scope, services)
      addAccountRoutes(scope, services)
      addExternalTableRoutes(scope, services)
      addCrawlerRoutes(scope, services)
      addTableExtensionRoutes(scope, services)
      addUploadRoutes(scope, services, bodies)
      addDatasetFileRoutes(scope, services)
      addMcpRoute(scope, services)
    },
    { prefix: config.basePath },
  )
  return app
}

/** Has a client that asks whether to send a body (`Expect: 100-continue`) told so once its request is not refused. */
function answerBeforeBodies(app: FastifyInstance): void {
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response))
  app.addHook('preParsing', (request, reply, _body, done) => {
    const { config } = request.routeOptions
    if (config?.isStreamed !== true && expectsContinue(request.raw)) reply.raw.writeContinue()
    done()
  })
}

/** Stops accepting requests and resolves when all answers have ended. After `graceMs` the connections left are closed. */
export async function closeServer(server: FastifyInstance, graceMs: number): Promise<void> {
  // Repeated, because a connection that is busy now becomes idle after its answer and would stay open.
  const idle = setInterval(() => server.server.closeIdleConnections(), IDLE_CHECK_MS)
  const deadline = setTimeout(() => server.server.closeAllConnections(), graceMs)
  try {
    await server.close()
  } finally {
    clearInterval(idle)
    clearTimeout(deadline)
  }
}
