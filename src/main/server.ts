import { maxHeaderSize } from 'node:http'
import fastify, { type FastifyInstance } from 'fastify'
import { createAliasRewrite } from './http/requests/admin-alias.ts'
import './http/context.ts'
import { codeTexts } from './http/answers/coded-texts.ts'
import { createCors } from './http/cors.ts'
import { createErrorHandler } from './http/errors.ts'
import { createGate } from './http/gate.ts'
import { addNotFound } from './http/not-found.ts'
import { addOpenApi } from './http/openapi/openapi.ts'
import { addBodyParser } from './http/requests/json-body.ts'
import { addAdminRoutes } from './http/routes/admin.ts'
import { addAnswerRoutes } from './http/routes/answers.ts'
import { addDatasetRoutes } from './http/routes/datasets.ts'
import { addDocumentRoutes } from './http/routes/docs.ts'
import { addQueryRoutes } from './http/routes/query.ts'
import { addSystemRoutes } from './http/routes/system.ts'
import { addTableRoutes } from './http/routes/tables.ts'
import type { Services } from './http/services.ts'

/** Time for a request to arrive whole; an answer may take as long as it wants. */
const REQUEST_TIMEOUT_MS = 300_000

/** How often connections that have become idle are looked for while the server closes. */
const IDLE_CHECK_MS = 50

/** The HTTP face of the service, not yet listening. A request passes: CORS, gate, route or 404, handler. */
export async function createServer(services: Services): Promise<FastifyInstance> {
  const { config, logger } = services
  const onError = createErrorHandler(logger)
  const app = fastify({
    // One line per query is written elsewhere; a child logger per request would be for nothing.
    logger: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // A parameter as long as any URL: its handler says what is wrong with it.
    routerOptions: { maxParamLength: maxHeaderSize },
    rewriteUrl: createAliasRewrite(config.basePath),
    frameworkErrors: onError,
  })
  app.decorateRequest('caller')
  app.setErrorHandler(onError)
  // Schemas are for the OpenAPI document: handlers check what they are given, in the words of docs/reference/http.md.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => (value) => JSON.stringify(value))
  addBodyParser(app)
  app.addHook('onRequest', createCors(config))
  app.addHook('onRequest', createGate(services.authenticate))
  app.addHook('onSend', codeTexts)
  addNotFound(app)
  await addOpenApi(app, config, services.formats)
  await app.register(
    async (scope) => {
      addDocumentRoutes(scope, config)
      addAnswerRoutes(scope, services)
      addQueryRoutes(scope, services)
      addDatasetRoutes(scope, services)
      addTableRoutes(scope, services)
      addSystemRoutes(scope, services)
      addAdminRoutes(scope)
    },
    { prefix: config.basePath },
  )
  return app
}

/** Takes no more requests and resolves when all answers have ended; those that have not in time are broken off. */
export async function closeServer(server: FastifyInstance, graceMs: number): Promise<void> {
  // A connection that is busy now would be kept alive after its answer.
  const idle = setInterval(() => server.server.closeIdleConnections(), IDLE_CHECK_MS)
  const deadline = setTimeout(() => server.server.closeAllConnections(), graceMs)
  try {
    await server.close()
  } finally {
    clearInterval(idle)
    clearTimeout(deadline)
  }
}
