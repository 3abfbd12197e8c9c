import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../../plan/errors.ts'
import type { Schema } from '../../../plan/types/schema.ts'
import type { Caller } from '../../auth/caller.ts'
import { type CatalogTable, PUBLIC } from '../../catalog/catalog.ts'
import { fieldToJson, schemaToJson } from '../arrow-json.ts'
import { optionalParameter, parametersOf, requiredParameter } from '../requests/parameters.ts'
import type { Services } from '../services.ts'

const CLIENT_ROUTE = { access: 'client' } as const

/** Routes that list the named tables that the caller may see (docs/reference/http.md). */
export function addTableRoutes(app: FastifyInstance, { catalog }: Services): void {
  const publicTables = (caller: Caller) => catalog.all(caller).filter((table) => table.schema === PUBLIC)
  const defaultTable = (caller: Caller) => catalog.find(caller, catalog.defaultTable, PUBLIC)

  app.get(
    '/api/tables',
    {
      config: CLIENT_ROUTE,
      schema: {
        operationId: 'listTables',
        tags: ['tables'],
        summary: 'Names of the tables of the default schema',
      },
    },
    async (request) => publicTables(request.caller).map((table) => table.name),
  )

  app.get(
    '/api/tables-with-schema',
    {
      config: CLIENT_ROUTE,
      schema: {
        operationId: 'listTablesWithSchema',
        tags: ['tables'],
        summary: 'Tables of the default schema with their columns',
      },
    },
    async (request) =>
      publicTables(request.caller).map((table) => ({
        table_name: table.name,
        columns: columnsOf(table).fields.map(fieldToJson),
      })),
  )

  app.get(
    '/api/catalogs',
    {
      config: CLIENT_ROUTE,
      schema: {
        operationId: 'listCatalogs',
        tags: ['tables'],
        summary: 'Catalogs, their schemas and tables',
      },
    },
    async (request) => {
      const schemas = schemasOf(catalog.all(request.caller))
      return {
        default_catalog: catalog.name,
        default_schema: PUBLIC,
        catalogs: schemas.length > 0 ? [{ name: catalog.name, schemas }] : [],
      }
    },
  )

  app.get(
    '/api/table-schema',
    {
      config: CLIENT_ROUTE,
      schema: {
        operationId: 'getTableSchema',
        tags: ['tables'],
        summary: 'Columns of a table',
        querystring: {
          type: 'object',
          required: ['table_name'],
          properties: {
            table_name: { type: 'string' },
            catalog: { type: 'string', description: 'Of no effect without `schema`' },
            schema: { type: 'string' },
          },
        },
      },
    },
    async (request) => {
      const parameters = parametersOf(request)
      const name = requiredParameter(parameters, 'table_name', '/api/table-schema?table_name=default')
      const catalogName = optionalParameter(parameters, 'catalog')
      const schema = optionalParameter(parameters, 'schema')
      const isHere = schema === null || catalogName === null || catalogName === catalog.name
      const table = isHere ? catalog.find(request.caller, name, schema ?? PUBLIC) : null
      if (table === null)
        throw new ServiceError(
          'table_not_found',
          `Table ${isHere ? catalog.name : catalogName}.${schema ?? PUBLIC}.${name} not found`,
        )
      return schemaToJson(columnsOf(table))
    },
  )

  app.get(
    '/api/default-table',
    {
      config: CLIENT_ROUTE,
      schema: {
        operationId: 'getDefaultTable',
        tags: ['tables'],
        summary: 'Name of the table of a query without `from`',
      },
    },
    async (_request, reply) => reply.type('application/json').send(JSON.stringify(catalog.defaultTable)),
  )

  app.get(
    '/api/default-table-schema',
    {
      config: CLIENT_ROUTE,
      schema: {
        operationId: 'getDefaultTableSchema',
        tags: ['tables'],
        summary: 'Columns of the default table',
      },
    },
    async (request) => schemaToJson(columnsOf(defaultTable(request.caller))),
  )

  app.get(
    '/api/query/available-columns',
    {
      config: CLIENT_ROUTE,
      schema: {
        operationId: 'listAvailableColumns',
        tags: ['query'],
        deprecated: true,
        summary: 'Use /api/default-table-schema',
      },
    },
    async (request) => columnsOf(defaultTable(request.caller)).fields.map((field) => field.name),
  )

  app.get(
    '/api/table-functions',
    {
      config: CLIENT_ROUTE,
      schema: {
        operationId: 'listTableFunctions',
        tags: ['functions'],
        deprecated: true,
        summary: 'Always an empty list',
      },
    },
    async () => [],
  )
}

/** The columns of a table that are known without opening a file. */
function columnsOf(table: CatalogTable | null): Schema {
  return table?.columns ?? { fields: [], metadata: {} }
}

function schemasOf(tables: readonly CatalogTable[]) {
  return [...Map.groupBy(tables, (table) => table.schema)].map(([name, members]) => ({
    name,
    tables: members.map((table) => ({ name: table.name, table_type: table.type })),
  }))
}
