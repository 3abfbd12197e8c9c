import type { FastifyInstance, FastifyRequest } from 'fastify'
import { alternatives } from '../../../plan/alternatives.ts'
import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import type { Formats } from '../../../plan/format/create-formats.ts'
import type { FileFormat } from '../../../plan/format/file-format.ts'
import { EVERYTHING } from '../../../plan/statement/functions.ts'
import type { Rights } from '../../auth/rights/rights.ts'
import { inSlices } from '../../datasets/find/slices.ts'
import { describeDatasets, findDatasets } from '../../datasets/list.ts'
import { markerIn } from '../../datasets/marker.ts'
import type { DatasetRoot } from '../../datasets/root.ts'
import { schemaToJson } from '../arrow-json.ts'
import { clientSignal } from '../requests/client-signal.ts'
import { countParameter, optionalParameter, parametersOf, requiredParameter } from '../requests/parameters.ts'
import type { Services } from '../services.ts'
import { structureToJson } from '../structure-json.ts'
import { CLIENT_ROUTE, routeFor } from './route.ts'

const LISTING_PARAMETERS = {
  type: 'object',
  properties: {
    pattern: {
      type: 'string',
      default: EVERYTHING,
      description: 'A path or a glob, relative to the dataset root',
    },
    offset: { type: 'integer', minimum: 0, default: 0, description: 'Entries to skip' },
    limit: { type: 'integer', minimum: 0, description: 'Entries at most' },
  },
}

/** Routes that list the files that can be queried (docs/reference/http.md). */
export function addDatasetRoutes(app: FastifyInstance, { datasets: root, formats, queries }: Services): void {
  async function page(request: FastifyRequest, signal: AbortSignal) {
    const parameters = parametersOf(request)
    const pattern = optionalParameter(parameters, 'pattern') ?? EVERYTHING
    const offset = countParameter(parameters, 'offset', 0)
    const limit = countParameter(parameters, 'limit', Number.POSITIVE_INFINITY)
    return (await findDatasets(root, formats, pattern, request.caller.rights, signal)).slice(
      offset,
      offset + limit,
    )
  }

  app.get(
    '/api/list-datasets',
    routeFor(
      CLIENT_ROUTE,
      'datasets',
      'listDatasets',
      'Datasets with format, size and time, grouped by format',
      { querystring: LISTING_PARAMETERS },
    ),
    async (request, reply) => {
      const signal = clientSignal(reply)
      const parts: string[] = []
      for await (const slice of inSlices(await page(request, signal), signal))
        parts.push(JSON.stringify(await describeDatasets(root, slice, signal)).slice(1, -1))
      return reply.type('application/json').send(`[${parts.join()}]`)
    },
  )

  app.get(
    '/api/datasets',
    routeFor(CLIENT_ROUTE, 'datasets', 'listDatasetPaths', 'Paths alone; use /api/list-datasets', {
      deprecated: true,
      querystring: LISTING_PARAMETERS,
    }),
    async (request, reply) => (await page(request, clientSignal(reply))).map(({ file }) => file.path),
  )

  app.get(
    '/api/total-datasets',
    routeFor(CLIENT_ROUTE, 'datasets', 'countDatasets', 'Number of datasets'),
    async (request, reply) => {
      const { rights } = request.caller
      const { length } = await findDatasets(root, formats, EVERYTHING, rights, clientSignal(reply))
      return reply.type('application/json').send(String(length))
    },
  )

  app.get(
    '/api/dataset-schema',
    routeFor(CLIENT_ROUTE, 'datasets', 'getDatasetSchema', 'Columns of a dataset, or of many merged', {
      querystring: {
        type: 'object',
        required: ['file'],
        properties: { file: { type: 'string', description: 'A path or a glob; its end tells the format' } },
      },
    }),
    async (request, reply) => {
      const file = requiredParameter(
        parametersOf(request),
        'file',
        '/api/dataset-schema?file=observations/*.parquet',
      )
      const format = await schemaFormat(file, request.caller.rights, formats, root)
      return schemaToJson(await queries.schema(format, [file], request.caller, clientSignal(reply)))
    },
  )

  app.get(
    '/api/dataset-structure',
    routeFor(
      CLIENT_ROUTE,
      'datasets',
      'getDatasetStructure',
      'Groups, dimensions, variables and attributes of a file of arrays',
      {
        querystring: {
          type: 'object',
          required: ['file'],
          properties: {
            file: { type: 'string', description: 'The path of one NetCDF, HDF5 or Zarr dataset' },
          },
        },
      },
    ),
    async (request, reply) => {
      const file = requiredParameter(parametersOf(request), 'file', '/api/dataset-structure?file=sst.nc')
      const format = await schemaFormat(file, request.caller.rights, formats, root)
      const { path, structure } = await queries.structure(format, file, request.caller, clientSignal(reply))
      return reply.type('application/json').send(structureToJson(path, format.kind, structure))
    },
  )
}

/**
 * The format of the files of a path or a glob, by the end of its name, or by the marker in the folder that it names. Rejects with
 * `not_supported` if there is none. Under rules, only those who may read a folder see what is in it.
 */
async function schemaFormat(
  file: string,
  rights: Rights,
  formats: Formats,
  root: DatasetRoot,
): Promise<FileFormat> {
  const detectedFormat = formats.ofName(file) ?? (await formatOfFolder(file, rights, formats, root))
  if (detectedFormat !== null) return detectedFormat.format
  const ends = formats.rows.flatMap(({ datasets }) => datasets.flatMap(({ extensions }) => extensions))
  throw new ServiceError(
    'not_supported',
    `${JSON.stringify(file)}: the end of the name must say the format, as in "observations/*.parquet"; use ${alternatives(ends.map((end) => `.${end}`))}.`,
  )
}

async function formatOfFolder(
  file: string,
  rights: Rights,
  formats: Formats,
  root: DatasetRoot,
): Promise<ReturnType<Formats['ofName']>> {
  try {
    const marker = await markerIn(root, file, rights, formats.markers)
    return marker === null ? null : formats.ofName(marker)
  } catch (error) {
    // The message about the path comes from the search.
    if (isServiceError(error) && error.code === 'invalid_path') return null
    throw error
  }
}
