import type { FastifyInstance } from 'fastify'
import { EVERYTHING } from '../../auth/rights/rights.ts'
import { findDatasets } from '../../datasets/list.ts'
import { completedDocument, type OpenApiDocument } from '../openapi/completed-document.ts'
import { SAMPLE_FILE } from '../openapi/operations/sample-queries.ts'
import { clientSignal } from '../requests/client-signal.ts'
import type { Services } from '../services.ts'

/** The route of the OpenAPI document. Its examples are over the sample only where the service has it. */
export function addOpenApiRoute(app: FastifyInstance, { config, datasets, formats }: Services): void {
  // One document for all callers: under rules it does not tell whether the sample is there.
  const hasSample = async (signal: AbortSignal): Promise<boolean> =>
    !config.authEnforce && (await findDatasets(datasets, formats, SAMPLE_FILE, EVERYTHING, signal)).length > 0

  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    const isThere = await hasSample(clientSignal(reply))
    const { operationsOf } = await import('../openapi/operations/operations.ts')
    const document = app.swagger() as unknown as OpenApiDocument
    const completed = completedDocument(document, operationsOf(config.name), isThere)
    return reply.type('application/json').send(JSON.stringify(completed))
  })
}
