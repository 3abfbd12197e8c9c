import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import { ServiceError } from '../../../plan/errors.ts'
import { PART_BYTES } from '../../dataset-files/uploads/uploads-in-parts.ts'
import { flagParameter, parametersOf, requiredParameter } from '../requests/parameters.ts'
import type { StreamedBodies } from '../requests/streamed-bodies.ts'
import type { Services } from '../services.ts'
import { ADMIN_ROUTE, routeFor } from './route.ts'

const PATH = { type: 'string', description: 'Where the file will be, relative to the dataset root' } as const
const OVERWRITE = {
  type: 'boolean',
  default: false,
  description: 'Whether it takes the place of a file that is there',
} as const
const UPLOAD_ID = { type: 'string', format: 'uuid', description: 'As `initiate` has given it' } as const

const PATH_PARAMETERS = {
  type: 'object',
  required: ['path'],
  properties: { path: PATH, overwrite: OVERWRITE },
} as const

const ID_PARAMETERS = {
  type: 'object',
  required: ['upload_id'],
  properties: { upload_id: UPLOAD_ID },
} as const

/** The body of a route that takes the bytes of a file, for the OpenAPI document. */
const BYTES = {
  consumes: ['application/octet-stream'],
  body: { type: 'string', format: 'binary' },
} as const

const STREAMED_ROUTE: FastifyContextConfig = { ...ADMIN_ROUTE, isStreamed: true }

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Routes by which files come into the dataset root, for the super-user only (docs/reference/http.md). */
export function addUploadRoutes(
  app: FastifyInstance,
  { datasetFiles }: Services,
  bodies: StreamedBodies,
): void {
  app.register(async (scope) => {
    bodies.addTo(scope)

    scope.post(
      '/api/admin/datasets/upload',
      routeFor(STREAMED_ROUTE, 'admin', 'uploadDataset', 'Bring a file in, in one piece', {
        querystring: PATH_PARAMETERS,
        ...BYTES,
      }),
      async (request, reply) => {
        const parameters = parametersOf(request)
        const path = requiredParameter(parameters, 'path', '/api/admin/datasets/upload?path=ctd/a.parquet')
        const replaces = flagParameter(parameters, 'overwrite')
        return datasetFiles.upload(path, replaces, bodies.of(request, reply))
      },
    )

    scope.put(
      '/api/admin/datasets/upload/part',
      routeFor(STREAMED_ROUTE, 'admin', 'uploadPart', 'The next part of a file', {
        querystring: {
          type: 'object',
          required: ['upload_id', 'part_number'],
          properties: {
            upload_id: UPLOAD_ID,
            part_number: { type: 'integer', minimum: 1, description: 'One more than that of the last part' },
          },
        },
        ...BYTES,
      }),
      async (request, reply) => {
        const parameters = parametersOf(request)
        const id = uploadId(parameters)
        await datasetFiles.add(id, partNumber(parameters), bodies.of(request, reply))
        return reply.code(204).send()
      },
    )
  })

  app.post(
    '/api/admin/datasets/upload/initiate',
    routeFor(ADMIN_ROUTE, 'admin', 'beginUpload', 'Begin to bring a file in, in parts', {
      querystring: PATH_PARAMETERS,
    }),
    async (request) => {
      const parameters = parametersOf(request)
      const path = requiredParameter(
        parameters,
        'path',
        '/api/admin/datasets/upload/initiate?path=ctd/a.parquet',
      )
      const { id } = await datasetFiles.begin(path, flagParameter(parameters, 'overwrite'))
      return { upload_id: id, part_size: PART_BYTES }
    },
  )

  app.post(
    '/api/admin/datasets/upload/complete',
    routeFor(ADMIN_ROUTE, 'admin', 'completeUpload', 'Put a file in its place whose parts are all there', {
      querystring: ID_PARAMETERS,
    }),
    async (request) => datasetFiles.complete(uploadId(parametersOf(request))),
  )

  app.delete(
    '/api/admin/datasets/upload',
    routeFor(ADMIN_ROUTE, 'admin', 'abortUpload', 'End an upload in parts without a file', {
      querystring: ID_PARAMETERS,
    }),
    async (request, reply) => {
      await datasetFiles.abort(uploadId(parametersOf(request)))
      return reply.code(204).send()
    },
  )
}

function uploadId(parameters: URLSearchParams): string {
  const id = requiredParameter(
    parameters,
    'upload_id',
    '/api/admin/datasets/upload/part?upload_id=…&part_number=1',
  )
  if (UUID.test(id)) return id.toLowerCase()
  throw new ServiceError(
    'invalid_parameter',
    'The parameter `upload_id` must be a UUID, as `initiate` gives it.',
  )
}

function partNumber(parameters: URLSearchParams): number {
  const text = requiredParameter(
    parameters,
    'part_number',
    '/api/admin/datasets/upload/part?upload_id=…&part_number=1',
  )
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new ServiceError('invalid_parameter', 'The parameter `part_number` must be a whole number from 1.')
}
