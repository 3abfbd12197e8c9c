import type { FastifyInstance } from 'fastify'
import { clientSignal } from '../requests/client-signal.ts'
import { externalTable } from '../requests/external-table.ts'
import { jsonBody } from '../requests/json-body.ts'
import type { Services } from '../services.ts'
import { ADMIN_ROUTE, routeFor } from './route.ts'

/** The body for the OpenAPI document. */
const BODY = {
  type: 'object',
  required: ['name', 'location', 'file_type'],
  properties: {
    name: { type: 'string', description: 'The name as it is; dots are a part of it' },
    location: { type: 'string', description: 'A file, a pattern, or a folder, relative to the dataset root' },
    file_type: { type: 'string', description: 'PARQUET, CSV, ARROW, NC, HDF5, …, in any case' },
    partition_cols: {
      type: 'array',
      items: { type: 'string' },
      default: [],
      description: 'Columns of folders `key=value`, in the order of the path',
    },
    options: {
      type: 'object',
      additionalProperties: { type: 'string' },
      default: {},
      description: 'As OPTIONS in SQL. Keys that are not known have no effect',
    },
    if_not_exists: {
      type: 'boolean',
      default: false,
      description: 'Whether a table of this name stays as it is. It is replaced otherwise',
    },
  },
} as const

/** Routes that define external tables, for the super-user only (docs/reference/http.md). */
export function addExternalTableRoutes(app: FastifyInstance, { statements }: Services): void {
  app.post(
    '/api/admin/external-tables',
    routeFor(
      ADMIN_ROUTE,
      'admin',
      'createExternalTable',
      'Create a table over files, or put it in place of the one of its name',
      { body: BODY },
    ),
    async (request, reply) => {
      const hidden: string[] = []
      const node = externalTable(jsonBody(request), (value) => hidden.push(value))
      await statements.runCommand(node, request.caller, clientSignal(reply), hidden)
      return reply.send()
    },
  )
}
