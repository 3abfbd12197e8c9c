import type { FastifyInstance } from 'fastify'
import { findDatasets } from '../../datasets/list.ts'
import { completedDocument, type OpenApiDocument } from '../openapi/completed-document.ts'
import { SAMPLE_FILE } from '../openapi/operations/sample-queries.ts'
import { clientSignal } from '../requests/client-signal.ts'
import type { Services } from '../services.ts'

/** The route of the OpenAPI document. Its examples are over the sample only where the service has it. */
export function addOpenApiRoute(app: FastifyInstance, { config, datasets, formats }: Services): void {
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    const sample = await findDatasets(datasets, formats, SAMPLE_FILE, clientSignal(reply))
    const { operationsOf } = await import('../openapi/operations/operations.ts')
    const document = app.swagger() as unknown as OpenApiDocument
    const completed = completedDocument(document, operationsOf(config.name), sample.length > 0)
    return reply.type('application/json').send(JSON.stringify(completed))
  })
}
